package dev.wishdir.app;

import dev.wishdir.net.DatagramHandler;
import dev.wishdir.net.DutyCycle;
import dev.wishdir.net.ForwardingCycle;
import dev.wishdir.net.UdpSocket;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;

/**
 * A duty cycle of which it is counted what its sockets carry, and which may have them send from a
 * chosen address of this machine.
 */
final class MeteredDutyCycle extends ForwardingCycle {
    private final Optional<InetAddress> from;
    private final DatagramCounters counters;

    /**
     * @param from where sockets are bound that could be bound anywhere; empty for anywhere
     */
    MeteredDutyCycle(DutyCycle cycle, Optional<InetAddress> from, DatagramCounters counters) {
        super(cycle);
        this.from = from;
        this.counters = counters;
    }

    @Override
    public <H extends DatagramHandler> H open(
            InetSocketAddress local, DatagramHandler.Factory<H> maker) throws IOException {
        InetSocketAddress bound =
                local.getAddress().isAnyLocalAddress()
                        ? from.map(address -> new InetSocketAddress(address, local.getPort()))
                                .orElse(local)
                        : local;
        return super.open(bound, maker);
    }

    @Override
    protected void received(
            DatagramHandler handler, long now, InetSocketAddress from, byte[] data) {
        counters.in().add(data.length);
        super.received(handler, now, from, data);
    }

    @Override
    protected void send(
            UdpSocket socket, InetSocketAddress to, byte[] data, int offset, int length) {
        super.send(socket, to, data, offset, length);
        counters.out().add(length);
    }
}

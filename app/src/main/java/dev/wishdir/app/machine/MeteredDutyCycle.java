package dev.wishdir.app.machine;

import dev.wishdir.net.loop.DatagramHandler;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.loop.ForwardingCycle;
import dev.wishdir.net.loop.UdpSocket;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;

/**
 * A duty cycle that counts the datagrams of its sockets, and can bind them to a chosen address of
 * this machine.
 */
public final class MeteredDutyCycle extends ForwardingCycle {
    private final Optional<InetAddress> from;
    private final DatagramCounters counters;

    /**
     * @param from the address for sockets that are bound to any address; empty to leave it
     */
    public MeteredDutyCycle(
            DutyCycle cycle, Optional<InetAddress> from, DatagramCounters counters) {
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

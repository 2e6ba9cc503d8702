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
 * The duty cycle of a tool's client: its sockets send from a chosen address of this machine, and
 * what they carry is counted. Read the counts on its thread.
 */
final class ClientCycle extends ForwardingCycle {
    /** UDP datagrams and the bytes of their payloads; shared by the clients of one loop. */
    static final class Traffic {
        long datagramsIn;
        long datagramsOut;
        long bytesIn;
        long bytesOut;

        void clear() {
            datagramsIn = 0;
            datagramsOut = 0;
            bytesIn = 0;
            bytesOut = 0;
        }
    }

    private final Optional<InetAddress> from;
    private final Traffic traffic;

    /**
     * @param from where sockets are bound that could be bound anywhere; empty for anywhere
     */
    ClientCycle(DutyCycle cycle, Optional<InetAddress> from, Traffic traffic) {
        super(cycle);
        this.from = from;
        this.traffic = traffic;
    }

    @Override
    public <H extends DatagramHandler> H open(
            InetSocketAddress local, DatagramHandler.Maker<H> maker) throws IOException {
        InetSocketAddress bound =
                local.getAddress().isAnyLocalAddress()
                        ? from.map(address -> new InetSocketAddress(address, local.getPort()))
                                .orElse(local)
                        : local;
        return super.open(
                        bound,
                        socket ->
                                new CountingHandler<>(
                                        maker.make(new CountingSocket(socket, traffic)), traffic))
                .handler();
    }

    private record CountingHandler<H extends DatagramHandler>(H handler, Traffic traffic)
            implements DatagramHandler {
        @Override
        public void receive(long now, InetSocketAddress from, byte[] data) {
            traffic.datagramsIn++;
            traffic.bytesIn += data.length;
            handler.receive(now, from, data);
        }

        @Override
        public long advance(long now) {
            return handler.advance(now);
        }
    }

    private record CountingSocket(UdpSocket socket, Traffic traffic) implements UdpSocket {
        @Override
        public InetSocketAddress local() {
            return socket.local();
        }

        @Override
        public void send(InetSocketAddress to, byte[] data, int offset, int length) {
            traffic.datagramsOut++;
            traffic.bytesOut += length;
            socket.send(to, data, offset, length);
        }

        @Override
        public void close() {
            socket.close();
        }
    }
}

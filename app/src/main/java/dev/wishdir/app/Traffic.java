package dev.wishdir.app;

import dev.wishdir.net.DatagramHandler;
import dev.wishdir.net.DutyCycle;
import dev.wishdir.net.ForwardingCycle;
import dev.wishdir.net.UdpSocket;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A cycle that counts the datagrams and the bytes of their payloads that come and go through the
 * sockets that are opened by it. Its thread counts, any may read.
 */
final class Traffic extends ForwardingCycle {
    /** Datagrams of one direction. */
    static final class Count {
        private final AtomicLong datagrams = new AtomicLong();
        private final AtomicLong bytes = new AtomicLong();

        private void add(int length) {
            datagrams.setRelease(datagrams.getPlain() + 1);
            bytes.setRelease(bytes.getPlain() + length);
        }

        long datagrams() {
            return datagrams.getAcquire();
        }

        long bytes() {
            return bytes.getAcquire();
        }
    }

    private final Count in = new Count();
    private final Count out = new Count();

    Traffic(DutyCycle cycle) {
        super(cycle);
    }

    Count in() {
        return in;
    }

    Count out() {
        return out;
    }

    @Override
    public <H extends DatagramHandler> H open(
            InetSocketAddress local, DatagramHandler.Maker<H> maker) throws IOException {
        return super.open(local, socket -> new Heard<>(maker.make(new Sent(socket)))).handler;
    }

    private final class Heard<H extends DatagramHandler> implements DatagramHandler {
        private final H handler;

        Heard(H handler) {
            this.handler = handler;
        }

        @Override
        public void receive(long now, InetSocketAddress from, byte[] data) {
            in.add(data.length);
            handler.receive(now, from, data);
        }

        @Override
        public long advance(long now) {
            return handler.advance(now);
        }
    }

    private final class Sent implements UdpSocket {
        private final UdpSocket socket;

        Sent(UdpSocket socket) {
            this.socket = socket;
        }

        @Override
        public InetSocketAddress local() {
            return socket.local();
        }

        @Override
        public void send(InetSocketAddress to, byte[] data, int offset, int length) {
            socket.send(to, data, offset, length);
            out.add(length);
        }

        @Override
        public void close() {
            socket.close();
        }
    }
}

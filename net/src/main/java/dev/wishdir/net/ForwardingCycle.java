package dev.wishdir.net;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;

/**
 * A cycle that another one runs: all goes there, but what a subclass does otherwise. What goes
 * through its sockets goes through {@link #received}, {@link #advance} and {@link #send}.
 */
public abstract class ForwardingCycle implements DutyCycle {
    private final DutyCycle cycle;

    /**
     * @param cycle which runs what this one is given
     */
    protected ForwardingCycle(DutyCycle cycle) {
        this.cycle = cycle;
    }

    @Override
    public long now() {
        return cycle.now();
    }

    @Override
    public long worked() {
        return cycle.worked();
    }

    @Override
    public long sleptNanos() {
        return cycle.sleptNanos();
    }

    @Override
    public <H extends DatagramHandler> H open(
            InetSocketAddress local, DatagramHandler.Maker<H> maker) throws IOException {
        return cycle.open(local, socket -> new Ears<>(maker.make(new Mouth(socket)))).handler;
    }

    /** A datagram came in for a handler, which is told of it here. */
    protected void received(
            DatagramHandler handler, long now, InetSocketAddress from, byte[] data) {
        handler.receive(now, from, data);
    }

    /** A handler is advanced; returns when it has to be again, by the cycle that runs this. */
    protected long advance(DatagramHandler handler, long now) {
        return handler.advance(now);
    }

    /** A handler sends a datagram, which leaves through its socket here. */
    protected void send(
            UdpSocket socket, InetSocketAddress to, byte[] data, int offset, int length) {
        socket.send(to, data, offset, length);
    }

    @Override
    public void add(Duty duty) {
        cycle.add(duty);
    }

    @Override
    public void execute(Runnable task) {
        cycle.execute(task);
    }

    @Override
    public <T> boolean offload(Callable<T> work, Consumer<T> then, Consumer<Throwable> otherwise) {
        return cycle.offload(work, then, otherwise);
    }

    @Override
    public <T> boolean offloadLong(
            Callable<T> work, Consumer<T> then, Consumer<Throwable> otherwise) {
        return cycle.offloadLong(work, then, otherwise);
    }

    @Override
    public AutoCloseable serve(InetSocketAddress local, HttpSettings settings, HttpHandler handler)
            throws IOException {
        return cycle.serve(local, settings, handler);
    }

    @Override
    public void fetch(
            HttpFetch request, Consumer<HttpResponse> then, Consumer<Throwable> otherwise) {
        cycle.fetch(request, then, otherwise);
    }

    @Override
    public void close() {
        cycle.close();
    }

    private final class Ears<H extends DatagramHandler> implements DatagramHandler {
        private final H handler;

        Ears(H handler) {
            this.handler = handler;
        }

        @Override
        public void receive(long now, InetSocketAddress from, byte[] data) {
            received(handler, now, from, data);
        }

        @Override
        public Optional<MemoryConsumer> payer(InetSocketAddress from, byte[] data) {
            return handler.payer(from, data);
        }

        @Override
        public long advance(long now) {
            return ForwardingCycle.this.advance(handler, now);
        }
    }

    private final class Mouth implements UdpSocket {
        private final UdpSocket socket;

        Mouth(UdpSocket socket) {
            this.socket = socket;
        }

        @Override
        public InetSocketAddress local() {
            return socket.local();
        }

        @Override
        public void send(InetSocketAddress to, byte[] data, int offset, int length) {
            ForwardingCycle.this.send(socket, to, data, offset, length);
        }

        @Override
        public void close() {
            socket.close();
        }
    }
}

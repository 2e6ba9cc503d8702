package dev.wishdir.net.loop;

import dev.wishdir.net.http.HttpFetch;
import dev.wishdir.net.http.HttpHandler;
import dev.wishdir.net.http.HttpResponse;
import dev.wishdir.net.http.HttpSettings;
import dev.wishdir.net.limit.MemoryConsumer;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;

/**
 * A {@link DutyCycle} that delegates to another one, as a base class for decorators. All datagrams
 * and turns of its handlers go through {@link #received}, {@link #advance} and {@link #send}, which
 * a subclass may override.
 */
public abstract class ForwardingCycle implements DutyCycle {
    private final DutyCycle cycle;

    /**
     * @param cycle runs everything
     */
    protected ForwardingCycle(DutyCycle cycle) {
        this.cycle = Objects.requireNonNull(cycle, "cycle");
    }

    @Override
    public long now() {
        return cycle.now();
    }

    @Override
    public long cpuNanos() {
        return cycle.cpuNanos();
    }

    @Override
    public long sleptNanos() {
        return cycle.sleptNanos();
    }

    @Override
    public long lateNanos() {
        return cycle.lateNanos();
    }

    @Override
    public <H extends DatagramHandler> H open(
            InetSocketAddress local, DatagramHandler.Factory<H> maker) throws IOException {
        Objects.requireNonNull(maker, "maker");
        return cycle.open(
                        local,
                        socket ->
                                new ForwardingHandler<>(maker.create(new ForwardingSocket(socket))))
                .handler;
    }

    /** Passes a received datagram to its handler. */
    protected void received(
            DatagramHandler handler, long now, InetSocketAddress from, byte[] data) {
        handler.receive(now, from, data);
    }

    /** Advances a handler; returns its next deadline. */
    protected long advance(DatagramHandler handler, long now) {
        return handler.advance(now);
    }

    /** Sends a handler's datagram through its socket. */
    protected void send(
            UdpSocket socket, InetSocketAddress to, byte[] data, int offset, int length) {
        socket.send(to, data, offset, length);
    }

    @Override
    public void add(Duty duty) {
        cycle.add(duty);
    }

    @Override
    public void report(Object where, Throwable thrown) {
        cycle.report(where, thrown);
    }

    @Override
    public void checkThread(String action) {
        cycle.checkThread(action);
    }

    @Override
    public void execute(Runnable task) {
        cycle.execute(task);
    }

    @Override
    public <T> boolean offload(
            Callable<T> work, Consumer<T> onResult, Consumer<Throwable> onFailure) {
        return cycle.offload(work, onResult, onFailure);
    }

    @Override
    public <T> boolean offloadLong(
            Callable<T> work, Consumer<T> onResult, Consumer<Throwable> onFailure) {
        return cycle.offloadLong(work, onResult, onFailure);
    }

    @Override
    public AutoCloseable serve(InetSocketAddress local, HttpSettings settings, HttpHandler handler)
            throws IOException {
        return cycle.serve(local, settings, handler);
    }

    @Override
    public void fetch(
            HttpFetch request, Consumer<HttpResponse> onResult, Consumer<Throwable> onFailure) {
        cycle.fetch(request, onResult, onFailure);
    }

    @Override
    public LineConnection connect(LineConnection.Target target, LineConnection.Listener listener) {
        return cycle.connect(target, listener);
    }

    @Override
    public void close() {
        cycle.close();
    }

    private final class ForwardingHandler<H extends DatagramHandler> implements DatagramHandler {
        private final H handler;

        ForwardingHandler(H handler) {
            this.handler = Objects.requireNonNull(handler, "the handler that the maker made");
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

    private final class ForwardingSocket implements UdpSocket {
        private final UdpSocket socket;

        ForwardingSocket(UdpSocket socket) {
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

package dev.wishdir.net;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.Callable;
import java.util.function.Consumer;

/** A cycle that another one runs: all goes there, but what a subclass does otherwise. */
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
    public <H extends DatagramHandler> H open(
            InetSocketAddress local, DatagramHandler.Maker<H> maker) throws IOException {
        return cycle.open(local, maker);
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
    public <T> boolean prepare(Callable<T> work, Consumer<T> then, Consumer<Throwable> otherwise) {
        return cycle.prepare(work, then, otherwise);
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
}

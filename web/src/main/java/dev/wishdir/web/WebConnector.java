package dev.wishdir.web;

import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.ManagedSelector;
import org.eclipse.jetty.io.SocketChannelEndPoint;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.Scheduler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Jetty's connector, whose connections are counted by {@link WebConnections}. */
final class WebConnector extends ServerConnector {
    /** What a request whose address asks too often is given, and nothing else. */
    static final String REFUSED = "dev.wishdir.web.refused";

    private static final Logger LOG = LoggerFactory.getLogger(WebConnector.class);
    private static final long SWEEP_MILLIS = 500;
    private static final long ACCEPT_PAUSE_MILLIS = 1000;
    private static final long LINE_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final WebConnections connections;
    private long lineAt = System.nanoTime() - LINE_NANOS;
    private int untold;

    WebConnector(Server server, HttpConfiguration http, WebConnections connections) {
        super(server, 1, 1, new HttpConnectionFactory(http));
        this.connections = connections;
        setAcceptQueueSize(256);
        http.addCustomizer(this::asked);
    }

    private Request asked(Request request, HttpFields.Mutable headers) {
        if (request.getConnectionMetaData().getConnection().getEndPoint()
                instanceof Counted endPoint) {
            if (!connections.asked(System.nanoTime(), endPoint)) {
                request.setAttribute(REFUSED, true);
            }
            Request.addCompletionListener(
                    request, _ -> connections.answered(System.nanoTime(), endPoint));
        }
        return request;
    }

    @Override
    protected void doStart() throws Exception {
        super.doStart();
        sweep();
    }

    private void sweep() {
        connections.sweep(System.nanoTime());
        if (isRunning() || isStarting()) {
            getScheduler().schedule(this::sweep, SWEEP_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    @Override
    protected SocketChannelEndPoint newEndPoint(
            SocketChannel channel, ManagedSelector selector, SelectionKey key) throws IOException {
        Counted endPoint = new Counted(channel, selector, key, getScheduler());
        endPoint.setIdleTimeout(getIdleTimeout());
        return endPoint;
    }

    @Override
    protected void onEndPointOpened(EndPoint endPoint) {
        super.onEndPointOpened(endPoint);
        if (endPoint instanceof Counted counted) {
            connections.opened(System.nanoTime(), counted);
        }
    }

    @Override
    protected void onEndPointClosed(EndPoint endPoint) {
        super.onEndPointClosed(endPoint);
        if (endPoint instanceof Counted counted) {
            connections.closed(counted, counted.upgraded);
        }
    }

    /**
     * Where the process has no file descriptor left, for example: said seldom, and tried again
     * after a while. Called by the one thread that accepts.
     */
    @Override
    protected boolean handleAcceptFailure(Throwable failure) {
        if (!isRunning() || failure instanceof InterruptedException) {
            return false;
        }
        long now = System.nanoTime();
        if (now - lineAt >= LINE_NANOS) {
            LOG.warn(
                    "port {} accepts no connection: {}{}",
                    getLocalPort(),
                    failure.getMessage(),
                    untold == 0 ? "" : " (" + (untold + 1) + " times since the last line)");
            lineAt = now;
            untold = 0;
        } else {
            untold++;
        }
        try {
            Thread.sleep(ACCEPT_PAUSE_MILLIS);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private final class Counted extends SocketChannelEndPoint implements WebConnections.Connection {
        private final InetAddress from;
        private final AtomicLong sent = new AtomicLong();
        private volatile boolean upgraded;
        private volatile boolean blocked;

        Counted(
                SocketChannel channel,
                ManagedSelector selector,
                SelectionKey key,
                Scheduler scheduler)
                throws IOException {
            super(channel, selector, key, scheduler);
            from = ((InetSocketAddress) channel.getRemoteAddress()).getAddress();
        }

        @Override
        public InetAddress from() {
            return from;
        }

        @Override
        public long sent() {
            return sent.get();
        }

        @Override
        public boolean isBlocked() {
            return blocked;
        }

        @Override
        public boolean flush(ByteBuffer... buffers) throws IOException {
            long before = remaining(buffers);
            try {
                return super.flush(buffers);
            } finally {
                long left = remaining(buffers);
                sent.addAndGet(before - left);
                blocked = left > 0;
            }
        }

        private static long remaining(ByteBuffer... buffers) {
            long bytes = 0;
            for (ByteBuffer buffer : buffers) {
                bytes += buffer.remaining();
            }
            return bytes;
        }

        @Override
        public void upgrade(Connection newConnection) {
            upgraded = true;
            connections.upgraded(this);
            super.upgrade(newConnection);
        }
    }
}

package dev.wishdir.web;

import dev.wishdir.net.limit.TokenBucket;

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

/** A connector of Jetty whose connections are limited by {@link WebConnections}. */
final class WebConnector extends ServerConnector {
    /** The attribute of a request that exceeds the rate limit of its address. */
    static final String REFUSED = "dev.wishdir.web.refused";

    private static final Logger LOG = LoggerFactory.getLogger(WebConnector.class);
    private static final long SWEEP_MILLIS = 500;
    private static final long ACCEPT_PAUSE_MILLIS = 1000;

    private final WebConnections connections;
    private final TokenBucket logLimit = new TokenBucket(1, 0.1);

    WebConnector(Server server, HttpConfiguration http, WebConnections connections) {
        super(server, 1, 1, new HttpConnectionFactory(http));
        this.connections = connections;
        setAcceptQueueSize(256);
        http.addCustomizer(this::onRequest);
    }

    private Request onRequest(Request request, HttpFields.Mutable headers) {
        if (request.getConnectionMetaData().getConnection().getEndPoint()
                instanceof LimitedEndPoint endPoint) {
            if (!connections.onRequest(System.nanoTime(), endPoint)) {
                request.setAttribute(REFUSED, true);
            }
            Request.addCompletionListener(
                    request, _ -> connections.onAnswered(System.nanoTime(), endPoint));
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
        LimitedEndPoint endPoint = new LimitedEndPoint(channel, selector, key, getScheduler());
        endPoint.setIdleTimeout(getIdleTimeout());
        return endPoint;
    }

    @Override
    protected void onEndPointOpened(EndPoint endPoint) {
        super.onEndPointOpened(endPoint);
        if (endPoint instanceof LimitedEndPoint counted) {
            connections.onOpened(System.nanoTime(), counted);
        }
    }

    @Override
    protected void onEndPointClosed(EndPoint endPoint) {
        super.onEndPointClosed(endPoint);
        if (endPoint instanceof LimitedEndPoint counted) {
            connections.onClosed(counted, counted.upgraded);
        }
    }

    /**
     * Handles a failure such as no file descriptor left: logs it at most every 10 s, and tries
     * again after a second. Called by the only thread that accepts.
     */
    @Override
    protected boolean handleAcceptFailure(Throwable failure) {
        if (!isRunning() || failure instanceof InterruptedException) {
            return false;
        }
        int before = logLimit.refused();
        if (logLimit.tryAcquire(System.nanoTime())) {
            LOG.warn(
                    "web port {} cannot accept connections: {}{}",
                    getLocalPort(),
                    failure.getMessage(),
                    before == 0 ? "" : " (" + (before + 1) + " times since the last line)");
        }
        try {
            Thread.sleep(ACCEPT_PAUSE_MILLIS);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private final class LimitedEndPoint extends SocketChannelEndPoint
            implements WebConnections.Connection {
        private final InetAddress from;
        private final AtomicLong sent = new AtomicLong();
        private volatile boolean upgraded;
        private volatile boolean blocked;

        LimitedEndPoint(
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
            connections.onUpgraded(this);
            super.upgrade(newConnection);
        }
    }
}

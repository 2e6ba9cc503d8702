package dev.wishdir.cluster.nats;

import dev.wishdir.cluster.bus.Bucket;
import dev.wishdir.cluster.bus.Bus;
import dev.wishdir.cluster.bus.BusCounters;
import dev.wishdir.cluster.bus.BusEvent;

import io.nats.client.Connection;
import io.nats.client.ConnectionListener;
import io.nats.client.Dispatcher;
import io.nats.client.ErrorListener;
import io.nats.client.Message;
import io.nats.client.Nats;
import io.nats.client.Options;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.UnknownHostException;
import java.security.SignatureException;
import java.security.cert.CertPathBuilderException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A bus over NATS, at most once. It connects in the background, and again whenever the connection
 * breaks; meanwhile nothing is buffered and publishing is refused, as an old movement is worse than
 * none. A server that is stopped is noticed within 1.5 s. Only what waited when the connection
 * broke is sent after it is back, at most 256 messages: nodes drop what is old by its age.
 */
public final class NatsBus implements Bus {
    /** A stopped server is noticed by three pings that it does not answer. */
    private static final Duration PING_INTERVAL = Duration.ofMillis(250);

    private static final int MAX_PINGS_OUT = 2;
    private static final Duration RECONNECT_WAIT = Duration.ofMillis(100);
    private static final Duration RECONNECT_JITTER = Duration.ofMillis(50);
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);

    /** Messages that wait for the connection; further ones are dropped. */
    private static final int MAX_OUTGOING_MESSAGES = 256;

    /**
     * Time for which an answer to the server's ping waits for room in a full queue, and publishing
     * for that answer; the least that the client allows.
     */
    private static final Duration MAX_QUEUE_WAIT = Duration.ofMillis(50);

    /** Time for the last messages at the end. */
    private static final Duration FLUSH_TIMEOUT = Duration.ofMillis(500);

    private static final long NOTICE_INTERVAL_NANOS = 10_000_000_000L;
    private static final long NEW_NOTICE_INTERVAL_NANOS = 1_000_000_000L;
    private static final int NO_RESPONDERS = 503;
    private static final int MAX_CAUSE_CHARS = 300;

    private final Set<String> patterns = new LinkedHashSet<>();
    private final AtomicLong sent = new AtomicLong();
    private final AtomicLong received = new AtomicLong();
    private final AtomicLong dropped = new AtomicLong();
    private final AtomicLong sentBytes = new AtomicLong();
    private final AtomicLong receivedBytes = new AtomicLong();
    private final BusQueue queue;
    private final Notices notices = new Notices();
    private volatile @Nullable Connection connection;

    /** The connection that the client is opening, known from its first event on. */
    private volatile @Nullable Connection opening;

    private @Nullable Dispatcher dispatcher;
    private final Map<String, NatsBucket> buckets = new ConcurrentHashMap<>();
    private volatile boolean closed;

    private NatsBus(Runnable wakeUp) {
        queue = new BusQueue(wakeUp);
    }

    /**
     * Begins to connect, and returns at once.
     *
     * @param wakeUp wakes the node's thread; called on a thread of the bus
     * @throws IOException if a file of the settings cannot be read
     */
    public static NatsBus connect(NatsSettings settings, Runnable wakeUp) throws IOException {
        NatsBus bus = new NatsBus(wakeUp);
        Options options = bus.options(settings);
        try {
            Nats.connectAsynchronously(options, true);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while connecting to NATS", e);
        }
        return bus;
    }

    private Options options(NatsSettings settings) throws IOException {
        Options.Builder options =
                Options.builder()
                        .servers(settings.servers().toArray(String[]::new))
                        .connectionName("wishdir")
                        .noEcho()
                        .connectionTimeout(CONNECT_TIMEOUT)
                        .maxReconnects(-1)
                        .reconnectWait(RECONNECT_WAIT)
                        .reconnectJitter(RECONNECT_JITTER)
                        .reconnectJitterTls(RECONNECT_JITTER)
                        .reconnectBufferSize(0)
                        .pingInterval(PING_INTERVAL)
                        .maxPingsOut(MAX_PINGS_OUT)
                        .maxMessagesInOutgoingQueue(MAX_OUTGOING_MESSAGES)
                        .discardMessagesWhenOutgoingQueueFull()
                        .writeQueuePushTimeout(MAX_QUEUE_WAIT)
                        .connectionListener(this::onConnectionEvent)
                        .errorListener(new Errors());
        if (settings.key().isPresent()) {
            options.authHandler(NatsKey.read(settings.key().get()));
        } else if (!settings.user().isEmpty()) {
            options.userInfo(settings.user(), settings.password());
        }
        if (settings.isSecure()) {
            notices.secure(settings.tls().certificate().isPresent());
            options.sslContext(NatsTls.context(settings.tls()));
        }
        return options.build();
    }

    /**
     * Ends the client's attempts after {@link #close}: it goes on for ever, with a thread, where it
     * was closed before its first connection.
     */
    private void onSource(@Nullable Connection source) {
        if (source != null) {
            opening = source;
            if (closed && source.getStatus() != Connection.Status.CLOSED) {
                close(source);
            }
        }
    }

    private void onConnectionEvent(Connection source, ConnectionListener.Events event) {
        switch (event) {
            case CONNECTED, RECONNECTED -> onConnected(source);
            case DISCONNECTED, CLOSED -> notices.disconnected();
            case RESUBSCRIBED, DISCOVERED_SERVERS, LAME_DUCK -> {
                // The subscriptions stand, or another event follows.
            }
        }
        if (event != ConnectionListener.Events.CLOSED) {
            onSource(source);
        }
    }

    private void onConnected(Connection source) {
        synchronized (patterns) {
            connection = source;
            if (dispatcher == null) {
                Dispatcher made = source.createDispatcher(this::onMessage);
                made.setPendingLimits(BusQueue.MAX_EVENTS, BusQueue.MAX_BYTES);
                patterns.forEach(made::subscribe);
                dispatcher = made;
            }
        }
        // Null if the connection is lost again already.
        String url = source.getConnectedUrl();
        notices.connected(url == null ? String.join(",", source.getServers()) : url);
        buckets.values().forEach(NatsBucket::wake);
    }

    /** Only hands over: what takes time here makes all later messages wait. */
    private void onMessage(Message message) {
        if (message.isStatusMessage()) {
            if (message.getStatus().getCode() == NO_RESPONDERS) {
                queue.add(new BusEvent.NoResponders(message.getSubject()));
            }
            return;
        }
        received.incrementAndGet();
        receivedBytes.addAndGet(message.getData().length);
        String replyTo = message.getReplyTo();
        queue.offer(
                new BusEvent.Received(
                        message.getSubject(), replyTo == null ? "" : replyTo, message.getData()));
    }

    @Override
    public void subscribe(String pattern) {
        synchronized (patterns) {
            if (patterns.add(pattern) && dispatcher != null) {
                dispatcher.subscribe(pattern);
            }
        }
    }

    @Override
    public void unsubscribe(String pattern) {
        synchronized (patterns) {
            if (patterns.remove(pattern) && dispatcher != null) {
                dispatcher.unsubscribe(pattern);
            }
        }
    }

    @Override
    public boolean publish(String subject, byte[] data) {
        return publish(subject, null, data, connection);
    }

    @Override
    public boolean publish(String subject, String replyTo, byte[] data) {
        return publish(subject, replyTo, data, connection);
    }

    private boolean publish(
            String subject, @Nullable String replyTo, byte[] data, @Nullable Connection to) {
        if (to == null) {
            dropped.incrementAndGet();
            return false;
        }
        // Counted before, as the client may report at once that it was discarded.
        sent.incrementAndGet();
        sentBytes.addAndGet(data.length);
        try {
            to.publish(subject, replyTo, data);
        } catch (IllegalStateException | IllegalArgumentException e) {
            // Not connected any more, or longer than the server allows.
            onNotSent(data.length);
            return false;
        }
        return true;
    }

    private void onNotSent(int bytes) {
        sent.decrementAndGet();
        sentBytes.addAndGet(-bytes);
        dropped.incrementAndGet();
    }

    @Override
    public @Nullable BusEvent poll() {
        return queue.poll();
    }

    @Override
    public boolean requestWakeUp() {
        return queue.requestWakeUp();
    }

    @Override
    public Bucket bucket(String name) {
        return buckets.computeIfAbsent(name, it -> NatsBucket.open(it, () -> connection));
    }

    @Override
    public long nanos() {
        return System.nanoTime();
    }

    @Override
    public BusCounters counters() {
        return new BusCounters(
                sent.get(),
                received.get(),
                dropped.get(),
                queue.discarded(),
                sentBytes.get(),
                receivedBytes.get());
    }

    /**
     * Sends what was published, for at most half a second, and closes the connection. If the server
     * does not read, that takes the client a second more.
     */
    @Override
    public void close() {
        closed = true;
        buckets.values().forEach(NatsBucket::close);
        Connection open = connection == null ? opening : connection;
        if (open != null) {
            close(open);
        }
    }

    private static void close(Connection open) {
        try {
            if (open.getStatus() == Connection.Status.CONNECTED) {
                open.flush(FLUSH_TIMEOUT);
            }
        } catch (TimeoutException | IllegalStateException e) {
            // The server does not answer, or read.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        try {
            open.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Turns what the client reports, often many times, into events. */
    private final class Notices {
        private boolean connected;
        private boolean first = true;
        private String cause = "";
        private String lastCause = "";

        /** Refusal of the server since it was connected, or since another failure. */
        private String refusal = "";

        /** Meaning of a server that does not answer. */
        private String silence = "the server does not answer";

        private long last;

        /** A server that wants a certificate closes the connection without a word. */
        synchronized void secure(boolean hasCertificate) {
            if (!hasCertificate) {
                silence += ", or wants a certificate of this one";
            }
        }

        synchronized void connected(String server) {
            connected = true;
            cause = "";
            refusal = "";
            queue.add(new BusEvent.Connected(server));
        }

        synchronized void disconnected() {
            if (connected) {
                connected = false;
                add(System.nanoTime());
            }
        }

        synchronized void refused(String why) {
            report(why);
            refusal = cause;
        }

        /** After a refusal the client also waits for the server, in vain. */
        synchronized void timedOut() {
            report(refusal.isEmpty() ? silence : refusal);
        }

        synchronized void failed(String why) {
            refusal = "";
            report(why);
        }

        private void report(String why) {
            cause = why.length() > MAX_CAUSE_CHARS ? why.substring(0, MAX_CAUSE_CHARS) : why;
            long now = System.nanoTime();
            long interval =
                    cause.equals(lastCause) ? NOTICE_INTERVAL_NANOS : NEW_NOTICE_INTERVAL_NANOS;
            boolean due = first || now - last >= interval;
            if (!connected && due) {
                add(now);
            }
        }

        private void add(long now) {
            first = false;
            last = now;
            lastCause = cause.isEmpty() ? "connection closed" : cause;
            if (!closed) {
                queue.add(new BusEvent.Disconnected(lastCause));
            }
        }
    }

    private final class Errors implements ErrorListener {
        @Override
        public void errorOccurred(Connection source, String error) {
            notices.refused(error);
            onSource(source);
        }

        @Override
        public void exceptionOccurred(Connection source, Exception exception) {
            if (exception instanceof TimeoutException) {
                notices.timedOut();
            } else {
                notices.failed(text(exception));
            }
            onSource(source);
        }

        /**
         * Text of a cause that an operator can mend; the client wraps it several times, each with
         * its class.
         */
        private static String text(Exception exception) {
            Throwable root = exception;
            while (root.getCause() != null) {
                root = root.getCause();
            }
            String message = root.getMessage() == null ? root.toString() : root.getMessage();
            if (root instanceof UnknownHostException) {
                return "unknown host " + message;
            }
            if (root instanceof CertPathBuilderException || root instanceof SignatureException) {
                return "the certificate of the server is not of a trusted authority";
            }
            if (message.contains("SSL required by server")) {
                return "the server wants TLS: its address must begin with tls://";
            }
            if (message.contains("SSL connection wanted by client")) {
                return "the server does not speak TLS, which tls:// asks for";
            }
            return message;
        }

        @Override
        public void messageDiscarded(Connection source, Message message) {
            // A ping of the client itself has no subject.
            if (message.getSubject() != null) {
                onNotSent(message.getData().length);
            }
        }
    }
}

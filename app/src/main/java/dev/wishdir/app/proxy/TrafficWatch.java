package dev.wishdir.app.proxy;

import dev.wishdir.game.proxy.ProxiedDatagram;
import dev.wishdir.wire.ExceptionMessage;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

/**
 * A bounded queue of a proxy's datagrams, which its own thread passes to consumers. A slow consumer
 * does not delay the proxy: beyond {@value #MAX_DATAGRAMS} datagrams or {@value #MAX_BYTES} bytes
 * datagrams are not observed, and counted. A consumer that fails gets no more.
 */
final class TrafficWatch implements AutoCloseable {
    /** Maximum number of queued datagrams. */
    static final int MAX_DATAGRAMS = 1 << 16;

    /** Maximum number of queued bytes, of payloads. */
    static final int MAX_BYTES = 32 << 20;

    /** Time without datagrams after which the consumers write what they hold. */
    private static final long IDLE_MILLIS = 1_000;

    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

    private final Object lock = new Object();
    private final Deque<ProxiedDatagram> queue = new ArrayDeque<>();
    private final List<TrafficConsumer> consumers;
    private final Consumer<String> problems;
    private final Thread thread;
    private int queuedBytes;
    private long missed;
    private boolean closed;

    /** Only for the watching thread: the number of the newest datagram. */
    private long frame;

    /** Only for the watching thread. */
    private long defects;

    private volatile boolean failed;

    /**
     * Starts the thread.
     *
     * @param problems takes the reason if a consumer fails, on the thread
     */
    TrafficWatch(List<TrafficConsumer> consumers, Consumer<String> problems) {
        this.consumers = new ArrayList<>(consumers);
        this.problems = problems;
        thread = Thread.ofPlatform().daemon().name("watch").start(this::run);
    }

    /** Queues a datagram; never blocks. */
    void offer(ProxiedDatagram datagram) {
        synchronized (lock) {
            if (closed
                    || queue.size() >= MAX_DATAGRAMS
                    || queuedBytes + datagram.data().length() > MAX_BYTES) {
                missed++;
                return;
            }
            queuedBytes += datagram.data().length();
            queue.add(datagram);
            lock.notifyAll();
        }
    }

    /** Number of datagrams that the consumers did not get. */
    long missed() {
        synchronized (lock) {
            return missed;
        }
    }

    /** Whether a consumer has failed. */
    boolean hasFailed() {
        return failed;
    }

    private void run() {
        try {
            while (!isEnded()) {
                ProxiedDatagram next = poll();
                if (next == null) {
                    consumers.removeIf(consumer -> !goesOn(consumer, consumer::flush));
                } else {
                    frame++;
                    pass(next);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            consumers.forEach(this::close);
        }
    }

    private void pass(ProxiedDatagram datagram) {
        consumers.removeIf(consumer -> !goesOn(consumer, () -> consumer.accept(frame, datagram)));
    }

    private boolean isEnded() {
        synchronized (lock) {
            return queue.isEmpty() && closed;
        }
    }

    /** Waits for a datagram; null if there is none for a second, or after a spurious wake-up. */
    @SuppressWarnings("WaitNotInLoop")
    private @Nullable ProxiedDatagram poll() throws InterruptedException {
        synchronized (lock) {
            if (queue.isEmpty() && !closed) {
                lock.wait(IDLE_MILLIS);
            }
            ProxiedDatagram next = queue.poll();
            queuedBytes -= next == null ? 0 : next.data().length();
            return next;
        }
    }

    /** A call of a consumer. */
    @FunctionalInterface
    private interface Call {
        void run() throws IOException;
    }

    /** Calls a consumer; false if it has failed. */
    private boolean goesOn(TrafficConsumer consumer, Call call) {
        try {
            call.run();
            return true;
        } catch (IOException e) {
            fail(e);
        } catch (UncheckedIOException e) {
            fail(e.getCause() == null ? new IOException(e) : e.getCause());
        } catch (RuntimeException | Error e) {
            // A defect of a dissector: the next datagram may be decoded again.
            if (defects++ == 0) {
                problems.accept(
                        "a defect of wishdir at datagram " + frame + "; please report it: " + e);
            }
            return true;
        }
        close(consumer);
        return false;
    }

    private void close(TrafficConsumer consumer) {
        try {
            consumer.close();
        } catch (IOException e) {
            fail(e);
        }
    }

    private void fail(IOException why) {
        failed = true;
        problems.accept("cannot write: " + ExceptionMessage.of(why));
    }

    /** Lets the consumers use what is queued, for at most 5 s, and closes them. */
    @Override
    public void close() {
        synchronized (lock) {
            closed = true;
            lock.notifyAll();
        }
        try {
            if (!thread.join(CLOSE_TIMEOUT)) {
                synchronized (lock) {
                    missed += queue.size();
                    queue.clear();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

package dev.wishdir.app.log;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A bounded queue of lines, which its own thread writes to a file, a pipe or a standard stream. A
 * slow reader or a full disk does not block callers: at most {@link #MAX_LINES} lines with {@link
 * #MAX_CHARS} characters wait; further lines are lost and counted. Unimportant lines are lost
 * already at half of these limits. A failed write is repeated each second, and its lines wait too.
 */
public final class AsyncLineWriter implements Consumer<String>, AutoCloseable {
    /** Maximum number of queued lines. */
    static final int MAX_LINES = 1 << 14;

    /** Maximum number of queued characters. */
    static final int MAX_CHARS = 8 << 20;

    /** Approximate number of characters in one write. */
    private static final int BATCH_CHARS = 1 << 16;

    private static final Duration RETRY_INTERVAL = Duration.ofSeconds(1);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(3);

    /** Receives failures on the writer's thread, for which it must not wait. */
    public interface Listener {
        /** Reports nothing. */
        Listener NONE =
                new Listener() {
                    @Override
                    public void onFailure(IOException why) {}

                    @Override
                    public void onResumed(long lost) {}
                };

        /** Called once when writing begins to fail. */
        void onFailure(IOException why);

        /**
         * Called when writing succeeds again.
         *
         * @param lost number of lines lost since the last report
         */
        void onResumed(long lost);
    }

    private final Object lock = new Object();
    private final Deque<String> lines = new ArrayDeque<>();
    private final LineSink target;
    private final Listener listener;
    private final Thread thread;
    private int waitingChars;

    /** Whether the last write failed; of the writer's thread. */
    private boolean failing;

    /** Number of lines that were taken from the queue and are neither written nor lost yet. */
    private int writing;

    private long lost;
    private long reported;
    private boolean reopen;
    private boolean closed;

    public AsyncLineWriter(LineSink target) {
        this(target, Listener.NONE);
    }

    public AsyncLineWriter(LineSink target, Listener listener) {
        this.target = target;
        this.listener = listener;
        thread = Thread.ofPlatform().daemon().name("lines").start(this::run);
    }

    /** Queues an important line, given without its line break. */
    @Override
    public void accept(String line) {
        offer(line + '\n', true);
    }

    /**
     * Queues text that ends with a line break.
     *
     * @param important whether it may use the half of the queue that is reserved
     */
    void offer(String text, boolean important) {
        int divisor = important ? 1 : 2;
        synchronized (lock) {
            if (lines.size() + writing >= MAX_LINES / divisor
                    || waitingChars + text.length() > MAX_CHARS / divisor) {
                lost++;
                return;
            }
            lines.add(text);
            waitingChars += text.length();
            lock.notifyAll();
        }
    }

    /** Number of lines lost so far. */
    public long lost() {
        synchronized (lock) {
            return lost;
        }
    }

    /** Reopens the file before the next line, after log rotation has renamed it. */
    public void reopen() {
        synchronized (lock) {
            reopen = true;
            lock.notifyAll();
        }
    }

    private void run() {
        try {
            for (Work work = next(); work.isAny(); work = next()) {
                perform(work);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            try {
                target.close();
            } catch (IOException e) {
                onFailure(e);
            }
        }
    }

    /**
     * Next work of the thread; empty when the queue is closed.
     *
     * @param batch whole lines; may be empty
     */
    private record Work(String batch, boolean reopens) {
        boolean isAny() {
            return reopens || !batch.isEmpty();
        }
    }

    /** Waits for work; returns an empty one when the queue is closed. */
    private Work next() throws InterruptedException {
        synchronized (lock) {
            while (lines.isEmpty() && !closed && !reopen) {
                lock.wait();
            }
            StringBuilder batch = new StringBuilder();
            while (!lines.isEmpty() && batch.length() < BATCH_CHARS) {
                batch.append(lines.remove());
                writing++;
            }
            Work work = new Work(batch.toString(), reopen);
            reopen = false;
            return work;
        }
    }

    private void perform(Work work) throws InterruptedException {
        boolean reopens = work.reopens;
        while (true) {
            try {
                if (reopens) {
                    target.reopen();
                    reopens = false;
                }
                if (!work.batch.isEmpty()) {
                    target.write(work.batch);
                }
                onBatchWritten(work.batch);
                return;
            } catch (IOException e) {
                onFailure(e);
            } catch (RuntimeException | Error e) {
                // A defect must not end the thread: no line would be written any more.
                onFailure(new IOException("defect", e));
            }
            synchronized (lock) {
                if (!awaitRetry()) {
                    lost += writing;
                    releaseBatch(work.batch);
                    return;
                }
                reopens |= reopen;
                reopen = false;
            }
        }
    }

    private void onFailure(IOException why) {
        if (!failing) {
            failing = true;
            listener.onFailure(why);
        }
    }

    /**
     * Waits until the next attempt.
     *
     * @return false if there is none, because the queue is closed
     */
    private boolean awaitRetry() throws InterruptedException {
        long end = System.nanoTime() + RETRY_INTERVAL.toNanos();
        for (long left = RETRY_INTERVAL.toNanos();
                left > 0 && !closed && !reopen;
                left = end - System.nanoTime()) {
            TimeUnit.NANOSECONDS.timedWait(lock, left);
        }
        return !closed;
    }

    private void releaseBatch(String batch) {
        writing = 0;
        waitingChars -= batch.length();
        lock.notifyAll();
    }

    private void onBatchWritten(String batch) {
        boolean failed = failing;
        failing = false;
        long unreported;
        synchronized (lock) {
            releaseBatch(batch);
            unreported = lines.size() < MAX_LINES / 4 ? lost - reported : 0;
            reported += unreported;
        }
        if (failed || unreported > 0) {
            listener.onResumed(unreported);
        }
    }

    /**
     * Waits until all queued lines are written, for at most 3 s.
     *
     * @return whether they are written
     */
    public boolean drain() {
        long end = System.nanoTime() + CLOSE_TIMEOUT.toNanos();
        synchronized (lock) {
            try {
                while (!lines.isEmpty() || writing > 0) {
                    long left = end - System.nanoTime();
                    if (left <= 0) {
                        return false;
                    }
                    TimeUnit.NANOSECONDS.timedWait(lock, left);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
            return true;
        }
    }

    /** Writes the queued lines, for at most 3 s; the rest is lost. */
    @Override
    public void close() {
        synchronized (lock) {
            if (closed) {
                return;
            }
            closed = true;
            lock.notifyAll();
        }
        try {
            if (!thread.join(CLOSE_TIMEOUT)) {
                synchronized (lock) {
                    lost += lines.size() + writing;
                    lines.clear();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

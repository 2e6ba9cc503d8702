package dev.wishdir.app;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Lines on the way to a file, a pipe or a standard stream, written by a thread of the queue. A slow
 * reader or a full disk blocks no caller: at most {@link #MAX_LINES} lines of {@link #MAX_CHARS}
 * characters wait, further ones are lost and counted. What is not important is lost already where
 * half of this waits. What could not be written waits too, and is tried again each second.
 */
final class AsyncLineWriter implements Consumer<String>, AutoCloseable {
    /** The most lines that wait. */
    static final int MAX_LINES = 1 << 14;

    /** The most characters that wait. */
    static final int MAX_CHARS = 8 << 20;

    /** About as many characters as are written at once. */
    private static final int BATCH_CHARS = 1 << 16;

    private static final Duration RETRY = Duration.ofSeconds(1);
    private static final Duration FAREWELL = Duration.ofSeconds(3);

    /** Learns of trouble, on the queue's thread, and must not wait for it. */
    interface Listener {
        /** Reports nothing. */
        Listener NONE =
                new Listener() {
                    @Override
                    public void onFailure(IOException why) {}

                    @Override
                    public void onResumed(long lost) {}
                };

        /** Lines can't be written, and were before; it is reported once. */
        void onFailure(IOException why);

        /**
         * Lines are written again.
         *
         * @param lost how many were lost since it was reported last
         */
        void onResumed(long lost);
    }

    private final Object lock = new Object();
    private final Deque<String> lines = new ArrayDeque<>();
    private final LineSink target;
    private final Listener listener;
    private final Thread thread;
    private int waitingChars;

    /** Lines that were taken from the queue, and are neither written nor lost yet. */
    private int writing;

    private long lost;
    private long reported;
    private boolean reopen;
    private boolean closed;

    AsyncLineWriter(LineSink target) {
        this(target, Listener.NONE);
    }

    AsyncLineWriter(LineSink target, Listener listener) {
        this.target = target;
        this.listener = listener;
        thread = Thread.ofPlatform().daemon().name("lines").start(this::run);
    }

    /** Takes an important line, without its end. */
    @Override
    public void accept(String line) {
        offer(line + '\n', true);
    }

    /**
     * Takes a text, as a line with its end.
     *
     * @param important whether it may have the room that is kept from what floods
     */
    void offer(String text, boolean important) {
        int part = important ? 1 : 2;
        synchronized (lock) {
            if (lines.size() + writing >= MAX_LINES / part
                    || waitingChars + text.length() > MAX_CHARS / part) {
                lost++;
                return;
            }
            lines.add(text);
            waitingChars += text.length();
            lock.notifyAll();
        }
    }

    /** How many lines were lost so far. */
    long lost() {
        synchronized (lock) {
            return lost;
        }
    }

    /** Opens the file anew before the next line: what rotates logs has renamed the old one. */
    void reopen() {
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
                listener.onFailure(e);
            }
        }
    }

    /**
     * What the thread does next.
     *
     * @param batch whole lines; may be empty
     */
    private record Work(String batch, boolean reopens) {
        boolean isAny() {
            return reopens || !batch.isEmpty();
        }
    }

    /** Waits for work; there is none at the end. */
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
        boolean failing = false;
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
                written(work.batch, failing);
                return;
            } catch (IOException e) {
                if (!failing) {
                    failing = true;
                    listener.onFailure(e);
                }
            }
            synchronized (lock) {
                if (!awaitRetry()) {
                    lost += writing;
                    done(work.batch);
                    return;
                }
                reopens |= reopen;
                reopen = false;
            }
        }
    }

    /**
     * @return false where there is no further try
     */
    private boolean awaitRetry() throws InterruptedException {
        long end = System.nanoTime() + RETRY.toNanos();
        for (long left = RETRY.toNanos();
                left > 0 && !closed && !reopen;
                left = end - System.nanoTime()) {
            TimeUnit.NANOSECONDS.timedWait(lock, left);
        }
        return !closed;
    }

    private void done(String batch) {
        writing = 0;
        waitingChars -= batch.length();
        lock.notifyAll();
    }

    private void written(String batch, boolean failed) {
        long unreported;
        synchronized (lock) {
            done(batch);
            unreported = lines.size() < MAX_LINES / 4 ? lost - reported : 0;
            reported += unreported;
        }
        if (failed || unreported > 0) {
            listener.onResumed(unreported);
        }
    }

    /**
     * Waits until all lines that wait are written.
     *
     * @return whether they are; false if the reader takes nothing for some seconds
     */
    boolean drain() {
        long end = System.nanoTime() + FAREWELL.toNanos();
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

    /** Writes what waits; gives up on a reader that takes nothing for some seconds. */
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
            if (!thread.join(FAREWELL)) {
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

package dev.wishdir.app;

import org.jspecify.annotations.Nullable;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Lines on their way to a file or pipe, written by a thread of their own: whoever reads them slowly
 * holds nobody up. Where {@link #CAPACITY} lines wait, the next ones are lost, and counted.
 */
final class LineQueue implements Consumer<String>, AutoCloseable {
    /** The most lines that wait. */
    static final int CAPACITY = 1 << 14;

    private static final Duration FAREWELL = Duration.ofSeconds(3);

    private final BlockingQueue<String> lines = new ArrayBlockingQueue<>(CAPACITY);
    private final AtomicLong lost = new AtomicLong();
    private final PrintWriter out;
    private final Thread thread;
    private volatile boolean closed;

    LineQueue(PrintWriter out) {
        this.out = out;
        thread = Thread.ofPlatform().daemon().name("lines").start(this::write);
    }

    @Override
    public void accept(String line) {
        if (!lines.offer(line)) {
            lost.incrementAndGet();
        }
    }

    /** Lines that nobody will see. */
    long lost() {
        return lost.get();
    }

    private void write() {
        try {
            while (true) {
                boolean last = closed;
                @Nullable String line = lines.poll(100, TimeUnit.MILLISECONDS);
                if (line != null) {
                    out.write(line + '\n');
                } else if (last) {
                    break;
                }
                if (lines.isEmpty()) {
                    out.flush();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            out.flush();
        }
    }

    /** Writes what waits; gives up on a reader that takes nothing for some seconds. */
    @Override
    public void close() {
        closed = true;
        try {
            if (!thread.join(FAREWELL)) {
                lost.addAndGet(lines.size());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

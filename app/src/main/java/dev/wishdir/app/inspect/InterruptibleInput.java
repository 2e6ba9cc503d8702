package dev.wishdir.app.inspect;

import dev.wishdir.app.command.ShutdownSignal;
import dev.wishdir.wire.Bytes;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * An input stream that also ends when the program is asked to end, and that runs a callback before
 * a read has to wait.
 */
final class InterruptibleInput extends InputStream {
    private static final int BUFFER_BYTES = 1 << 16;

    /** The result of one read; without bytes at the end of the stream. */
    private record Chunk(Bytes bytes, @Nullable IOException failure) {}

    private final BlockingQueue<Chunk> chunks = new ArrayBlockingQueue<>(16);
    private final InputStream in;
    private final ShutdownSignal shutdown;
    private final Runnable beforeWait;
    private Chunk current = new Chunk(Bytes.EMPTY, null);
    private int at;
    private boolean ended;

    /**
     * @param beforeWait runs before a read that has to wait
     */
    InterruptibleInput(InputStream in, ShutdownSignal shutdown, Runnable beforeWait) {
        this.in = in;
        this.shutdown = shutdown;
        this.beforeWait = beforeWait;
        Thread.ofPlatform().daemon().name("standard input").start(this::pump);
    }

    private void pump() {
        byte[] buffer = new byte[BUFFER_BYTES];
        try {
            while (true) {
                Chunk chunk;
                try {
                    int read = in.read(buffer);
                    chunk = new Chunk(Bytes.wrap(Arrays.copyOf(buffer, Math.max(0, read))), null);
                } catch (IOException e) {
                    chunk = new Chunk(Bytes.EMPTY, e);
                }
                chunks.put(chunk);
                if (chunk.bytes.length() == 0) {
                    return;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] to, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        if (at == current.bytes.length() && !next()) {
            return -1;
        }
        int count = Math.min(length, current.bytes.length() - at);
        current.bytes.slice(at, count).copyTo(to, offset);
        at += count;
        return count;
    }

    @Override
    public int available() {
        return current.bytes.length() - at;
    }

    private boolean next() throws IOException {
        if (!ended && chunks.isEmpty()) {
            beforeWait.run();
        }
        while (!ended) {
            Chunk chunk = poll();
            if (chunk != null) {
                if (chunk.failure != null) {
                    throw chunk.failure;
                }
                current = chunk;
                at = 0;
                ended = chunk.bytes.length() == 0;
                return !ended;
            }
            ended = shutdown.isRequested();
        }
        return false;
    }

    private @Nullable Chunk poll() throws IOException {
        try {
            return chunks.poll(100, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }
}

package dev.wishdir.app;

import dev.wishdir.wire.Bytes;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Standard input of which the end is not known: whoever reads it is told before he has to wait, and
 * it ends when the program is asked to end, not only when who writes it does.
 */
final class InterruptibleInput extends InputStream {
    private static final int PIECE = 1 << 16;

    /** What came with one read; of no bytes at the end. */
    private record Piece(Bytes bytes, @Nullable IOException failure) {}

    private final BlockingQueue<Piece> pieces = new ArrayBlockingQueue<>(16);
    private final InputStream in;
    private final ShutdownSignal shutdown;
    private final Runnable waiting;
    private Piece current = new Piece(Bytes.EMPTY, null);
    private int at;
    private boolean over;

    /**
     * @param waiting is run before a read that has to wait
     */
    InterruptibleInput(InputStream in, ShutdownSignal shutdown, Runnable waiting) {
        this.in = in;
        this.shutdown = shutdown;
        this.waiting = waiting;
        Thread.ofPlatform().daemon().name("standard input").start(this::pump);
    }

    private void pump() {
        byte[] buffer = new byte[PIECE];
        try {
            while (true) {
                Piece piece;
                try {
                    int read = in.read(buffer);
                    piece = new Piece(Bytes.wrap(Arrays.copyOf(buffer, Math.max(0, read))), null);
                } catch (IOException e) {
                    piece = new Piece(Bytes.EMPTY, e);
                }
                pieces.put(piece);
                if (piece.bytes.length() == 0) {
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
        if (!over && pieces.isEmpty()) {
            waiting.run();
        }
        while (!over) {
            Piece piece = poll();
            if (piece != null) {
                if (piece.failure != null) {
                    throw piece.failure;
                }
                current = piece;
                at = 0;
                over = piece.bytes.length() == 0;
                return !over;
            }
            over = shutdown.asked();
        }
        return false;
    }

    private @Nullable Piece poll() throws IOException {
        try {
            return pieces.poll(100, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }
}

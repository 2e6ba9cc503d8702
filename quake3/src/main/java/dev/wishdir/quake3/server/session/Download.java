package dev.wishdir.quake3.server.session;

import dev.wishdir.quake3.message.ServerMessage;
import dev.wishdir.wire.Bytes;

import org.jspecify.annotations.Nullable;

/**
 * An in-band download of one client, as blocks with a sliding window, or its refusal. A client has
 * at most one; blocks are slices of the file, which all clients share. A pure state machine. Quake
 * III, downloads.
 */
final class Download {
    /** Maximum number of blocks in flight, as in the game. */
    static final int MAX_WINDOW = 48;

    /** Window in blocks before the first acknowledgement, and the smallest one. */
    static final int MIN_WINDOW = 4;

    private static final long RETRY_NANOS = 1_000_000_000L;

    /** Time in which a client must acknowledge the next block; in the game 200 s. */
    private static final long ACK_TIMEOUT_NANOS = 30_000_000_000L;

    private final Bytes file;
    private final String refusal;
    private final int blocks;
    private int acknowledged;

    /** Blocks that may be in flight: one more with each acknowledgement, half after a loss. */
    private int window = MIN_WINDOW;

    private int next;
    private int sent;
    private long lastProgress;
    private long lastAck;

    /**
     * @param file shared by all clients that download it
     */
    Download(Bytes file, long now) {
        this(file, "", now);
    }

    private Download(Bytes file, String refusal, long now) {
        this.file = file;
        this.refusal = refusal;
        // The block after the last is empty: it ends the file.
        blocks =
                (file.length() + ServerMessage.Download.BLOCK - 1) / ServerMessage.Download.BLOCK
                        + 1;
        lastProgress = now;
        lastAck = now;
    }

    /** A refused download, with the text that the client shows. */
    static Download refused(String why, long now) {
        return new Download(Bytes.EMPTY, why, now);
    }

    /** Whether a file is sent, rather than a refusal; another request does not restart it. */
    boolean isFile() {
        return refusal.isEmpty();
    }

    /** Handles an acknowledgement. Returns false if it is not that of the next block. */
    boolean acknowledge(long now, int block) {
        if (block != (acknowledged & 0xFFFF) || acknowledged >= sent) {
            return false;
        }
        acknowledged++;
        window = Math.min(MAX_WINDOW, window + 1);
        next = Math.max(next, acknowledged);
        lastProgress = now;
        lastAck = now;
        return true;
    }

    /** Whether the client has not acknowledged a block within {@link #ACK_TIMEOUT_NANOS}. */
    boolean isNotAcknowledging(long now) {
        return now - lastAck > ACK_TIMEOUT_NANOS;
    }

    boolean isFinished() {
        return isFile() ? acknowledged >= blocks : next > 0;
    }

    /** The next block to send; null while the window is full. */
    ServerMessage.@Nullable Download next(long now) {
        if (!isFile()) {
            next++;
            return new ServerMessage.Download(0, -1, refusal, Bytes.EMPTY);
        }
        if (now - lastProgress > RETRY_NANOS) {
            next = acknowledged;
            window = Math.max(MIN_WINDOW, window / 2);
            lastProgress = now;
        }
        if (next >= blocks || next - acknowledged >= window) {
            return null;
        }
        int from = next * ServerMessage.Download.BLOCK;
        int length = Math.clamp(file.length() - from, 0, ServerMessage.Download.BLOCK);
        Bytes data = length == 0 ? Bytes.EMPTY : file.slice(from, length);
        int block = next++;
        sent = Math.max(sent, next);
        return new ServerMessage.Download(block & 0xFFFF, block == 0 ? file.length() : 0, "", data);
    }
}

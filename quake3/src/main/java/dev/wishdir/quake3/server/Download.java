package dev.wishdir.quake3.server;

import dev.wishdir.quake3.message.ServerMessage;
import dev.wishdir.wire.Bytes;

import org.jspecify.annotations.Nullable;

/**
 * The answer to a client that asks for a file, the file in blocks or a refusal: Quake III,
 * downloads. A client has one at a time; blocks are cut when they are sent, the file's bytes are
 * shared with all others who fetch it. A pure state machine.
 */
final class Download {
    /** How many blocks may be on their way at most: as in the game. */
    static final int MAX_WINDOW = 48;

    /** How many blocks may be on their way to a client that has acknowledged none. */
    static final int MIN_WINDOW = 4;

    private static final long RETRY_NANOS = 1_000_000_000L;

    /** How long a client may go without acknowledging the next block; the game itself: 200 s. */
    private static final long ACK_TIMEOUT_NANOS = 30_000_000_000L;

    private final Bytes file;
    private final String refusal;
    private final int blocks;
    private int acknowledged;

    /** How many blocks may be on their way: one more with each acknowledged, half after a loss. */
    private int window = MIN_WINDOW;

    private int next;
    private int sent;
    private long progress;
    private long heard;

    /**
     * A file.
     *
     * @param file shared by all who are sent it
     */
    Download(Bytes file, long now) {
        this(file, "", now);
    }

    private Download(Bytes file, String refusal, long now) {
        this.file = file;
        this.refusal = refusal;
        // The block after the last is empty: it says that the file is whole.
        blocks =
                (file.length() + ServerMessage.Download.BLOCK - 1) / ServerMessage.Download.BLOCK
                        + 1;
        progress = now;
        heard = now;
    }

    /** The refusal of a file, with what the client's game shows. */
    static Download refused(String why, long now) {
        return new Download(Bytes.EMPTY, why, now);
    }

    /** Whether it is a file: the one of the level, which is not begun again by asking again. */
    boolean isFile() {
        return refusal.isEmpty();
    }

    /** The client has a block. Returns false where that is not the one that it must have next. */
    boolean acknowledge(long now, int block) {
        if (block != (acknowledged & 0xFFFF) || acknowledged >= sent) {
            return false;
        }
        acknowledged++;
        window = Math.min(MAX_WINDOW, window + 1);
        next = Math.max(next, acknowledged);
        progress = now;
        heard = now;
        return true;
    }

    /** Whether the client has acknowledged no block for so long that it must be sent away. */
    boolean isNotAcknowledging(long now) {
        return now - heard > ACK_TIMEOUT_NANOS;
    }

    boolean finished() {
        return isFile() ? acknowledged >= blocks : next > 0;
    }

    /** The next block to send; null while the client's answers are awaited. */
    ServerMessage.@Nullable Download next(long now) {
        if (!isFile()) {
            next++;
            return new ServerMessage.Download(0, -1, refusal, Bytes.EMPTY);
        }
        if (now - progress > RETRY_NANOS) {
            next = acknowledged;
            window = Math.max(MIN_WINDOW, window / 2);
            progress = now;
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

package dev.wishdir.quake3;

import dev.wishdir.quake3.message.ServerMessage;
import dev.wishdir.wire.Bytes;

import org.jspecify.annotations.Nullable;

/**
 * The answer to a client that asks for a file, the file in blocks or a refusal: Quake III,
 * downloads. A client has one at a time. A pure state machine.
 */
final class Download {
    /** How many blocks may be on their way. */
    private static final int WINDOW = 48;

    private static final long RETRY = 1_000_000_000L;

    /** Blocks that nobody acknowledges are repeated after 1, 2, 4 ... 2^4 seconds. */
    private static final int SLOWER = 4;

    private final Bytes file;
    private final String refusal;
    private final int blocks;
    private int acknowledged;
    private int next;
    private int retries;
    private long progress;

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
    }

    /** The refusal of a file, with what the client's game shows. */
    static Download refused(String why, long now) {
        return new Download(Bytes.EMPTY, why, now);
    }

    /** The client has a block. Returns false where that is not the one that it must have next. */
    boolean acknowledge(long now, int block) {
        if (block != (acknowledged & 0xFFFF) || acknowledged >= next) {
            return false;
        }
        acknowledged++;
        retries = 0;
        progress = now;
        return true;
    }

    /** Whether nothing is left to be sent or awaited. */
    boolean finished() {
        return refusal.isEmpty() ? acknowledged >= blocks : next > 0;
    }

    /** The next block to send; null while the client's answers are awaited. */
    ServerMessage.@Nullable Download next(long now) {
        if (!refusal.isEmpty()) {
            next++;
            return new ServerMessage.Download(0, -1, refusal, Bytes.EMPTY);
        }
        if (now - progress > RETRY << retries) {
            retries = Math.min(retries + 1, SLOWER);
            next = acknowledged;
            progress = now;
        }
        if (next >= blocks || next - acknowledged >= WINDOW) {
            return null;
        }
        int from = next * ServerMessage.Download.BLOCK;
        int length = Math.clamp(file.length() - from, 0, ServerMessage.Download.BLOCK);
        Bytes data = length == 0 ? Bytes.EMPTY : file.slice(from, length);
        return new ServerMessage.Download(next & 0xFFFF, next++ == 0 ? file.length() : 0, "", data);
    }
}

package dev.wishdir.quake2.server;

import dev.wishdir.quake2.message.ServerMessage.Download;
import dev.wishdir.wire.Bytes;

import java.util.Optional;

/**
 * A file on its way to a client, block after block as it asks. However often it asks, one block is
 * owed to it; the file's bytes are shared with all others who fetch it.
 *
 * <p>See docs/protocols/quake2.md, 5.
 */
final class FileTransfer {
    private static final int MAX_BLOCK_BYTES = 1024;

    private Bytes file = Bytes.EMPTY;
    private int sent;
    private boolean asked;

    /**
     * Begins with a file.
     *
     * @param offset how much of it the client has
     */
    void start(Bytes file, int offset) {
        this.file = file;
        sent = offset;
        asked = true;
    }

    void stop() {
        file = Bytes.EMPTY;
    }

    /** The client wants the next block. */
    void ask() {
        asked = true;
    }

    /** The next block; empty if none was asked for, or there is no file on its way. */
    Optional<Download> next() {
        if (!asked || file.length() == 0) {
            return Optional.empty();
        }
        asked = false;
        int size = Math.min(MAX_BLOCK_BYTES, file.length() - sent);
        Bytes block = file.slice(sent, size);
        sent += size;
        int percent = (int) (100L * sent / file.length());
        if (sent == file.length()) {
            stop();
        }
        return Optional.of(new Download(size, percent, block));
    }
}

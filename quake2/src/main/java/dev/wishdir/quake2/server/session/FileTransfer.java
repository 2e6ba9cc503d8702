package dev.wishdir.quake2.server.session;

import dev.wishdir.quake2.message.ServerMessage.Download;
import dev.wishdir.wire.Bytes;

import java.util.Optional;

/**
 * A file download of one client, one block per request. However often it requests, at most one
 * block is pending; the file's bytes are shared by all downloads.
 *
 * <p>See docs/protocols/quake2.md, 5.
 */
public final class FileTransfer {
    private static final int MAX_BLOCK_BYTES = 1024;

    private Bytes file = Bytes.EMPTY;
    private int sent;
    private boolean requested;

    /**
     * Starts with a file.
     *
     * @param offset bytes that the client already has
     */
    public void start(Bytes file, int offset) {
        this.file = file;
        sent = offset;
        requested = true;
    }

    public void stop() {
        file = Bytes.EMPTY;
    }

    /** Requests the next block. */
    public void request() {
        requested = true;
    }

    /** The next block; empty if none is requested or there is no file. */
    public Optional<Download> next() {
        if (!requested || file.length() == 0) {
            return Optional.empty();
        }
        requested = false;
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

package dev.wishdir.web;

import io.javalin.http.Context;
import io.javalin.http.HttpStatus;

import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** A file that is sent whole or in one byte range, without ever being in memory as a whole. */
final class RangedFile {
    private static final int BUFFER_BYTES = 64 << 10;

    private final Path file;
    private final String contentType;

    RangedFile(Path file, String contentType) {
        this.file = file;
        this.contentType = contentType;
    }

    /**
     * Answers a GET or HEAD.
     *
     * @throws IOException if the file cannot be read, or became shorter meanwhile
     */
    void answer(Context context) throws IOException {
        context.disableCompression();
        context.header("Accept-Ranges", "bytes");
        // Ranges of a large file would fill the browser's cache.
        context.header("Cache-Control", "no-store");
        context.contentType(contentType);
        try (SeekableByteChannel channel = Files.newByteChannel(file)) {
            long size = channel.size();
            boolean isHead = context.req().getMethod().equals("HEAD");
            Optional<ByteRange> asked =
                    isHead ? Optional.empty() : ByteRange.parse(context.header("Range"), size);
            if (asked.isPresent() && !asked.get().isSatisfiable()) {
                context.status(HttpStatus.RANGE_NOT_SATISFIABLE);
                context.header("Content-Range", "bytes */" + size);
                context.contentType("text/plain").result("the file has " + size + " bytes");
                return;
            }
            ByteRange part = asked.orElse(new ByteRange(0, size));
            if (asked.isPresent()) {
                context.status(HttpStatus.PARTIAL_CONTENT);
                context.header(
                        "Content-Range",
                        "bytes " + part.from() + "-" + (part.to() - 1) + "/" + size);
            }
            context.header("Content-Length", Long.toString(part.to() - part.from()));
            if (!isHead) {
                copy(channel, part, context.outputStream());
            }
        }
    }

    private void copy(SeekableByteChannel channel, ByteRange part, OutputStream out)
            throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
        channel.position(part.from());
        for (long left = part.to() - part.from(); left > 0; left -= buffer.limit()) {
            buffer.clear().limit((int) Math.min(left, BUFFER_BYTES));
            while (buffer.hasRemaining()) {
                if (channel.read(buffer) < 0) {
                    throw new EOFException(file + " has become shorter while it was sent");
                }
            }
            out.write(buffer.array(), 0, buffer.limit());
        }
    }
}

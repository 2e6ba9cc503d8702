package dev.wishdir.web;

import io.javalin.http.Context;
import io.javalin.http.HttpStatus;

import org.jspecify.annotations.Nullable;

import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A file that is sent whole or in one byte range, without ever being in memory as a whole. */
public final class RangedFile {
    private static final int BUFFER_BYTES = 64 << 10;

    private final Path file;
    private final String contentType;

    public RangedFile(Path file, String contentType) {
        this.file = file;
        this.contentType = contentType;
    }

    /**
     * The part of a file that a request asks for in its header {@code Range} (RFC 9110, 14.1.2).
     *
     * @param from first byte
     * @param to the byte after the last one; not above {@code from} if the file has none of the
     *     bytes
     */
    private record ByteRange(long from, long to) {
        private static final Pattern ONE = Pattern.compile("bytes=\\s*(\\d*)-(\\d*)\\s*");

        /** Longer numbers are beyond the end of any file. */
        private static final int MAX_DIGITS = 18;

        /**
         * Parses the header.
         *
         * @param header null if the request has none
         * @param size the file's, bytes
         * @return empty if the whole file is to be sent: without a header, or for one with several
         *     ranges or another syntax, which a server may ignore
         */
        static Optional<ByteRange> parse(@Nullable String header, long size) {
            Matcher typed = ONE.matcher(header == null ? "" : header);
            if (!typed.matches() || typed.group(1).isEmpty() && typed.group(2).isEmpty()) {
                return Optional.empty();
            }
            if (typed.group(1).isEmpty()) {
                return Optional.of(new ByteRange(Math.max(0, size - number(typed.group(2))), size));
            }
            long first = number(typed.group(1));
            long last = typed.group(2).isEmpty() ? Long.MAX_VALUE - 1 : number(typed.group(2));
            return last < first
                    ? Optional.empty()
                    : Optional.of(new ByteRange(first, Math.min(last + 1, size)));
        }

        private static long number(String digits) {
            return digits.length() > MAX_DIGITS ? Long.MAX_VALUE - 1 : Long.parseLong(digits);
        }

        /** Whether the file has at least one of the bytes. */
        boolean isSatisfiable() {
            return from < to;
        }
    }

    /**
     * Answers a GET or HEAD.
     *
     * @throws IOException if the file cannot be read, or became shorter meanwhile
     */
    public void answer(Context context) throws IOException {
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

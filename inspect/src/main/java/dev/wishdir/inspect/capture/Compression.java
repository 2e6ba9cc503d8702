package dev.wishdir.inspect.capture;

import dev.wishdir.wire.ExceptionMessage;
import dev.wishdir.wire.GzipInput;

import io.airlift.compress.v3.bzip2.BZip2HadoopStreams;
import io.airlift.compress.v3.zstd.ZstdInputStream;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Optional;

/** A compression format of files, recognised by the file's first bytes. */
public enum Compression {
    GZIP(0x1F8B, 2) {
        @Override
        InputStream open(InputStream in) throws IOException {
            return new GzipInput(in);
        }
    },
    ZSTD(0x28B52FFD, 4) {
        @Override
        InputStream open(InputStream in) {
            return new ZstdInputStream(in);
        }
    },
    BZIP2(0x425A68, 3) {
        @Override
        InputStream open(InputStream in) throws IOException {
            return new BZip2HadoopStreams().createInputStream(in);
        }
    };

    /** Maximum nesting: sites compress demos that are compressed already. */
    static final int MAX_LAYERS = 4;

    private static final int BUFFER_BYTES = 1 << 16;

    /**
     * Maximum uncompressed size of a layer: one of terabytes may have nothing in it for the next.
     * More than is read of a capture, 1 GiB, of which the message says what to do.
     */
    private static final long MAX_LAYER_BYTES = (1L << 30) + (1 << 20);

    private final int magic;
    private final int magicBytes;

    Compression(int magic, int magicBytes) {
        this.magic = magic;
        this.magicBytes = magicBytes;
    }

    /** The first bytes of a compressed file. */
    byte[] start() {
        byte[] start = new byte[magicBytes];
        for (int i = 0; i < magicBytes; i++) {
            start[i] = (byte) (magic >>> 8 * (magicBytes - 1 - i));
        }
        return start;
    }

    abstract InputStream open(InputStream in) throws IOException;

    /** The compression format of a file; empty if it is not compressed. */
    private static Optional<Compression> of(BufferedInputStream in) throws IOException {
        in.mark(Integer.BYTES);
        byte[] file = in.readNBytes(Integer.BYTES);
        in.reset();
        for (Compression each : values()) {
            byte[] start = each.start();
            if (Arrays.mismatch(start, file) == start.length || Arrays.equals(start, file)) {
                return Optional.of(each);
            }
        }
        return Optional.empty();
    }

    /**
     * An uncompressed file.
     *
     * @param compressed whether it was compressed
     */
    record Unpacked(BufferedInputStream in, boolean compressed) {}

    /**
     * Decompresses a file while it is read. The stream throws an {@link EOFException} if the
     * compressed file is truncated, and a {@link DamagedException} if it is damaged.
     */
    static Unpacked unpack(InputStream stream) throws IOException {
        BufferedInputStream in = new BufferedInputStream(stream, BUFFER_BYTES);
        boolean compressed = false;
        for (int layer = 0; layer < MAX_LAYERS; layer++) {
            Optional<Compression> compression = of(in);
            if (compression.isEmpty()) {
                break;
            }
            in = new BufferedInputStream(new Content(compression.get(), in), BUFFER_BYTES);
            compressed = true;
        }
        return new Unpacked(in, compressed);
    }

    /** Thrown if a compressed file is malformed. */
    static final class DamagedException extends IOException {
        private static final long serialVersionUID = 1;

        private DamagedException(String problem, Exception cause) {
            super(problem, cause);
        }
    }

    /** Wraps an exception of the file system, to tell it from one of the decoder. */
    private static final class SourceException extends IOException {
        private static final long serialVersionUID = 1;

        SourceException(IOException cause) {
            super(cause);
        }
    }

    /** Wraps the exceptions of the source. */
    private static final class Source extends FilterInputStream {
        Source(InputStream in) {
            super(in);
        }

        @Override
        public int read() throws IOException {
            try {
                return in.read();
            } catch (IOException e) {
                throw new SourceException(e);
            }
        }

        @Override
        public int read(byte[] into, int from, int count) throws IOException {
            try {
                return in.read(into, from, count);
            } catch (IOException e) {
                throw new SourceException(e);
            }
        }
    }

    /** The content of a compressed file. */
    private static final class Content extends InputStream {
        private final Compression compression;
        private final InputStream source;
        private final InputStream content;
        private long bytes;

        Content(Compression compression, InputStream source) throws IOException {
            this.compression = compression;
            this.source = source;
            try {
                content = compression.open(new Source(source));
            } catch (IOException | RuntimeException e) {
                throw failure(e);
            }
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int read(byte[] into, int from, int count) throws IOException {
            try {
                int read = content.read(into, from, count);
                bytes += Math.max(0, read);
                if (bytes > MAX_LAYER_BYTES) {
                    throw new IOException("has more than " + MAX_LAYER_BYTES + " bytes of content");
                }
                return read;
            } catch (IOException | RuntimeException e) {
                throw failure(e);
            }
        }

        /** Converts exceptions, as the decoders throw all kinds, some of them without a message. */
        private IOException failure(Exception e) {
            return switch (e) {
                case SourceException s when s.getCause() instanceof IOException cause -> cause;
                case EOFException eof -> eof;
                default ->
                        new DamagedException(
                                compression.name().toLowerCase(java.util.Locale.ROOT)
                                        + ": "
                                        + ExceptionMessage.of(e),
                                e);
            };
        }

        @Override
        public int available() throws IOException {
            return 0;
        }

        @Override
        public void close() throws IOException {
            source.close();
        }
    }
}

package dev.wishdir.app;

import org.jspecify.annotations.Nullable;

import java.io.BufferedWriter;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;

/** Standard output in UTF-8, whatever the locale says, that keeps why it could not be written. */
final class StandardOutput extends PrintWriter {
    /** The stream below, with its first failure, which a {@link PrintWriter} drops. */
    private static final class Stream extends FilterOutputStream {
        private volatile @Nullable IOException failure;

        Stream(OutputStream out) {
            super(out);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            try {
                out.write(bytes, offset, length);
            } catch (IOException e) {
                if (failure == null) {
                    failure = e;
                }
                throw e;
            }
        }
    }

    private final Stream stream;

    StandardOutput(OutputStream out) {
        this(new Stream(out));
    }

    private StandardOutput(Stream stream) {
        super(new BufferedWriter(new OutputStreamWriter(stream, StandardCharsets.UTF_8)));
        this.stream = stream;
    }

    /** The stream below, for lines that a thread of its own writes. */
    OutputStream stream() {
        return stream;
    }

    /**
     * Why what was printed is not all written, in a few words; empty where it is, or where the
     * reader has closed its pipe, as {@code head} does.
     */
    static String failure(PrintWriter out) {
        if (!out.checkError()) {
            return "";
        }
        IOException failure = out instanceof StandardOutput o ? o.stream.failure : null;
        String why = failure == null ? "cannot write" : String.valueOf(failure.getMessage());
        return why.equals("Broken pipe") ? "" : why;
    }
}

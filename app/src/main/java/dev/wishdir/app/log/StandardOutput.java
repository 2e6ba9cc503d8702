package dev.wishdir.app.log;

import org.jspecify.annotations.Nullable;

import java.io.BufferedWriter;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;

/** Standard output in UTF-8, regardless of the locale, that remembers why a write failed. */
public final class StandardOutput extends PrintWriter {
    /** The underlying stream, with its first failure, which a {@link PrintWriter} discards. */
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

    public StandardOutput(OutputStream out) {
        this(new Stream(out));
    }

    private StandardOutput(Stream stream) {
        super(new BufferedWriter(new OutputStreamWriter(stream, StandardCharsets.UTF_8)));
        this.stream = stream;
    }

    /** The underlying stream, for lines that another thread writes. */
    OutputStream stream() {
        return stream;
    }

    /**
     * The first failure, in a few words; empty if there was none, or if the reader has closed its
     * pipe, as {@code head} does.
     */
    public static String failure(PrintWriter out) {
        if (!out.checkError()) {
            return "";
        }
        IOException failure = out instanceof StandardOutput o ? o.stream.failure : null;
        String why = failure == null ? "cannot write" : String.valueOf(failure.getMessage());
        return why.equals("Broken pipe") ? "" : why;
    }
}

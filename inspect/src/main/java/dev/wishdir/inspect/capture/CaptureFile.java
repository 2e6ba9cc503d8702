package dev.wishdir.inspect.capture;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/**
 * A file that is a capture, or else a recording of a game, read once and in order: also a pipe.
 *
 * <p>Closes its stream.
 */
public final class CaptureFile implements AutoCloseable {
    private final InputStream stream;
    private final Optional<CaptureInput> content;
    private final Optional<CaptureException> damage;
    private final boolean isCapture;

    private CaptureFile(
            InputStream stream,
            Optional<CaptureInput> content,
            Optional<CaptureException> damage,
            boolean isCapture) {
        this.stream = stream;
        this.content = content;
        this.damage = damage;
        this.isCapture = isCapture;
    }

    /**
     * Opens a file and looks at its beginning.
     *
     * @throws IOException if it cannot be read; the stream is closed then
     */
    public static CaptureFile of(InputStream stream) throws IOException {
        try {
            CaptureInput in = new CaptureInput(stream, CaptureReader.MAX_UNPACKED_BYTES);
            return new CaptureFile(stream, Optional.of(in), Optional.empty(), isCapture(in));
        } catch (CaptureException e) {
            return new CaptureFile(stream, Optional.empty(), Optional.of(e), false);
        } catch (IOException e) {
            stream.close();
            throw e;
        }
    }

    private static boolean isCapture(CaptureInput in) throws IOException {
        try {
            return CaptureReader.recognises(in);
        } catch (CaptureException _) {
            // Compressed and damaged; what is before the damage can still be read.
            return false;
        }
    }

    /**
     * Whether it begins like a capture, compressed or not. Also true for unsupported formats, which
     * {@link #reader} refuses by their name.
     */
    public boolean isCapture() {
        return isCapture;
    }

    /**
     * The reader of a capture, with which the stream is closed.
     *
     * @param before the reader of the previous file of the same capture, at its end; null for the
     *     first file
     * @throws CaptureException if it is not a capture, or of an unknown link type
     */
    public CaptureReader reader(@Nullable CaptureReader before) throws IOException {
        return new CaptureReader(content(), before);
    }

    /**
     * The uncompressed content.
     *
     * @throws CaptureException if it is compressed and damaged at its beginning
     */
    public CaptureInput content() throws CaptureException {
        if (damage.isPresent()) {
            throw damage.get();
        }
        return content.orElseThrow();
    }

    @Override
    public void close() throws IOException {
        stream.close();
    }
}

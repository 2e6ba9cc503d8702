package dev.wishdir.inspect;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/**
 * The first file of a zip archive that is not text: sites put a readme beside a demo. It ends in an
 * exception where the archive holds another such file.
 */
final class ZippedFile extends InputStream {
    private static final int LOOKED_AT_BYTES = 512;

    private final ZipInputStream zip;
    private BufferedInputStream file;
    private boolean ended;

    ZippedFile(InputStream in) throws IOException {
        zip = new ZipInputStream(in);
        file = new BufferedInputStream(InputStream.nullInputStream());
        if (next() == null) {
            throw new IOException("the archive holds no capture and no recording");
        }
    }

    private @org.jspecify.annotations.Nullable ZipEntry next() throws IOException {
        ZipEntry entry = zip.getNextEntry();
        while (entry != null) {
            file = new BufferedInputStream(zip);
            if (!entry.isDirectory() && isData()) {
                return entry;
            }
            entry = zip.getNextEntry();
        }
        return null;
    }

    /** Captures and demos have a zero near their start; a packed one has its own first bytes. */
    private boolean isData() throws IOException {
        file.mark(LOOKED_AT_BYTES);
        byte[] start = file.readNBytes(LOOKED_AT_BYTES);
        file.reset();
        for (byte each : start) {
            if (each == 0) {
                return true;
            }
        }
        return start.length > 0 && start[0] == '{';
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] into, int from, int count) throws IOException {
        int read = ended ? -1 : file.read(into, from, count);
        if (read < 0 && !ended) {
            ended = true;
            ZipEntry other = next();
            if (other != null) {
                throw new IOException(
                        "the archive also holds \"" + other.getName() + "\": unpack it first");
            }
        }
        return read;
    }
}

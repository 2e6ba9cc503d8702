package dev.wishdir.inspect;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/**
 * The first file of a zip archive that is not text, as sites add a readme to a demo. Throws an
 * exception at its end if the archive has another such file.
 */
final class ZippedFile extends InputStream {
    private static final int EXAMINED_BYTES = 512;

    private final ZipInputStream zip;
    private BufferedInputStream file;
    private boolean ended;

    ZippedFile(InputStream in) throws IOException {
        zip = new ZipInputStream(in);
        file = new BufferedInputStream(InputStream.nullInputStream());
        if (next() == null) {
            throw new IOException("the archive contains neither a capture nor a demo file");
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

    /** Whether the file is not text: captures and demos have a zero byte near their start. */
    private boolean isData() throws IOException {
        file.mark(EXAMINED_BYTES);
        byte[] start = file.readNBytes(EXAMINED_BYTES);
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
                        "the archive also contains \""
                                + other.getName()
                                + "\": extract one file first");
            }
        }
        return read;
    }
}

package dev.wishdir.wire;

import java.io.IOException;
import java.io.InputStream;
import java.util.zip.GZIPInputStream;

/**
 * The content of a gzip file of any number of members. Java's own stream calls itself for each next
 * member, so that some thousand empty ones overflow the stack.
 */
public final class GzipInput extends GZIPInputStream {
    private boolean reading;

    /**
     * @throws IOException if it does not begin as gzip does
     */
    public GzipInput(InputStream in) throws IOException {
        super(in, 1 << 13);
    }

    @Override
    public int read(byte[] into, int from, int count) throws IOException {
        if (reading) {
            // The call for the next member, which the loop below makes instead.
            return 0;
        }
        reading = true;
        try {
            int read;
            do {
                read = super.read(into, from, count);
            } while (read == 0 && count > 0);
            return read;
        } finally {
            reading = false;
        }
    }
}

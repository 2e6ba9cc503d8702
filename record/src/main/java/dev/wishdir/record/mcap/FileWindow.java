package dev.wishdir.record.mcap;

import java.io.IOException;

/** A few bytes of a file, for a scan that goes forward over short fields. */
final class FileWindow {
    private static final int BYTES = 8 << 10;

    private final InputFile file;
    private final byte[] data = new byte[BYTES];
    private long size;
    private long start;
    private int length;

    FileWindow(InputFile file) {
        this.file = file;
    }

    /** Starts over with a file of another size. */
    void reset(long size) {
        this.size = size;
        length = 0;
    }

    /** The bytes; {@link #index} has the place of each. */
    byte[] data() {
        return data;
    }

    /**
     * Index in {@link #data} of a place of the file.
     *
     * @param bytes how many bytes from there are needed; the file has them
     */
    int index(long position, int bytes) throws IOException {
        if (position < start || position + bytes > start + length) {
            length = 0;
            int count = (int) Math.min(BYTES, size - position);
            file.read(position, data, 0, count);
            start = position;
            length = count;
        }
        return (int) (position - start);
    }
}

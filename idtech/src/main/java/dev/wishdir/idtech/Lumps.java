package dev.wishdir.idtech;

import dev.wishdir.motion.Vec3f;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * The directory of a BSP file, with checked access to its lumps. Every offset and count is checked
 * when it is read, so that a record from {@link #record} lies inside the file.
 */
final class Lumps {
    private static final int MAGIC = 'I' | 'B' << 8 | 'S' << 16 | 'P' << 24;
    private static final int DIRECTORY = 8;

    /** Maximum records of one kind, more than any map has; limits what a reader builds. */
    private static final int MAX_RECORDS = 1 << 20;

    private final ByteBuffer file;

    Lumps(byte[] bytes, int version, int count) {
        file = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        if (bytes.length < DIRECTORY + 8 * count) {
            throw new MalformedMapException(
                    bytes.length, "the file ends inside the directory of lumps");
        }
        if (file.getInt(0) != MAGIC || file.getInt(4) != version) {
            throw new MalformedMapException(0, "is not IBSP version " + version);
        }
        for (int lump = 0; lump < count; lump++) {
            int offset = file.getInt(DIRECTORY + 8 * lump);
            int length = file.getInt(DIRECTORY + 8 * lump + 4);
            if (offset < 0 || length < 0 || (long) offset + length > bytes.length) {
                throw new MalformedMapException(
                        DIRECTORY + 8 * lump, "lump " + lump + " lies outside the file");
            }
        }
    }

    ByteBuffer file() {
        return file;
    }

    private int offset(int lump) {
        return file.getInt(DIRECTORY + 8 * lump);
    }

    private int length(int lump) {
        return file.getInt(DIRECTORY + 8 * lump + 4);
    }

    /** The number of records of the given size in a lump. */
    int count(int lump, int size) {
        int length = length(lump);
        if (length % size != 0 || length / size > MAX_RECORDS) {
            throw new MalformedMapException(
                    DIRECTORY + 8 * lump + 4,
                    "lump " + lump + " of " + length + " bytes holds records of " + size);
        }
        return length / size;
    }

    /** The offset of a record. */
    int record(int lump, int size, int index) {
        return offset(lump) + size * index;
    }

    /** Returns an index; rejects it if it is not below the count. */
    static int checkIndex(int offset, String name, int index, int count) {
        if (index < 0 || index >= count) {
            throw new MalformedMapException(
                    offset, name + " " + index + ", must be below " + count);
        }
        return index;
    }

    /** Rejects a range of records that exceeds its lump. */
    static void checkRun(int offset, String name, int first, int length, int count) {
        if (first < 0 || length < 0 || (long) first + length > count) {
            throw new MalformedMapException(
                    offset, length + " " + name + " from " + first + " of " + count);
        }
    }

    Vec3f vector(int offset) {
        Vec3f vector =
                new Vec3f(
                        file.getFloat(offset),
                        file.getFloat(offset + 4),
                        file.getFloat(offset + 8));
        if (!vector.isFinite()) {
            throw new MalformedMapException(offset, "a vector is not finite");
        }
        return vector;
    }

    Plane plane(int offset) {
        float dist = file.getFloat(offset + 12);
        if (!Float.isFinite(dist)) {
            throw new MalformedMapException(offset + 12, "a plane's distance is not finite");
        }
        return new Plane(vector(offset), dist);
    }

    /** The text of a lump, up to its NUL. */
    String text(int lump) {
        return text(offset(lump), length(lump));
    }

    /** The text of at most {@code most} bytes at an offset, up to its NUL. */
    String text(int offset, int most) {
        int length = 0;
        while (length < most && file.get(offset + length) != 0) {
            length++;
        }
        return new String(file.array(), offset, length, StandardCharsets.ISO_8859_1);
    }
}

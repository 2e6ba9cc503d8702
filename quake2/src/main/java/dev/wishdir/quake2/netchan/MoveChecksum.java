package dev.wishdir.quake2.netchan;

import dev.wishdir.wire.Md4;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The checksum byte of a move, over the bytes after it and the sequence number of its packet. Its
 * purpose was to stop proxies from aiming for players.
 *
 * <p>See docs/protocols/quake2.md, 4.2.
 */
public final class MoveChecksum {
    private static final int MAX_BODY_BYTES = 60;
    private static final int CYCLE = 1020;
    private static final byte[] TABLE = table();
    private static final byte[] NORMALS = normals();
    private static final short[] CRC = crcTable();

    private MoveChecksum() {}

    /** The table of bytes that the sequence number selects from. */
    public static byte[] table() {
        List<String> lines = lines("checksum-table.csv");
        byte[] table = new byte[lines.size()];
        for (int i = 0; i < table.length; i++) {
            table[i] = (byte) Integer.parseInt(lines.get(i).split(",")[1], 16);
        }
        return table;
    }

    private static byte[] normals() {
        List<String> lines = lines("normals.csv");
        ByteBuffer floats = ByteBuffer.allocate(lines.size() * 12).order(ByteOrder.LITTLE_ENDIAN);
        for (String line : lines) {
            String[] columns = line.split(",");
            for (int i = 1; i <= 3; i++) {
                floats.putFloat(Float.parseFloat(columns[i]));
            }
        }
        return floats.array();
    }

    private static List<String> lines(String resource) {
        try (InputStream in = MoveChecksum.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException(
                        "resource " + resource + " is missing from the class path");
            }
            return new BufferedReader(new InputStreamReader(in, StandardCharsets.US_ASCII))
                    .lines()
                    .skip(1)
                    .filter(line -> !line.isBlank())
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static short[] crcTable() {
        short[] table = new short[256];
        for (int i = 0; i < 256; i++) {
            int crc = i << 8;
            for (int bit = 0; bit < 8; bit++) {
                crc = (crc & 0x8000) == 0 ? crc << 1 : crc << 1 ^ 0x1021;
            }
            table[i] = (short) crc;
        }
        return table;
    }

    /**
     * The checksum of releases 3.16 to 3.21 and all engines derived from them.
     *
     * @param data contains the body: the last frame and the three commands
     * @param sequence of the packet, 31 bits
     * @return 0..255
     */
    public static int of(byte[] data, int offset, int length, int sequence) {
        int end = offset + Math.min(length, MAX_BODY_BYTES);
        int crc = 0xFFFF;
        int sum = 0;
        for (int i = offset; i < end; i++) {
            crc = crc << 8 ^ CRC[(crc >> 8 ^ data[i]) & 0xFF];
            sum += data[i];
        }
        int start = sequence % CYCLE;
        for (int i = start; i < start + 4; i++) {
            crc = crc << 8 ^ CRC[(crc >> 8 ^ TABLE[i]) & 0xFF];
            sum += TABLE[i];
        }
        return (crc ^ sum) & 0xFF;
    }

    /** The checksum of release 3.14 and earlier, as documented at the time. */
    public static int before315(byte[] data, int offset, int length, int sequence) {
        int body = Math.min(length, MAX_BODY_BYTES);
        ByteBuffer mixed = ByteBuffer.allocate(body + 4).put(data, offset, body);
        int at = sequence % NORMALS.length;
        mixed.put((byte) (normal(at) ^ sequence));
        mixed.put((byte) normal(at + 1));
        mixed.put((byte) (normal(at + 2) ^ sequence >> 8));
        mixed.put((byte) normal(at + 3));
        return Md4.fold(mixed.array(), mixed.limit()) & 0xFF;
    }

    // The original reads beyond its table, into undefined memory.
    private static int normal(int at) {
        return at < NORMALS.length ? NORMALS[at] : 0;
    }

    /**
     * The checksum of release 3.15, which includes the challenge of the connection.
     *
     * @param challenge sent by the server
     */
    public static int of315(byte[] data, int offset, int length, int sequence, int challenge) {
        int body = Math.min(length, MAX_BODY_BYTES);
        int p = component(sequence);
        int q = component(sequence + challenge);
        ByteBuffer mixed = ByteBuffer.allocate(body + 8).put(data, offset, body);
        mixed.put((byte) (sequence ^ NORMALS[p]));
        mixed.put(NORMALS[p + 1]);
        mixed.put((byte) (sequence >> 8 ^ NORMALS[p + 2]));
        mixed.put(NORMALS[p + 3]);
        mixed.put((byte) (sequence ^ NORMALS[q + 3]));
        mixed.put((byte) (challenge ^ NORMALS[q + 2]));
        mixed.put((byte) (sequence >> 8 ^ NORMALS[q + 1]));
        mixed.put((byte) (challenge >> 7 ^ NORMALS[q]));
        return Md4.fold(mixed.array(), mixed.limit()) & 0xFF;
    }

    private static int component(int number) {
        return Integer.remainderUnsigned(number, NORMALS.length / 4) * 4;
    }
}

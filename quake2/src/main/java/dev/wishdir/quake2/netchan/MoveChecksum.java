package dev.wishdir.quake2.netchan;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
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
    private static final short[] CRC = crcTable();

    private MoveChecksum() {}

    /** The table of bytes that the sequence number selects from. */
    private static byte[] table() {
        String name = "checksum-table.csv";
        try (InputStream in = MoveChecksum.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("resource " + name + " is missing");
            }
            List<String> lines =
                    new String(in.readAllBytes(), StandardCharsets.US_ASCII)
                            .lines()
                            .skip(1)
                            .filter(line -> !line.isBlank())
                            .toList();
            byte[] table = new byte[lines.size()];
            for (int i = 0; i < table.length; i++) {
                table[i] = (byte) Integer.parseInt(lines.get(i).split(",")[1], 16);
            }
            return table;
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
}

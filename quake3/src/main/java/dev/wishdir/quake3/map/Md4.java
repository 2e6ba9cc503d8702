package dev.wishdir.quake3.map;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The digest MD4 of RFC 1320, which Java does not offer; pure checksums are made with it. */
final class Md4 {
    private static final int BLOCK = 64;

    private Md4() {}

    /** The four words of a digest, exclusive-ored together. */
    static int folded(byte[] data) {
        int length = (data.length + 8) / BLOCK * BLOCK + BLOCK;
        ByteBuffer padded = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
        padded.put(data).put((byte) 0x80).putLong(length - 8, data.length * 8L);
        int[] state = {0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476};
        int[] x = new int[16];
        for (int block = 0; block < length; block += BLOCK) {
            for (int i = 0; i < x.length; i++) {
                x[i] = padded.getInt(block + 4 * i);
            }
            block(state, x);
        }
        return state[0] ^ state[1] ^ state[2] ^ state[3];
    }

    private static final int[][] SHIFTS = {{3, 7, 11, 19}, {3, 5, 9, 13}, {3, 9, 11, 15}};
    private static final int[][] ORDERS = {
        {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
        {0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15},
        {0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15}
    };
    private static final int[] ADDENDS = {0, 0x5A827999, 0x6ED9EBA1};

    private static void block(int[] state, int[] x) {
        int a = state[0];
        int b = state[1];
        int c = state[2];
        int d = state[3];
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < 16; i++) {
                int f =
                        switch (round) {
                            case 0 -> b & c | ~b & d;
                            case 1 -> b & c | b & d | c & d;
                            default -> b ^ c ^ d;
                        };
                int sum = a + f + x[ORDERS[round][i]] + ADDENDS[round];
                a = d;
                d = c;
                c = b;
                b = Integer.rotateLeft(sum, SHIFTS[round][i & 3]);
            }
        }
        state[0] += a;
        state[1] += b;
        state[2] += c;
        state[3] += d;
    }
}

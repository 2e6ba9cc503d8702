package dev.wishdir.idtech;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The MD4 digest of RFC 1320, which the JDK no longer offers. It is not secure; old games use it as
 * a checksum of files and packets.
 */
public final class Md4 {
    private static final int[] SHIFTS = {3, 7, 11, 19, 3, 5, 9, 13, 3, 9, 11, 15};
    private static final int[] THIRD_ROUND_ORDER = {
        0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15
    };

    private Md4() {}

    /** The four words of the digest, low byte first. */
    static int[] digest(byte[] data, int length) {
        int padded = (length + 9 + 63) / 64 * 64;
        ByteBuffer in = ByteBuffer.allocate(padded).order(ByteOrder.LITTLE_ENDIAN);
        in.put(data, 0, length).put((byte) 0x80).putLong(padded - 8, 8L * length);
        int[] state = {0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476};
        int[] x = new int[16];
        for (int block = 0; block < padded; block += 64) {
            for (int i = 0; i < 16; i++) {
                x[i] = in.getInt(block + i * 4);
            }
            mix(state, x);
        }
        return state;
    }

    private static void mix(int[] state, int[] x) {
        int a = state[0];
        int b = state[1];
        int c = state[2];
        int d = state[3];
        for (int i = 0; i < 48; i++) {
            int round = i >> 4;
            int sum =
                    switch (round) {
                        case 0 -> (b & c | ~b & d) + x[i];
                        case 1 ->
                                (b & c | b & d | c & d) + x[(i & 3) << 2 | i >> 2 & 3] + 0x5A827999;
                        default -> (b ^ c ^ d) + x[THIRD_ROUND_ORDER[i & 15]] + 0x6ED9EBA1;
                    };
            int turned = Integer.rotateLeft(a + sum, SHIFTS[round << 2 | i & 3]);
            a = d;
            d = c;
            c = b;
            b = turned;
        }
        state[0] += a;
        state[1] += b;
        state[2] += c;
        state[3] += d;
    }

    /** The exclusive or of the digest's four words: the block checksum of those games. */
    public static int fold(byte[] data, int length) {
        int[] digest = digest(data, length);
        return digest[0] ^ digest[1] ^ digest[2] ^ digest[3];
    }
}

package dev.wishdir.sauerbraten.protocol;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The hash function Tiger, 192 bits, with the padding of its first edition (Anderson and Biham,
 * 1996). Its four tables are made as its authors made them, by the function itself.
 */
final class Tiger {
    private static final int BLOCK = 64;
    private static final long[] START = {
        0x0123456789ABCDEFL, 0xFEDCBA9876543210L, 0xF096A5B4C3B2E187L
    };
    private static final long[] TABLES = tables();

    private Tiger() {}

    /** The 24 bytes of the hash of a message. */
    static byte[] hash(byte[] message) {
        int blocks = (message.length + 9 + BLOCK - 1) / BLOCK;
        byte[] padded = Arrays.copyOf(message, blocks * BLOCK);
        padded[message.length] = 1;
        putLong(padded, padded.length - 8, message.length * 8L);
        long[] state = START.clone();
        for (int at = 0; at < padded.length; at += BLOCK) {
            compress(TABLES, padded, at, state);
        }
        byte[] digest = new byte[24];
        for (int i = 0; i < state.length; i++) {
            putLong(digest, 8 * i, state[i]);
        }
        return digest;
    }

    /** Each byte of each entry is swapped five times with one that the hash so far points to. */
    private static long[] tables() {
        byte[] text =
                "Tiger - A Fast New Hash Function, by Ross Anderson and Eli Biham"
                        .getBytes(StandardCharsets.US_ASCII);
        long[] tables = new long[4 * 256];
        for (int i = 0; i < tables.length; i++) {
            tables[i] = (i & 0xFF) * 0x0101010101010101L;
        }
        long[] state = START.clone();
        int word = 2;
        for (int pass = 0; pass < 5; pass++) {
            for (int i = 0; i < 256; i++) {
                for (int table = 0; table < tables.length; table += 256) {
                    if (++word == state.length) {
                        word = 0;
                        compress(tables, text, 0, state);
                    }
                    for (int shift = 0; shift < 64; shift += 8) {
                        int other = table + (int) (state[word] >>> shift & 0xFF);
                        long swap = (tables[table + i] ^ tables[other]) & 0xFFL << shift;
                        tables[table + i] ^= swap;
                        tables[other] ^= swap;
                    }
                }
            }
        }
        return tables;
    }

    private static void compress(long[] tables, byte[] data, int at, long[] state) {
        long[] x = new long[8];
        for (int i = 0; i < x.length; i++) {
            x[i] = getLong(data, at + 8 * i);
        }
        long[] abc = state.clone();
        for (int pass = 0; pass < 3; pass++) {
            if (pass > 0) {
                schedule(x);
            }
            long factor = 5 + 2L * pass;
            for (int i = 0; i < x.length; i++) {
                // each pass ends two roles further, so the roles of the next are its turns
                int a = (i + 2 * pass) % 3;
                round(tables, abc, a, (a + 1) % 3, (a + 2) % 3, x[i], factor);
            }
        }
        state[0] ^= abc[0];
        state[1] = abc[1] - state[1];
        state[2] += abc[2];
    }

    private static void round(long[] t, long[] abc, int a, int b, int c, long x, long factor) {
        long w = abc[c] ^ x;
        abc[c] = w;
        abc[a] -= t[at(w, 0)] ^ t[256 + at(w, 2)] ^ t[512 + at(w, 4)] ^ t[768 + at(w, 6)];
        abc[b] += t[768 + at(w, 1)] ^ t[512 + at(w, 3)] ^ t[256 + at(w, 5)] ^ t[at(w, 7)];
        abc[b] *= factor;
    }

    private static int at(long word, int index) {
        return (int) (word >>> 8 * index & 0xFF);
    }

    private static void schedule(long[] x) {
        x[0] -= x[7] ^ 0xA5A5A5A5A5A5A5A5L;
        x[1] ^= x[0];
        x[2] += x[1];
        x[3] -= x[2] ^ ~x[1] << 19;
        x[4] ^= x[3];
        x[5] += x[4];
        x[6] -= x[5] ^ ~x[4] >>> 23;
        x[7] ^= x[6];
        x[0] += x[7];
        x[1] -= x[0] ^ ~x[7] << 19;
        x[2] ^= x[1];
        x[3] += x[2];
        x[4] -= x[3] ^ ~x[2] >>> 23;
        x[5] ^= x[4];
        x[6] += x[5];
        x[7] -= x[6] ^ 0x0123456789ABCDEFL;
    }

    private static long getLong(byte[] data, int at) {
        long value = 0;
        for (int i = 7; i >= 0; i--) {
            value = value << 8 | data[at + i] & 0xFF;
        }
        return value;
    }

    private static void putLong(byte[] data, int at, long value) {
        for (int i = 0; i < 8; i++) {
            data[at + i] = (byte) (value >>> 8 * i);
        }
    }
}

package dev.wishdir.quake3.message;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;

/** Reads a message of bits one by one, by the table of codes. */
final class SlowBits {
    /** No value: the bits end, or are no byte's code. */
    static final long ENDED = -1;

    private static final Map<String, Integer> SYMBOLS = new HashMap<>();

    static {
        try {
            for (String[] row : Quake3VectorsTest.rows("quake3-huffman-codes.csv")) {
                if (!row[0].equals("NYT")) {
                    SYMBOLS.put(row[3], Integer.parseInt(row[0]));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private final byte[] data;
    private int at;

    SlowBits(byte[] data) {
        this.data = data;
    }

    private int bit() {
        if (at >= data.length * 8) {
            return -1;
        }
        int bit = data[at >> 3] >> (at & 7) & 1;
        at++;
        return bit;
    }

    /** A value of 1..32 bits without sign, or {@link #ENDED}. */
    long bits(int width) {
        long value = 0;
        int raw = width & 7;
        for (int i = 0; i < raw; i++) {
            int bit = bit();
            if (bit < 0) {
                return ENDED;
            }
            value |= (long) bit << i;
        }
        for (int shift = raw; shift < width; shift += 8) {
            StringBuilder code = new StringBuilder();
            Integer symbol = null;
            while (symbol == null) {
                int bit = bit();
                if (bit < 0 || code.length() > 11) {
                    return ENDED;
                }
                symbol = SYMBOLS.get(code.append(bit).toString());
            }
            value |= (long) symbol << shift;
        }
        return value;
    }
}

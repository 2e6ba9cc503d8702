package dev.wishdir.wire;

/** Reads a message of bit fields; {@link #reset} prepares it for the next message. */
public sealed class BitReader extends BitWire permits BitTracer {
    private final HuffmanCode code;
    private byte[] data;
    private int start;
    private int at;
    private int limit;

    /** Reads all of {@code data}, without copying it. */
    public BitReader(HuffmanCode code, byte[] data) {
        this(code, data, 0, data.length * 8);
    }

    /** Reads {@code bits} bits of {@code data} from byte {@code offset}, without copying them. */
    public BitReader(HuffmanCode code, byte[] data, int offset, int bits) {
        this.code = code;
        this.data = data;
        reset(data, offset, bits);
    }

    /** Starts over with another message. */
    public final void reset(byte[] data, int offset, int bits) {
        this.data = data;
        start = offset * 8;
        at = start;
        limit = start + bits;
    }

    @Override
    public final boolean reading() {
        return true;
    }

    @Override
    public final int position() {
        return at - start;
    }

    @Override
    public final int remaining() {
        return limit - at;
    }

    /** The next 57 or more bits, the first one lowest; zeros after the end of the array. */
    private long window() {
        int from = at >> 3;
        if (from + Long.BYTES <= data.length) {
            return (long) Reader.I64LE.get(data, from) >>> (at & 7);
        }
        long window = 0;
        for (int i = from; i < data.length; i++) {
            window |= (data[i] & 0xFFL) << (i - from) * 8;
        }
        return window >>> (at & 7);
    }

    private MalformedPacketException ended(String name, int bits) {
        return malformed(name, "needs " + bits + " bits, " + remaining() + " left");
    }

    @Override
    public int bits(String name, int value, int width) {
        long window = window();
        int rawBits = width & 7;
        int read = (int) window & (1 << rawBits) - 1;
        int used = rawBits;
        window >>>= rawBits;
        for (int shift = rawBits; shift < width; shift += 8) {
            int decoded = code.decode(window);
            if (decoded == 0) {
                throw used >= remaining()
                        ? ended(name, used + 1)
                        : malformed(name, "no byte has this code");
            }
            read |= HuffmanCode.symbol(decoded) << shift;
            used += HuffmanCode.step(decoded);
            window = HuffmanCode.after(window, decoded);
        }
        if (used > limit - at) {
            throw ended(name, used);
        }
        at += used;
        return read;
    }

    @Override
    public int raw(String name, int value, int width) {
        if (width > limit - at) {
            throw ended(name, width);
        }
        int read = (int) (window() & (1L << width) - 1);
        at += width;
        return read;
    }

    /** The bits between two positions in wire order, as {@code 0} and {@code 1}. */
    final String binary(int from, int to) {
        StringBuilder bits = new StringBuilder(to - from);
        for (int i = start + from; i < start + to; i++) {
            bits.append((char) ('0' + (data[i >> 3] >> (i & 7) & 1)));
        }
        return bits.toString();
    }

    /** The bits of the code that begins at a position. */
    final int codeLength(int position) {
        int mark = at;
        at = start + position;
        int length = HuffmanCode.step(code.decode(window()));
        at = mark;
        return length;
    }
}

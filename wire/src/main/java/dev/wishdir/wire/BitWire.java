package dev.wishdir.wire;

/**
 * One walk over the bit fields of a message, run to read, write or explain it. The subclass says
 * which: {@link BitReader}, {@link BitWriter} or {@link BitTracer}. The idiom is that of {@link
 * Wire}.
 *
 * <p>The stream is an array of bytes; bit number n lies in byte n / 8, low bit first. A field of
 * {@link #bits} goes as its {@code width % 8} low bits raw, then its other bits as bytes, low byte
 * first, each as its code of the wire's {@link HuffmanCode}. A field of {@link #raw} is not coded.
 *
 * <p>Not thread-safe. Reading throws {@link MalformedPacketException} where the bits end early, a
 * value exceeds its bound or a code does not exist; writing throws {@link IllegalStateException}
 * where the writer is full and {@link IllegalArgumentException} where a value does not fit its
 * field or bound: nothing is written cut.
 */
public abstract sealed class BitWire permits BitReader, BitWriter {
    BitWire() {}

    /** True for a reader or tracer; the caller then passes a blank message. */
    public abstract boolean reading();

    /** True for a tracer; only then is a meaning worth computing. */
    public boolean tracing() {
        return false;
    }

    /** Bits walked so far, from the start of the message. */
    public abstract int position();

    /** Bits left to read, or to write until the capacity is reached. */
    public abstract int remaining();

    /**
     * An unsigned number of 1..32 bits, coded.
     *
     * @return the value; of 32 bits, as an int
     */
    public abstract int bits(String name, int value, int width);

    /** An unsigned number of 1..32 bits, not coded, low bit first. */
    public abstract int raw(String name, int value, int width);

    /** A number of 1..32 bits in two's complement, coded. */
    public final int signed(String name, int value, int width) {
        int shift = Integer.SIZE - width;
        if (value << shift >> shift != value && !reading()) {
            int max = (1 << width - 1) - 1;
            throw Wire.misfit(name, value, -1 - max, max);
        }
        int read = bits(name, value << shift >>> shift, width) << shift >> shift;
        if (tracing() && read < 0) {
            annotate(Integer.toString(read));
        }
        return read;
    }

    /** One bit. */
    public final boolean bit(String name, boolean value) {
        return raw(name, value ? 1 : 0, 1) != 0;
    }

    /** 0..255, coded. */
    public final int u8(String name, int value) {
        return bits(name, value, 8);
    }

    /** -32768..32767, coded. */
    public final int i16(String name, int value) {
        return signed(name, value, 16);
    }

    /** A signed number of 32 bits, coded. */
    public final int i32(String name, int value) {
        return bits(name, value, Integer.SIZE);
    }

    /**
     * Checks a count, length or code that was just walked.
     *
     * @return the value
     * @throws MalformedPacketException when reading a value outside 0..max
     * @throws IllegalArgumentException when writing a value outside 0..max
     */
    public final int bounded(String name, int value, int max) {
        if (value < 0 || value > max) {
            String problem = "is " + value + ", must be 0.." + max;
            throw reading()
                    ? malformed(name, problem)
                    : new IllegalArgumentException(name + " " + problem);
        }
        return value;
    }

    /** An exception for a field at the current position that breaks a rule of its protocol. */
    public final MalformedPacketException malformed(String name, String problem) {
        return new MalformedPacketException(position() >> 3, name, problem);
    }

    /** Starts a field of several parts; a trace shows it as one. May be nested. */
    public void begin(String name) {}

    /** Ends the field that {@link #begin} started. */
    public void end(Object value) {}

    /** Starts a structure; a trace prefixes the names of the fields inside with it. */
    public void pushScope(String name) {}

    /**
     * Starts one of several structures with the same name; a trace numbers them: {@code "frame 0"}.
     */
    public void pushScope(String name, int number) {}

    /** Ends the structure that {@link #pushScope} started. */
    public void popScope() {}

    /** Explains the field that ended last, for example {@code "12.5 units"}. */
    public void annotate(String meaning) {}
}

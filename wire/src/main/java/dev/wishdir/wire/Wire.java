package dev.wishdir.wire;

import java.util.List;

/**
 * One walk over a message's fields in byte order, run to read, write or explain it. A {@link
 * Reader} returns what it read and ignores the value passed to it; a {@link Writer} writes the
 * value and returns it; a {@link Tracer} reads and records the name, position and meaning of each
 * field. A message is described once, by one static method:
 *
 * {@snippet :
 * record Ping(int millis) {
 *     static final Ping BLANK = new Ping(0);
 *
 *     static Ping wire(Wire w, Ping m) {
 *         return new Ping(w.i32le("millis", m.millis));
 *     }
 * }
 * }
 *
 * <p>An encoding of one game is a static method of that game; it calls the fixed-width fields
 * between {@link #begin} and {@link #end}, so that a trace shows them as one field. Every count and
 * length goes through {@link #bounded} or another call that takes its maximum.
 *
 * <p>Not thread-safe. Reading throws {@link MalformedPacketException} where the bytes end early or
 * a value exceeds its bound; writing throws {@link IllegalStateException} where the writer is full
 * and {@link IllegalArgumentException} where a value does not fit its field or bound: nothing is
 * written cut.
 */
public abstract sealed class Wire permits Reader, Writer {
    Wire() {}

    /** True for a reader or tracer; the caller then passes a blank message. */
    public abstract boolean reading();

    /** True for a tracer; only then is a meaning worth computing. */
    public boolean tracing() {
        return false;
    }

    /** Bytes walked so far, from the start of the packet. */
    public abstract int position();

    /** Bytes left to read, or to write until the capacity is reached. */
    public abstract int remaining();

    /** One byte, 0..255. */
    public abstract int u8(String name, int value);

    /** One byte, -128..127. */
    public abstract int i8(String name, int value);

    /** Two bytes, low first, 0..65535. */
    public abstract int u16le(String name, int value);

    /** Two bytes, high first, 0..65535. */
    public abstract int u16be(String name, int value);

    /** Two bytes, low first, -32768..32767. */
    public abstract int i16le(String name, int value);

    /** Two bytes, high first, -32768..32767. */
    public abstract int i16be(String name, int value);

    /** Three bytes, low first, 0..2^24-1. */
    public abstract int u24le(String name, int value);

    /** Four bytes, low first. */
    public abstract int i32le(String name, int value);

    /** Four bytes, high first. */
    public abstract int i32be(String name, int value);

    /** Four bytes, low first, 0..2^32-1. */
    public final long u32le(String name, long value) {
        return unsigned(i32le(name, low(name, value)));
    }

    /** Four bytes, high first, 0..2^32-1. */
    public final long u32be(String name, long value) {
        return unsigned(i32be(name, low(name, value)));
    }

    private int low(String name, long value) {
        if (value >>> Integer.SIZE != 0 && !reading()) {
            throw misfit(name, value, 0, 0xFFFFFFFFL);
        }
        return (int) value;
    }

    /** The exception for a value to write that its field cannot hold. */
    static IllegalArgumentException misfit(String name, long value, long min, long max) {
        return new IllegalArgumentException(
                name + " is " + value + ", must be " + min + ".." + max);
    }

    private long unsigned(int walked) {
        long value = walked & 0xFFFFFFFFL;
        if (walked < 0 && tracing()) {
            annotate(Long.toString(value));
        }
        return value;
    }

    /** Eight bytes, low first. */
    public abstract long i64le(String name, long value);

    /** Eight bytes, high first. */
    public abstract long i64be(String name, long value);

    /** IEEE 754 single, low byte first; NaN and infinities pass unchanged. */
    public abstract float f32le(String name, float value);

    /** IEEE 754 single, high byte first; NaN and infinities pass unchanged. */
    public abstract float f32be(String name, float value);

    /** Exactly {@code length} bytes; the caller has checked the length against its own maximum. */
    public abstract Bytes bytes(String name, Bytes value, int length);

    /** All bytes up to the end of the packet, at most {@code max}. */
    public abstract Bytes rest(String name, Bytes value, int max);

    /** One byte, 0 or 1; any other value reads as true. */
    public final boolean bool(String name, boolean value) {
        return u8(name, value ? 1 : 0) != 0;
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
            throw outOfBounds(name, value, max);
        }
        return value;
    }

    private RuntimeException outOfBounds(String name, int value, int max) {
        String problem = "is " + value + ", must be 0.." + max;
        return reading()
                ? malformed(name, problem)
                : new IllegalArgumentException(name + " " + problem);
    }

    /** An exception for a field at the current position that breaks a rule of its protocol. */
    public final MalformedPacketException malformed(String name, String problem) {
        return new MalformedPacketException(position(), name, problem);
    }

    /**
     * The element to write, or {@code blank} if {@code index} is past the end, as in a blank
     * message.
     */
    public static <T> T item(List<T> list, int index, T blank) {
        return index < list.size() ? list.get(index) : blank;
    }

    /** Starts a field of several fixed-width parts; a trace shows it as one. May be nested. */
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

    /** Explains the field that ended last, for example {@code "624.6875 units"}. */
    public void annotate(String meaning) {}

    /**
     * Names {@code width} bits, from bit {@code shift} up, of the byte-aligned field that ended
     * last. Only a tracer records them.
     */
    public void bits(String name, int shift, int width, int value) {}
}

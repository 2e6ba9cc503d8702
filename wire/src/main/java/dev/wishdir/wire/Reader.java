package dev.wishdir.wire;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.List;

/**
 * Reads a packet; {@link #reset} prepares it for the next one, without an allocation per packet.
 */
public sealed class Reader extends Wire permits Tracer {
    static final VarHandle I16LE = view(short[].class, ByteOrder.LITTLE_ENDIAN);
    static final VarHandle I16BE = view(short[].class, ByteOrder.BIG_ENDIAN);
    static final VarHandle I32LE = view(int[].class, ByteOrder.LITTLE_ENDIAN);
    static final VarHandle I32BE = view(int[].class, ByteOrder.BIG_ENDIAN);
    static final VarHandle I64LE = view(long[].class, ByteOrder.LITTLE_ENDIAN);
    static final VarHandle I64BE = view(long[].class, ByteOrder.BIG_ENDIAN);

    private static VarHandle view(Class<?> array, ByteOrder order) {
        return MethodHandles.byteArrayViewVarHandle(array, order).withInvokeExactBehavior();
    }

    private byte[] data;
    private int start;
    private int at;
    private int limit;

    /** Reads all of {@code data}, without copying it. */
    public Reader(byte[] data) {
        this(data, 0, data.length);
    }

    /** Reads {@code length} bytes of {@code data} from {@code offset}, without copying them. */
    public Reader(byte[] data, int offset, int length) {
        this.data = data;
        reset(data, offset, length);
    }

    /** Reads all of {@code data}. */
    public Reader(Bytes data) {
        this(data.array(), data.offset(), data.length());
    }

    /**
     * Reads all of {@code data}.
     *
     * @param tracing whether to record the fields, with a {@link Tracer}
     */
    public static Reader of(Bytes data, boolean tracing) {
        return tracing ? new Tracer(data) : new Reader(data);
    }

    /** The fields read since the last call; empty unless this is a {@link Tracer}. */
    public List<Traced> traced() {
        return List.of();
    }

    /** Starts another packet. */
    public final void reset(byte[] data, int offset, int length) {
        this.data = data;
        start = offset;
        at = offset;
        limit = offset + length;
    }

    /**
     * Limits reading to the next {@code length} bytes, for a message inside a message.
     *
     * @return the argument of {@link #popLimit}
     * @throws MalformedPacketException if fewer are left
     */
    public final int pushLimit(String name, int length) {
        need(name, length);
        int mark = limit;
        limit = at + length;
        return mark;
    }

    /** Ends the limit that {@link #pushLimit} set; skips bytes that were not read. */
    public final void popLimit(int mark) {
        at = limit;
        limit = mark;
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

    /** The next byte, 0..255, without consuming it. */
    public final int peek(String name) {
        need(name, 1);
        return data[at] & 0xFF;
    }

    /** The bytes from {@code from} to {@code to}, exclusive; both as {@link #position} counts. */
    public final Bytes slice(int from, int to) {
        return Bytes.copyOf(data, start + from, to - from);
    }

    private void need(String name, int bytes) {
        if (bytes > limit - at || bytes < 0) {
            throw malformed(name, "needs " + bytes + " bytes, " + remaining() + " left");
        }
    }

    private int take(String name, int bytes) {
        need(name, bytes);
        int here = at;
        at = here + bytes;
        return here;
    }

    @Override
    public int u8(String name, int value) {
        return data[take(name, 1)] & 0xFF;
    }

    @Override
    public int i8(String name, int value) {
        return data[take(name, 1)];
    }

    @Override
    public int u16le(String name, int value) {
        return (short) I16LE.get(data, take(name, 2)) & 0xFFFF;
    }

    @Override
    public int u16be(String name, int value) {
        return (short) I16BE.get(data, take(name, 2)) & 0xFFFF;
    }

    @Override
    public int i16le(String name, int value) {
        return (short) I16LE.get(data, take(name, 2));
    }

    @Override
    public int i16be(String name, int value) {
        return (short) I16BE.get(data, take(name, 2));
    }

    @Override
    public int u24le(String name, int value) {
        int here = take(name, 3);
        return (data[here] & 0xFF) | (data[here + 1] & 0xFF) << 8 | (data[here + 2] & 0xFF) << 16;
    }

    @Override
    public int i32le(String name, int value) {
        return (int) I32LE.get(data, take(name, 4));
    }

    @Override
    public int i32be(String name, int value) {
        return (int) I32BE.get(data, take(name, 4));
    }

    @Override
    public long i64le(String name, long value) {
        return (long) I64LE.get(data, take(name, 8));
    }

    @Override
    public long i64be(String name, long value) {
        return (long) I64BE.get(data, take(name, 8));
    }

    @Override
    public float f32le(String name, float value) {
        return Float.intBitsToFloat((int) I32LE.get(data, take(name, 4)));
    }

    @Override
    public float f32be(String name, float value) {
        return Float.intBitsToFloat((int) I32BE.get(data, take(name, 4)));
    }

    @Override
    public Bytes bytes(String name, Bytes value, int length) {
        return Bytes.copyOf(data, take(name, length), length);
    }

    @Override
    public final Bytes rest(String name, Bytes value, int max) {
        return bytes(name, value, bounded(name, remaining(), max));
    }

    /** The bytes of a field as hexadecimal text, for a trace. */
    final String hex(int from, int to) {
        return Bytes.hex(data, start + from, to - from);
    }
}

package dev.wishdir.wire;

import java.util.ArrayList;
import java.util.List;

/** Reads a packet and records the name, position and meaning of each field. */
public final class Tracer extends Reader {
    private final List<Traced> fields = new ArrayList<>();
    private final List<String> structures = new ArrayList<>();
    private String name = "";
    private int begun;
    private int depth;
    private int taken;

    /** Traces all of {@code data}. */
    public Tracer(byte[] data) {
        super(data);
    }

    /** Traces {@code length} bytes of {@code data} from {@code offset}. */
    public Tracer(byte[] data, int offset, int length) {
        super(data, offset, length);
    }

    /** Traces all of {@code data}. */
    public Tracer(Bytes data) {
        super(data);
    }

    /** The fields so far, in wire order; the parts of a field follow it. */
    public List<Traced> fields() {
        return List.copyOf(fields);
    }

    @Override
    public List<Traced> traced() {
        List<Traced> since = List.copyOf(fields.subList(taken, fields.size()));
        taken = fields.size();
        return since;
    }

    @Override
    public boolean tracing() {
        return true;
    }

    @Override
    public void begin(String name) {
        if (depth++ == 0) {
            this.name = name;
            begun = position();
        }
    }

    @Override
    public void end(Object value) {
        if (--depth == 0) {
            add(name, begun, String.valueOf(value));
        }
    }

    @Override
    public void pushScope(String name) {
        structures.add(name);
    }

    @Override
    public void pushScope(String name, int number) {
        pushScope(name + number);
    }

    @Override
    public void popScope() {
        structures.removeLast();
    }

    @Override
    public void annotate(String meaning) {
        if (depth == 0 && !fields.isEmpty()) {
            fields.add(fields.removeLast().withMeaning(meaning));
        }
    }

    @Override
    public void bits(String name, int shift, int width, int value) {
        if (depth == 0 && !fields.isEmpty()) {
            Traced whole = fields.getLast();
            for (int i = fields.size() - 1; whole.part(); i--) {
                whole = fields.get(i);
            }
            int part = value >>> shift & (int) ((1L << width) - 1);
            fields.add(
                    new Traced(
                            path(name),
                            whole.bit() + shift,
                            width,
                            Integer.toString(part),
                            Integer.toString(part),
                            true));
        }
    }

    private String path(String name) {
        return structures.isEmpty() ? name : String.join(".", structures) + "." + name;
    }

    private void add(String name, int from, String meaning) {
        fields.add(
                new Traced(
                        path(name),
                        from * 8,
                        (position() - from) * 8,
                        hex(from, position()),
                        meaning,
                        false));
    }

    private void saw(String name, int from, Object value) {
        if (depth == 0) {
            add(name, from, value.toString());
        }
    }

    @Override
    public int u8(String name, int value) {
        int from = position();
        int read = super.u8(name, value);
        saw(name, from, read);
        return read;
    }

    @Override
    public int i8(String name, int value) {
        int from = position();
        int read = super.i8(name, value);
        saw(name, from, read);
        return read;
    }

    @Override
    public int u16le(String name, int value) {
        int from = position();
        int read = super.u16le(name, value);
        saw(name, from, read);
        return read;
    }

    @Override
    public int u16be(String name, int value) {
        int from = position();
        int read = super.u16be(name, value);
        saw(name, from, read);
        return read;
    }

    @Override
    public int i16le(String name, int value) {
        int from = position();
        int read = super.i16le(name, value);
        saw(name, from, read);
        return read;
    }

    @Override
    public int i16be(String name, int value) {
        int from = position();
        int read = super.i16be(name, value);
        saw(name, from, read);
        return read;
    }

    @Override
    public int u24le(String name, int value) {
        int from = position();
        int read = super.u24le(name, value);
        saw(name, from, read);
        return read;
    }

    @Override
    public int i32le(String name, int value) {
        int from = position();
        int read = super.i32le(name, value);
        saw(name, from, read);
        return read;
    }

    @Override
    public int i32be(String name, int value) {
        int from = position();
        int read = super.i32be(name, value);
        saw(name, from, read);
        return read;
    }

    @Override
    public long i64le(String name, long value) {
        int from = position();
        long read = super.i64le(name, value);
        saw(name, from, read);
        return read;
    }

    @Override
    public long i64be(String name, long value) {
        int from = position();
        long read = super.i64be(name, value);
        saw(name, from, read);
        return read;
    }

    @Override
    public float f32le(String name, float value) {
        int from = position();
        float read = super.f32le(name, value);
        saw(name, from, read);
        return read;
    }

    @Override
    public float f32be(String name, float value) {
        int from = position();
        float read = super.f32be(name, value);
        saw(name, from, read);
        return read;
    }

    @Override
    public Bytes bytes(String name, Bytes value, int length) {
        int from = position();
        Bytes read = super.bytes(name, value, length);
        if (length > 0) {
            saw(name, from, read);
        }
        return read;
    }
}

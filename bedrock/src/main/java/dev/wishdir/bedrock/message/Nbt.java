package dev.wishdir.bedrock.message;

import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Wire;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A named binary tag in Bedrock's form: little-endian, in packets with variable-length numbers
 * (Bedrock, primitives).
 */
public sealed interface Nbt {
    /** The encoding of numbers and lengths. */
    enum Flavour {
        /** In packets: variable-length integers and lengths. */
        NETWORK,
        /** In files and for hashes of blocks: fixed-length integers and lengths. */
        FIXED
    }

    /** Maximum depth of nested compounds and lists. */
    int MAX_DEPTH = 64;

    /** Maximum number of elements of a list, compound or array. */
    int MAX_ELEMENTS = 1 << 16;

    /** The empty compound. */
    Compound EMPTY = new Compound(Map.of());

    int BYTE = 1;
    int SHORT = 2;
    int INT = 3;
    int LONG = 4;
    int FLOAT = 5;
    int DOUBLE = 6;
    int BYTE_ARRAY = 7;
    int STRING = 8;
    int LIST = 9;
    int COMPOUND = 10;
    int INT_ARRAY = 11;
    int LONG_ARRAY = 12;

    /** The number of its type on the wire. */
    int type();

    /** The plain value: a number, text, list or map. */
    Object plain();

    record ByteTag(int value) implements Nbt {
        @Override
        public int type() {
            return BYTE;
        }

        @Override
        public Object plain() {
            return value;
        }
    }

    record ShortTag(int value) implements Nbt {
        @Override
        public int type() {
            return SHORT;
        }

        @Override
        public Object plain() {
            return value;
        }
    }

    record IntTag(int value) implements Nbt {
        @Override
        public int type() {
            return INT;
        }

        @Override
        public Object plain() {
            return value;
        }
    }

    record LongTag(long value) implements Nbt {
        @Override
        public int type() {
            return LONG;
        }

        @Override
        public Object plain() {
            return value;
        }
    }

    record FloatTag(float value) implements Nbt {
        @Override
        public int type() {
            return FLOAT;
        }

        @Override
        public Object plain() {
            return value;
        }
    }

    record DoubleTag(double value) implements Nbt {
        @Override
        public int type() {
            return DOUBLE;
        }

        @Override
        public Object plain() {
            return value;
        }
    }

    record ByteArrayTag(Bytes value) implements Nbt {
        @Override
        public int type() {
            return BYTE_ARRAY;
        }

        @Override
        public Object plain() {
            return value.hex();
        }
    }

    record StringTag(String value) implements Nbt {
        @Override
        public int type() {
            return STRING;
        }

        @Override
        public Object plain() {
            return value;
        }
    }

    /**
     * @param element the type of all elements; 0 in an empty list
     */
    record ListTag(int element, List<Nbt> values) implements Nbt {
        @Override
        public int type() {
            return LIST;
        }

        @Override
        public Object plain() {
            return values.stream().map(Nbt::plain).toList();
        }
    }

    /** Tags by name, in order. */
    record Compound(Map<String, Nbt> values) implements Nbt {
        @Override
        public int type() {
            return COMPOUND;
        }

        @Override
        public Object plain() {
            Map<String, Object> plain = new LinkedHashMap<>();
            values.forEach((name, value) -> plain.put(name, value.plain()));
            return plain;
        }
    }

    record IntArrayTag(List<Integer> values) implements Nbt {
        @Override
        public int type() {
            return INT_ARRAY;
        }

        @Override
        public Object plain() {
            return values;
        }
    }

    record LongArrayTag(List<Long> values) implements Nbt {
        @Override
        public int type() {
            return LONG_ARRAY;
        }

        @Override
        public Object plain() {
            return values;
        }
    }

    /** Walks a document: a compound with an empty name. */
    static Compound wire(Wire w, String name, Compound m, Flavour flavour) {
        int type = w.u8(name + " type", COMPOUND);
        if (type != COMPOUND) {
            throw w.malformed(name + " type", "is " + type + ", must be a compound");
        }
        text(w, name + " name", "", flavour);
        return compound(w, name, m, flavour, 0);
    }

    private static Nbt value(Wire w, String name, int type, Nbt m, Flavour f, int depth) {
        return switch (type) {
            case BYTE -> new ByteTag(w.i8(name, m instanceof ByteTag t ? t.value : 0));
            case SHORT -> new ShortTag(w.i16le(name, m instanceof ShortTag t ? t.value : 0));
            case INT -> new IntTag(integer(w, name, m instanceof IntTag t ? t.value : 0, f));
            case LONG -> new LongTag(longInteger(w, name, m instanceof LongTag t ? t.value : 0, f));
            case FLOAT -> new FloatTag(w.f32le(name, m instanceof FloatTag t ? t.value : 0));
            case DOUBLE ->
                    new DoubleTag(
                            Double.longBitsToDouble(
                                    w.i64le(
                                            name,
                                            Double.doubleToRawLongBits(
                                                    m instanceof DoubleTag t ? t.value : 0))));
            case BYTE_ARRAY -> {
                Bytes bytes = m instanceof ByteArrayTag t ? t.value : Bytes.EMPTY;
                yield new ByteArrayTag(w.bytes(name, bytes, length(w, name, bytes.length(), f)));
            }
            case STRING -> new StringTag(text(w, name, m instanceof StringTag t ? t.value : "", f));
            case LIST ->
                    list(w, name, m instanceof ListTag t ? t : new ListTag(0, List.of()), f, depth);
            case COMPOUND -> compound(w, name, m instanceof Compound t ? t : EMPTY, f, depth);
            case INT_ARRAY -> {
                List<Integer> values = m instanceof IntArrayTag t ? t.values : List.of();
                int count = length(w, name, values.size(), f);
                List<Integer> walked = new ArrayList<>();
                for (int i = 0; i < count; i++) {
                    walked.add(integer(w, name, Wire.item(values, i, 0), f));
                }
                yield new IntArrayTag(List.copyOf(walked));
            }
            case LONG_ARRAY -> {
                List<Long> values = m instanceof LongArrayTag t ? t.values : List.of();
                int count = length(w, name, values.size(), f);
                List<Long> walked = new ArrayList<>();
                for (int i = 0; i < count; i++) {
                    walked.add(longInteger(w, name, Wire.item(values, i, 0L), f));
                }
                yield new LongArrayTag(List.copyOf(walked));
            }
            default -> throw w.malformed(name, "has the unknown tag type " + type);
        };
    }

    private static ListTag list(Wire w, String name, ListTag m, Flavour f, int depth) {
        int element = w.u8(name + " type", m.element);
        int count = length(w, name + " length", m.values.size(), f);
        if (depth >= MAX_DEPTH || (w.reading() && count > w.remaining())) {
            throw w.malformed(name, "is too deep or too long");
        }
        List<Nbt> values = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            values.add(value(w, name, element, Wire.item(m.values, i, EMPTY), f, depth + 1));
        }
        return new ListTag(element, List.copyOf(values));
    }

    private static Compound compound(Wire w, String name, Compound m, Flavour f, int depth) {
        if (depth >= MAX_DEPTH) {
            throw w.malformed(name, "is deeper than " + MAX_DEPTH);
        }
        Map<String, Nbt> values = new LinkedHashMap<>();
        if (!w.reading()) {
            m.values.forEach((key, value) -> {
                w.u8(key + " type", value.type());
                text(w, key + " name", key, f);
                value(w, key, value.type(), value, f, depth + 1);
            });
            w.u8("end", 0);
            return m;
        }
        for (int type = w.u8(name + " type", 0); type != 0; type = w.u8(name + " type", 0)) {
            String key = text(w, name + " name", "", f);
            values.put(key, value(w, key.isEmpty() ? name : key, type, EMPTY, f, depth + 1));
            w.bounded(name, values.size(), MAX_ELEMENTS);
        }
        return new Compound(Collections.unmodifiableMap(values));
    }

    private static int integer(Wire w, String name, int value, Flavour f) {
        return f == Flavour.NETWORK ? Encoding.varint(w, name, value) : w.i32le(name, value);
    }

    private static long longInteger(Wire w, String name, long value, Flavour f) {
        return f == Flavour.NETWORK ? Encoding.varlong(w, name, value) : w.i64le(name, value);
    }

    private static int length(Wire w, String name, int value, Flavour f) {
        return w.bounded(name, integer(w, name, value, f), MAX_ELEMENTS);
    }

    private static String text(Wire w, String name, String value, Flavour f) {
        if (f == Flavour.NETWORK) {
            return Encoding.text(w, name, value, MAX_ELEMENTS);
        }
        w.begin(name);
        Bytes bytes = Bytes.wrap(value.getBytes(StandardCharsets.UTF_8));
        int length = w.u16le(name, w.bounded(name, bytes.length(), 0xFFFF));
        Bytes walked = w.bytes(name, bytes, length);
        String text = new String(walked.toArray(), StandardCharsets.UTF_8);
        w.end(text);
        return text;
    }
}

package dev.wishdir.bedrock.message;

import dev.wishdir.wire.Wire;

import java.util.List;

/**
 * One property of an actor's appearance.
 *
 * @param key {@link #FLAGS}, {@link #NAME} …
 */
public record Metadata(int key, Value value) {
    /** Maximum number of properties of an actor; the protocol has no limit of its own. */
    static final int MAX_ENTRIES = 256;

    static final Metadata BLANK = new Metadata(0, new OfByte(0));

    public static final int FLAGS = 0;
    public static final int NAME = 4;
    public static final int OWNER = 5;
    public static final int AIR = 7;
    public static final int SCALE = 38;
    public static final int WIDTH = 53;
    public static final int HEIGHT = 54;

    /** Bits of {@link #FLAGS}. */
    public static final long ON_FIRE = 1L;

    public static final long SNEAKING = 1L << 1;

    public static final long SPRINTING = 1L << 3;

    /** The actor uses its item, as a drawn bow. */
    public static final long USING_ITEM = 1L << 4;

    /** An arrow leaves a trail. */
    public static final long CRITICAL = 1L << 13;

    public static final long CAN_SHOW_NAME = 1L << 14;
    public static final long ALWAYS_SHOW_NAME = 1L << 15;
    public static final long BREATHING = 1L << 35;
    public static final long HAS_COLLISION = 1L << 48;
    public static final long HAS_GRAVITY = 1L << 49;
    public static final long SWIMMING = 1L << 57;

    /** A value; its type on the wire is the index among these records. */
    public sealed interface Value {
        int type();

        /** The plain value: a number, text, list or map. */
        Object plain();
    }

    public record OfByte(int value) implements Value {
        @Override
        public int type() {
            return 0;
        }

        @Override
        public Object plain() {
            return value;
        }
    }

    public record OfShort(int value) implements Value {
        @Override
        public int type() {
            return 1;
        }

        @Override
        public Object plain() {
            return value;
        }
    }

    public record OfInt(int value) implements Value {
        @Override
        public int type() {
            return 2;
        }

        @Override
        public Object plain() {
            return value;
        }
    }

    public record OfFloat(float value) implements Value {
        @Override
        public int type() {
            return 3;
        }

        @Override
        public Object plain() {
            return value;
        }
    }

    public record OfText(String value) implements Value {
        @Override
        public int type() {
            return 4;
        }

        @Override
        public Object plain() {
            return value;
        }
    }

    public record OfNbt(Nbt.Compound value) implements Value {
        @Override
        public int type() {
            return 5;
        }

        @Override
        public Object plain() {
            return value.plain();
        }
    }

    public record OfPosition(BlockPos value) implements Value {
        @Override
        public int type() {
            return 6;
        }

        @Override
        public Object plain() {
            return List.of(value.x(), value.y(), value.z());
        }
    }

    public record OfLong(long value) implements Value {
        @Override
        public int type() {
            return 7;
        }

        @Override
        public Object plain() {
            return value;
        }
    }

    public record OfVector(Vec3f value) implements Value {
        @Override
        public int type() {
            return 8;
        }

        @Override
        public Object plain() {
            return List.of(value.x(), value.y(), value.z());
        }
    }

    static List<Metadata> list(Wire w, List<Metadata> metadata, Dialect d) {
        return Encoding.list(
                w, "metadata", metadata, MAX_ENTRIES, BLANK, (wire, each) -> wire(wire, each, d));
    }

    private static Metadata wire(Wire w, Metadata m, Dialect d) {
        int key = Encoding.uvarint(w, "key", m.key);
        int type = Encoding.uvarint(w, "type", m.value.type());
        if (d.has(ProtocolChange.METADATA_TYPE_TWICE)) {
            w.u8("type again", type);
        }
        Value v = m.value;
        String n = "value";
        Value value =
                switch (type) {
                    case 0 -> new OfByte(w.i8(n, v instanceof OfByte t ? t.value : 0));
                    case 1 -> new OfShort(w.i16le(n, v instanceof OfShort t ? t.value : 0));
                    case 2 -> new OfInt(Encoding.varint(w, n, v instanceof OfInt t ? t.value : 0));
                    case 3 -> new OfFloat(w.f32le(n, v instanceof OfFloat t ? t.value : 0));
                    case 4 -> new OfText(Encoding.text(w, n, v instanceof OfText t ? t.value : ""));
                    case 5 ->
                            new OfNbt(
                                    Nbt.wire(
                                            w,
                                            n,
                                            v instanceof OfNbt t ? t.value : Nbt.EMPTY,
                                            Nbt.Flavour.NETWORK));
                    case 6 ->
                            new OfPosition(
                                    BlockPos.wire(
                                            w,
                                            n,
                                            v instanceof OfPosition t ? t.value : BlockPos.ZERO));
                    case 7 ->
                            new OfLong(Encoding.varlong(w, n, v instanceof OfLong t ? t.value : 0));
                    case 8 ->
                            new OfVector(
                                    Vec3f.wire(
                                            w, n, v instanceof OfVector t ? t.value : Vec3f.ZERO));
                    default -> throw w.malformed("type", "is the unknown metadata type " + type);
                };
        return new Metadata(key, value);
    }
}

package dev.wishdir.bedrock.message;

import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Wire;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BiFunction;

/**
 * Bedrock's own encodings: variable-length integers, texts, vectors, lists (Bedrock, primitives).
 */
public final class Encoding {
    /** Maximum size of a text without a limit of its own, bytes. */
    public static final int MAX_TEXT_BYTES = 32 << 10;

    private Encoding() {}

    /** A 32-bit number in two's complement: 7 bits a byte, the lowest first, at most 5 bytes. */
    public static int uvarint(Wire w, String name, int value) {
        w.begin(name);
        int walked = w.reading() ? readVarint(w, name) : writeVarint(w, name, value);
        if (w.tracing()) {
            w.end(Integer.toUnsignedString(walked));
        }
        return walked;
    }

    private static int readVarint(Wire w, String name) {
        int value = 0;
        for (int shift = 0; shift < 35; shift += 7) {
            int b = w.u8(name, 0);
            value |= (b & 0x7F) << shift;
            if (b < 0x80) {
                return value;
            }
        }
        throw w.malformed(name, "is longer than 5 bytes");
    }

    private static int writeVarint(Wire w, String name, int value) {
        int rest = value;
        while ((rest & ~0x7F) != 0) {
            w.u8(name, rest & 0x7F | 0x80);
            rest >>>= 7;
        }
        w.u8(name, rest);
        return value;
    }

    /** A signed number, its sign in the lowest bit. */
    public static int varint(Wire w, String name, int value) {
        w.begin(name);
        int coded = uvarint(w, name, value << 1 ^ value >> 31);
        int walked = coded >>> 1 ^ -(coded & 1);
        if (w.tracing()) {
            w.end(walked);
        }
        return walked;
    }

    /** A 64-bit number in two's complement: 7 bits a byte, the lowest first, at most 10 bytes. */
    public static long uvarlong(Wire w, String name, long value) {
        w.begin(name);
        long walked = w.reading() ? readVarlong(w, name) : writeVarlong(w, name, value);
        if (w.tracing()) {
            w.end(Long.toUnsignedString(walked));
        }
        return walked;
    }

    private static long readVarlong(Wire w, String name) {
        long value = 0;
        for (int shift = 0; shift < 70; shift += 7) {
            long b = w.u8(name, 0);
            value |= (b & 0x7F) << shift;
            if (b < 0x80) {
                return value;
            }
        }
        throw w.malformed(name, "is longer than 10 bytes");
    }

    private static long writeVarlong(Wire w, String name, long value) {
        long rest = value;
        while ((rest & ~0x7FL) != 0) {
            w.u8(name, (int) rest & 0x7F | 0x80);
            rest >>>= 7;
        }
        w.u8(name, (int) rest);
        return value;
    }

    /** A signed number, its sign in the lowest bit. */
    public static long varlong(Wire w, String name, long value) {
        w.begin(name);
        long coded = uvarlong(w, name, value << 1 ^ value >> 63);
        long walked = coded >>> 1 ^ -(coded & 1);
        if (w.tracing()) {
            w.end(walked);
        }
        return walked;
    }

    /** A count that is at most {@code max}. */
    static int count(Wire w, String name, int value, int max) {
        return w.bounded(name, uvarint(w, name, value), max);
    }

    /**
     * A text of at most {@code max} bytes of UTF-8. Invalid bytes read as replacement characters.
     */
    public static String text(Wire w, String name, String value, int max) {
        return new String(
                blob(w, name, Bytes.wrap(value.getBytes(StandardCharsets.UTF_8)), max).toArray(),
                StandardCharsets.UTF_8);
    }

    static String text(Wire w, String name, String value) {
        return text(w, name, value, MAX_TEXT_BYTES);
    }

    /** Bytes after their number, which is at most {@code max}. */
    static Bytes blob(Wire w, String name, Bytes value, int max) {
        w.begin(name);
        int length = count(w, name, value.length(), max);
        Bytes walked = w.bytes(name, value, length);
        w.end(walked);
        return walked;
    }

    /** A UUID: two 64-bit halves, the high one first, each little-endian. */
    static UUID uuid(Wire w, String name, UUID value) {
        w.begin(name);
        UUID walked =
                new UUID(
                        w.i64le(name, value.getMostSignificantBits()),
                        w.i64le(name, value.getLeastSignificantBits()));
        w.end(walked);
        return walked;
    }

    /** A UUID that is stored as text, the form of older versions. */
    static String uuidText(Wire w, String name, String value) {
        UUID kept = w.reading() || value.isEmpty() ? new UUID(0, 0) : UUID.fromString(value);
        return uuid(w, name, kept).toString();
    }

    /**
     * A colour of four bytes, blue first. Stored as text, {@code #aarrggbb}, the form of older
     * versions.
     */
    static String colourText(Wire w, String name, String value) {
        int colour = w.i32le(name, w.reading() ? 0 : colour(value));
        return w.reading() ? "#" + HexFormat.of().toHexDigits(colour) : value;
    }

    /** Parses a colour; six digits are opaque, an invalid text is 0. */
    private static int colour(String text) {
        if (!text.matches("#(?:[0-9a-fA-F]{6}|[0-9a-fA-F]{8})")) {
            return 0;
        }
        int colour = Integer.parseUnsignedInt(text.substring(1), 16);
        return text.length() == 7 ? colour | 0xFF << 24 : colour;
    }

    /** An optional value, after a byte that says whether it is present. */
    static <T> Optional<T> optional(
            Wire w, String name, Optional<T> value, T blank, BiFunction<Wire, T, T> walk) {
        boolean present = w.bool(name, value.isPresent());
        return present ? Optional.of(walk.apply(w, value.orElse(blank))) : Optional.empty();
    }

    /** An optional text, after a byte that says whether it is present. */
    static Optional<String> optionalText(Wire w, String name, Optional<String> value) {
        return optional(w, name, value, "", (wire, text) -> text(wire, name, text));
    }

    /** An angle of one byte, 1/256 of a turn. */
    static int byteAngle(Wire w, String name, int value) {
        int walked = w.u8(name, value);
        if (w.tracing()) {
            w.annotate(walked * 360 / 256.0 + " degrees");
        }
        return walked;
    }

    /**
     * The elements of a list after their number. Each takes at least one byte, so a number that the
     * packet cannot hold is refused before memory is allocated.
     */
    static <T> List<T> items(
            Wire w, String name, List<T> value, int count, T blank, BiFunction<Wire, T, T> walk) {
        if (w.reading() && count > w.remaining()) {
            throw w.malformed(name, "has " + count + " elements in " + w.remaining() + " bytes");
        }
        List<T> walked = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            if (w.tracing()) {
                w.pushScope(name + " " + i);
            }
            walked.add(walk.apply(w, Wire.item(value, i, blank)));
            if (w.tracing()) {
                w.popScope();
            }
        }
        return List.copyOf(walked);
    }

    /** A list, after its number of elements. */
    static <T> List<T> list(
            Wire w, String name, List<T> value, int max, T blank, BiFunction<Wire, T, T> walk) {
        return items(w, name, value, count(w, name, value.size(), max), blank, walk);
    }

    /** A list of texts, after their number. */
    static List<String> texts(Wire w, String name, List<String> value, int max) {
        return list(w, name, value, max, "", (wire, text) -> text(wire, name, text));
    }
}

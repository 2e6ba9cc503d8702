package dev.wishdir.sauerbraten.message;

import dev.wishdir.wire.Wire;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;

/**
 * The encodings of Cube 2: {@code int}, {@code uint}, strings and lists (Cube 2: Sauerbraten,
 * encodings). Each is one field of a trace. Longer forms than necessary are accepted, and written
 * in the shortest form.
 */
public final class CubeWire {
    /** Maximum number of elements of a list that the protocol does not limit. */
    static final int MAX_LIST = 10_000;

    private CubeWire() {}

    /** The walk of a structure, such as {@code Hit::wire}. */
    @FunctionalInterface
    interface Walk<T> {
        T walk(Wire wire, T value);
    }

    /** The walk of a structure after its first int. */
    @FunctionalInterface
    interface KeyedWalk<T> {
        T walk(Wire wire, int key, T value);
    }

    /** A signed number in one, three or five bytes: {@code putint}. */
    public static int integer(Wire w, String name, int value) {
        w.begin(name);
        int head =
                w.i8(
                        name,
                        value == (byte) value && value > -127
                                ? value
                                : value == (short) value ? -128 : -127);
        int result =
                head == -128 ? w.i16le(name, value) : head == -127 ? w.i32le(name, value) : head;
        if (w.tracing()) {
            w.end(result);
        }
        return result;
    }

    /**
     * An unsigned number in one to four bytes of seven bits, low first: {@code putuint}. Range
     * -2^28..2^28-1; negative ones always take four bytes.
     */
    public static int uint(Wire w, String name, int value) {
        w.begin(name);
        if (!w.reading()) {
            uintFits(name, value);
        }
        int result = w.u8(name, group(value));
        if ((result & 0x80) != 0) {
            int next = value >>> 7;
            result += (w.u8(name, group(next)) << 7) - 0x80;
            if ((result & 1 << 14) != 0) {
                next >>>= 7;
                result += (w.u8(name, group(next)) << 14) - (1 << 14);
                if ((result & 1 << 21) != 0) {
                    result += (w.u8(name, next >>> 7 & 0xFF) << 21) - (1 << 21);
                    if ((result & 1 << 28) != 0) {
                        result |= -1 << 28;
                    }
                }
            }
        }
        if (w.tracing()) {
            w.end(result);
        }
        return result;
    }

    /** Checks that {@link #uint} can write a value. */
    static void uintFits(String name, int value) {
        if (value >> 28 != value >> 31) {
            throw new IllegalArgumentException(name + " is " + value + ", must fit 29 bits");
        }
    }

    /** The lowest seven bits, with the eighth set where others follow. */
    private static int group(int value) {
        return value >>> 7 == 0 ? value : value & 0x7F | 0x80;
    }

    /** An int that is 0 or 1; any other value reads as true. */
    public static boolean bool(Wire w, String name, boolean value) {
        boolean result = integer(w, name, value ? 1 : 0) != 0;
        if (w.tracing()) {
            w.annotate(result ? "yes" : "no");
        }
        return result;
    }

    /** An int with named values, starting with {@code first}. */
    static int named(Wire w, String name, int value, int first, List<String> names) {
        int result = integer(w, name, value);
        // As a long: the difference of a received int and first may overflow.
        long index = (long) result - first;
        if (w.tracing() && index >= 0 && index < names.size()) {
            w.annotate(result + " (" + names.get((int) index) + ")");
        }
        return result;
    }

    /** An int with a unit. */
    static int measured(Wire w, String name, int value, String unit) {
        int result = integer(w, name, value);
        if (w.tracing()) {
            w.annotate(result + " " + unit);
        }
        return result;
    }

    /** A name, map or other string of at most 259 characters. */
    public static String string(Wire w, String name, String value) {
        return string(w, name, value, CubeText.MAX_STRING_CHARS + 1);
    }

    /** A chat line of at most 4999 characters. */
    public static String line(Wire w, String name, String value) {
        return string(w, name, value, CubeText.MAX_LINE_CHARS + 1);
    }

    /**
     * A string: each character's byte as an int, terminated by 0. Characters that the game does not
     * have are not written.
     *
     * @param limit maximum length, the terminating 0 included
     */
    public static String string(Wire w, String name, String value, int limit) {
        w.begin(name);
        String result =
                w.reading() ? readString(w, name, limit) : writeString(w, name, value, limit);
        if (w.tracing()) {
            w.end('"' + result + '"');
        }
        return result;
    }

    private static String readString(Wire w, String name, int limit) {
        StringBuilder text = new StringBuilder();
        for (int b = integer(w, name, 0) & 0xFF; b != 0; b = integer(w, name, 0) & 0xFF) {
            if (text.length() == limit - 1) {
                throw w.malformed(name, "has more than " + (limit - 1) + " characters");
            }
            text.append(CubeText.character(b));
        }
        return text.toString();
    }

    private static String writeString(Wire w, String name, String value, int limit) {
        int written = 0;
        for (int i = 0; i < value.length(); i++) {
            int b = CubeText.code(value.charAt(i));
            if (b > 0) {
                w.bounded(name, ++written, limit - 1);
                integer(w, name, (byte) b);
            }
        }
        integer(w, name, 0);
        return value;
    }

    /** Elements whose count was walked before. */
    static <T> List<T> list(Wire w, String name, int count, List<T> values, T blank, Walk<T> walk) {
        List<T> result = new ArrayList<>(Math.min(count, 64));
        for (int i = 0; i < count; i++) {
            pushScope(w, name, i);
            result.add(walk.walk(w, Wire.item(values, i, blank)));
            popScope(w);
        }
        return List.copyOf(result);
    }

    /** A count and that number of elements. */
    static <T> List<T> counted(
            Wire w, String name, int max, List<T> values, T blank, Walk<T> walk) {
        int count = w.bounded(name, integer(w, "n", values.size()), max);
        return list(w, name, count, values, blank, walk);
    }

    /**
     * Elements that begin with an int of 0 or more, terminated by -1.
     *
     * @param key name of that int
     */
    static <T> List<T> untilMinusOne(
            Wire w,
            String name,
            String key,
            List<T> values,
            ToIntFunction<T> keyOf,
            T blank,
            KeyedWalk<T> walk) {
        List<T> result = new ArrayList<>(Math.min(values.size(), 64));
        while (true) {
            int i = w.bounded(name, result.size(), MAX_LIST);
            boolean writes = i < values.size();
            T value = writes ? values.get(i) : blank;
            pushScope(w, name, i);
            int first = integer(w, key, writes ? natural(w, key, keyOf.applyAsInt(value)) : -1);
            if (first == -1) {
                if (w.tracing()) {
                    w.annotate("end of the list");
                }
                popScope(w);
                return List.copyOf(result);
            }
            result.add(walk.walk(w, natural(w, key, first), value));
            popScope(w);
        }
    }

    private static int natural(Wire w, String name, int value) {
        return w.bounded(name, value, Integer.MAX_VALUE);
    }

    private static void pushScope(Wire w, String name, int index) {
        if (w.tracing()) {
            w.pushScope(name + "." + index);
        }
    }

    private static void popScope(Wire w) {
        if (w.tracing()) {
            w.popScope();
        }
    }
}

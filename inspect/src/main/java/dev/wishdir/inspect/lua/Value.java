package dev.wishdir.inspect.lua;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** What a walk's local variable or operand is while the walk is translated. */
sealed interface Value {
    /** What a Lua value stands for. */
    enum Kind {
        /** A Lua number from -2^31 to 2^31-1; also a Java boolean or character. */
        INT,
        /** A Lua number; of a field of eight bytes, Wireshark's Int64. */
        LONG,
        DOUBLE,
        TEXT,
        /** A range of the packet. */
        BYTES,
        /** A table with the components of a record. */
        RECORD,
        /** A table with items from 1 and their number {@code n}. */
        LIST,
        /** What no condition, name or text may depend on. */
        OTHER;

        static Kind of(@Nullable Object value) {
            return switch (value) {
                case Integer _ -> INT;
                case Long _ -> LONG;
                case Double _, Float _ -> DOUBLE;
                case String _ -> TEXT;
                case null, default -> OTHER;
            };
        }
    }

    /** A Java object that exists when the walk is translated. */
    record Known(@Nullable Object object) implements Value {
        /** Whether it has a literal in Lua. */
        boolean isLiteral() {
            return Kind.of(object) != Kind.OTHER;
        }
    }

    /** A Lua expression without side effects. */
    record Expression(String lua, Kind kind) implements Value {}

    /**
     * One of several Java objects.
     *
     * @param index Lua expression of its index, from 0
     */
    record Choice(List<Object> options, String index) implements Value {}

    /**
     * An object between {@code new} and its constructor.
     *
     * @param at position of its instruction
     */
    record Unbuilt(int at, Class<?> type) implements Value {}

    /**
     * An exception about a field.
     *
     * @param name Lua expression of the field's name
     * @param problem Lua expression of what is wrong
     */
    record Failure(String name, String problem) implements Value {}

    /** The wire that the walk reads. */
    record Packet() implements Value {
        static final Packet WIRE = new Packet();
    }

    /** The expression of a value of which only its existence matters. */
    Expression NOTHING = new Expression("nil", Kind.OTHER);
}

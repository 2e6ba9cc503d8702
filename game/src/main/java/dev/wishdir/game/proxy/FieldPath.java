package dev.wishdir.game.proxy;

import java.util.List;
import java.util.Locale;

/**
 * The path of a field that is to be set, and the value. Names are compared without case.
 *
 * @param whole the whole path, for errors
 * @param path the rest of it, names separated by dots
 * @param value as it was written
 */
public record FieldPath(String whole, String path, String value) {
    private static final String ALL = "*";

    /** A path from its beginning. */
    public static FieldPath of(String path, String value) {
        return new FieldPath(path, path, value);
    }

    /** The first name, in lower case. */
    public String name() {
        int point = path.indexOf('.');
        return (point < 0 ? path : path.substring(0, point)).toLowerCase(Locale.ROOT);
    }

    /** The path below its first name; empty if there is none. */
    public FieldPath rest() {
        int point = path.indexOf('.');
        return new FieldPath(whole, point < 0 ? "" : path.substring(point + 1), value);
    }

    /** Whether the path is this name, which may contain dots. */
    public boolean is(String label) {
        return path.equalsIgnoreCase(label);
    }

    /**
     * The path below a name.
     *
     * @param allowed the path's form, for the error
     * @throws IllegalArgumentException if the first name is another
     */
    public FieldPath below(String name, String allowed) {
        if (!name().equals(name.toLowerCase(Locale.ROOT))) {
            throw unknown(allowed);
        }
        return rest();
    }

    /**
     * The path's only name as an index.
     *
     * @throws IllegalArgumentException if it is not one
     */
    public int index(int last) {
        return integer("index", path, 0, last);
    }

    /**
     * Whether the first name is an index, or {@code *} for all.
     *
     * @throws IllegalArgumentException if it is neither
     */
    public boolean isIndex(int index, int last) {
        return name().equals(ALL) || integer("index", name(), 0, last) == index;
    }

    /**
     * The value as a whole number.
     *
     * @throws IllegalArgumentException if it is not one, or out of range
     */
    public int integer(int least, int greatest) {
        return integer("value", value, least, greatest);
    }

    private int integer(String what, String text, int least, int greatest) {
        try {
            int number = Integer.parseInt(text);
            if (number >= least && number <= greatest) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Reported below.
        }
        throw new IllegalArgumentException(
                whole
                        + ": "
                        + what
                        + " '"
                        + text
                        + "' must be a whole number from "
                        + least
                        + " to "
                        + greatest);
    }

    /**
     * The value as a whole number of 64 bits.
     *
     * @throws IllegalArgumentException if it is not one, or out of range
     */
    public long longInteger() {
        try {
            return Long.parseLong(value);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    whole + ": value '" + value + "' must be a whole number of 64 bits", e);
        }
    }

    /**
     * The value as a boolean.
     *
     * @throws IllegalArgumentException if it is not one
     */
    public boolean bool() {
        return switch (value.toLowerCase(Locale.ROOT)) {
            case "true" -> true;
            case "false" -> false;
            default ->
                    throw new IllegalArgumentException(
                            whole + ": value '" + value + "' must be true or false");
        };
    }

    /**
     * The value as a number.
     *
     * @throws IllegalArgumentException if it is not a finite one
     */
    public double decimal() {
        try {
            double number = Double.parseDouble(value);
            if (Double.isFinite(number)) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Reported below.
        }
        throw new IllegalArgumentException(whole + ": value '" + value + "' must be a number");
    }

    /** The error for a field that does not exist or can't be set. */
    public IllegalArgumentException unknown(String... allowed) {
        return new IllegalArgumentException(
                "field '"
                        + whole
                        + "' can't be set; allowed: "
                        + (allowed.length == 0 ? "none" : String.join(", ", List.of(allowed))));
    }
}

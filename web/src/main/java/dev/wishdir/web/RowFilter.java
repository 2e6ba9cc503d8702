package dev.wishdir.web;

import dev.wishdir.inspect.FieldFilter;

import java.util.function.Predicate;

/**
 * Which lines of a capture are wanted; what is empty is not asked for.
 *
 * @param player the client's UDP port
 * @param direction {@code c2s} or {@code s2c}
 * @param name a message's or transport command's
 * @param field {@code path=value} as {@link FieldFilter} has it; or any text that the fields hold
 */
record RowFilter(String game, String player, String direction, String name, String field) {
    static final RowFilter ALL = new RowFilter("", "", "", "", "");

    /**
     * What fields must be.
     *
     * @param mayBeIn whether the fields of many lines together may hold what is wanted
     * @param takes whether the fields of one line do
     */
    record Fields(Predicate<String> mayBeIn, Predicate<String> takes) {}

    /** What a line's fields, as JSON, must be. */
    Fields fields() {
        if (field.indexOf('=') <= 0) {
            Predicate<String> holds = text -> text.contains(field);
            return new Fields(holds, holds);
        }
        FieldFilter wanted = FieldFilter.parse(field);
        return new Fields(wanted::mayBeIn, wanted::takes);
    }
}

package dev.wishdir.web.explore;

import dev.wishdir.inspect.output.FieldFilter;

import java.util.function.Predicate;

/**
 * A filter for the lines of captures; an empty part is not filtered.
 *
 * @param player the client's UDP port
 * @param direction {@code c2s} or {@code s2c}
 * @param name name of a message or transport command
 * @param field {@code path=value} of a {@link FieldFilter}, or any text that the fields contain
 */
record RowFilter(String game, String player, String direction, String name, String field) {
    /**
     * The condition on the fields of a line.
     *
     * @param mayMatch whether the fields of several lines together can match
     * @param matches whether the fields of one line match
     */
    record Fields(Predicate<String> mayMatch, Predicate<String> matches) {}

    /** The condition on a line's fields, given as JSON. */
    Fields fields() {
        if (field.indexOf('=') <= 0) {
            Predicate<String> contains = text -> text.contains(field);
            return new Fields(contains, contains);
        }
        FieldFilter wanted = FieldFilter.parse(field);
        return new Fields(wanted::mayBePresent, wanted::matches);
    }
}

package dev.wishdir.inspect.lua;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** Translates what a method calls. */
interface CallTranslator {
    /** The value of a call; null if it has none. */
    @Nullable Value call(Call call, Statements statements);

    /** The value of a new object: a table of a record or list, or nothing. */
    Value construct(Class<?> type, List<Value> arguments, Statements statements);

    /** The number of fields that began and did not end. */
    int begun();

    /** Forgets the fields that began in a translation that starts again. */
    void resetBegun(int number);
}

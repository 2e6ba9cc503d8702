package dev.wishdir.app.analysis;

import java.io.IOException;

/**
 * Writes the rows of a table, value by value in the order of the columns. Each value must have the
 * type of its column.
 */
interface RowWriter {
    void text(String value) throws IOException;

    void integer(long value) throws IOException;

    void number(float value) throws IOException;

    void number(double value) throws IOException;

    void flag(boolean value) throws IOException;

    /**
     * @param nanos nanoseconds since 1970
     */
    void time(long nanos) throws IOException;

    /** A value that is unknown or that does not apply. */
    void none() throws IOException;

    void endRow() throws IOException;
}

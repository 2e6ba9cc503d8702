package dev.wishdir.app.analysis;

import java.io.IOException;

/** Writes the tables of recordings in a format. */
interface TableWriter extends AutoCloseable {
    /** The writer of a table's rows. */
    RowWriter rows(Table table);

    /** Completes the tables. */
    void finish() throws IOException;

    /** Releases files and memory, whether the tables are complete or not. */
    @Override
    void close() throws IOException;
}

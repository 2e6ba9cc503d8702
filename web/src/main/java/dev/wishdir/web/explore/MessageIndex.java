package dev.wishdir.web.explore;

import com.google.gson.Gson;
import com.google.gson.JsonObject;

import dev.wishdir.inspect.capture.PcapWriter;
import dev.wishdir.wire.dissect.Direction;
import dev.wishdir.wire.dissect.DissectedMessage;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * An index over decoded messages (lines), of captures or of a running session, for an {@link
 * Explorer}. Any thread may query.
 */
public abstract sealed class MessageIndex implements AutoCloseable permits CaptureIndex, LiveIndex {
    private static final int MAX_ROW_CHARS = 240;

    /**
     * A line of the list.
     *
     * @param row its number, from 0, which it keeps
     * @param text the beginning of its fields as JSON
     */
    record Row(
            long row,
            int file,
            long frame,
            double time,
            String dir,
            int client,
            String game,
            String layer,
            String name,
            String text) {
        Row {
            text = text.length() > MAX_ROW_CHARS ? text.substring(0, MAX_ROW_CHARS) : text;
        }

        static String layer(DissectedMessage.Layer layer) {
            return layer.name().toLowerCase(Locale.ROOT);
        }

        /** Whether the line is in a direction of a {@link RowFilter}. */
        static boolean isIn(String filter, Direction direction) {
            return filter.isEmpty() || filter.equals(direction.label());
        }
    }

    /**
     * The progress of reading.
     *
     * @param part the share of the file that was read, from 0 to 1
     */
    record Progress(String file, double part, int lines) {}

    /** Takes lines. */
    @FunctionalInterface
    interface LineConsumer {
        /**
         * @param fields all fields as JSON
         * @param line the whole line, as {@code inspect --json --explain} prints it
         */
        void accept(Row row, String fields, String line) throws IOException;
    }

    MessageIndex() {}

    /** The progress of reading; empty if everything is read. */
    Optional<Progress> reading() {
        return Optional.empty();
    }

    /** The names of the captures. */
    abstract List<String> files();

    /** Whether there are datagrams, for a capture. */
    abstract boolean hasDatagrams();

    /** Summary of all lines for the page. */
    abstract JsonObject summary(Gson gson);

    /** The number of the line that comes next. */
    abstract long next();

    /** The lines that pass a filter. */
    abstract FoundRows found(RowFilter filter) throws IOException;

    /** Some of the lines that {@link #found} returned, without those that have left. */
    abstract List<Row> rows(FoundRows found, int from, int count) throws IOException;

    /** Passes on all lines that {@link #found} returned. */
    abstract void forEach(FoundRows found, LineConsumer lines) throws IOException;

    /** Writes the datagrams of all lines that {@link #found} returned. */
    abstract void writeDatagrams(FoundRows found, PcapWriter capture) throws IOException;

    /** A whole line, as {@code inspect --json --explain} prints it; empty if there is none. */
    abstract Optional<String> detail(long row) throws IOException;

    /**
     * The movements of the players.
     *
     * @param since only samples after this time, seconds
     */
    abstract JsonObject tracks(Gson gson, double since);

    /** Parses a client's port: -1 for any, -2 for none if it is not a number. */
    static int port(String typed) {
        return typed.isEmpty() ? -1 : typed.matches("[0-9]{1,5}") ? Integer.parseInt(typed) : -2;
    }

    @Override
    public abstract void close();
}

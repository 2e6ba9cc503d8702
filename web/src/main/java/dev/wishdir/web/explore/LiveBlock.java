package dev.wishdir.web.explore;

import dev.wishdir.inspect.output.JsonLines;
import dev.wishdir.web.DeflatedText;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.dissect.Direction;
import dev.wishdir.wire.dissect.DissectedMessage;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.Deflater;

/** Successive lines of a running session, with their datagrams. Immutable. */
final class LiveBlock {
    /** Number of lines that are compressed together. */
    static final int MAX_LINES = 64;

    /** Characters after which fewer lines are compressed. */
    static final int MAX_CHARS = 1 << 20;

    /** Heap memory of a line without its texts: its head, and its number in each cached filter. */
    private static final int LINE_BYTES = 128;

    /** Heap memory of a datagram without its payload: its addresses, and objects. */
    private static final int DATAGRAM_BYTES = 200;

    /**
     * A datagram with the addresses that it had.
     *
     * @param number of the datagrams, from 1
     */
    record Observed(
            long number,
            long epochNanos,
            InetSocketAddress source,
            InetSocketAddress destination,
            Bytes payload) {}

    /** A line without its texts. */
    record Head(
            long frame,
            double time,
            Direction direction,
            int client,
            String game,
            DissectedMessage.Layer layer,
            String name,
            Observed datagram) {}

    /** Texts of lines, which may be compressed. */
    @FunctionalInterface
    private interface Texts {
        List<String> get() throws IOException;
    }

    /** The lines that are not compressed yet. Not thread-safe. */
    static final class Builder {
        private final long first;
        private final List<Head> heads = new ArrayList<>();
        private final List<String> fields = new ArrayList<>();
        private final List<String> lines = new ArrayList<>();
        private long chars;

        /**
         * @param first the number of the first line
         */
        Builder(long first) {
            this.first = first;
        }

        void add(DissectedMessage message, Observed datagram, JsonLines.Written written) {
            heads.add(
                    new Head(
                            message.frame(),
                            message.time(),
                            message.direction(),
                            message.client(),
                            message.game(),
                            message.layer(),
                            message.name(),
                            datagram));
            fields.add(written.fields());
            lines.add(written.line());
            chars += written.fields().length() + written.line().length();
        }

        boolean isFull() {
            return heads.size() >= MAX_LINES || chars >= MAX_CHARS;
        }

        boolean isEmpty() {
            return heads.isEmpty();
        }

        long first() {
            return first;
        }

        /** The number of the next line. */
        long end() {
            return first + heads.size();
        }

        /** The lines so far. */
        LiveBlock copy() {
            List<String> fieldsSoFar = List.copyOf(fields);
            List<String> linesSoFar = List.copyOf(lines);
            return new LiveBlock(
                    first, List.copyOf(heads), () -> fieldsSoFar, () -> linesSoFar, 2 * chars);
        }

        LiveBlock compress() {
            Deflater deflater = new Deflater(Deflater.BEST_SPEED);
            try {
                byte[] packedFields = DeflatedText.deflate(deflater, String.join("\n", fields));
                byte[] packedLines = DeflatedText.deflate(deflater, String.join("\n", lines));
                return new LiveBlock(
                        first,
                        List.copyOf(heads),
                        () -> DeflatedText.inflate(packedFields).lines().toList(),
                        () -> DeflatedText.inflate(packedLines).lines().toList(),
                        packedFields.length + packedLines.length);
            } finally {
                deflater.end();
            }
        }
    }

    private final long first;
    private final List<Head> heads;
    private final Texts fields;
    private final Texts lines;
    private final long retainedBytes;

    private LiveBlock(long first, List<Head> heads, Texts fields, Texts lines, long textBytes) {
        this.first = first;
        this.heads = heads;
        this.fields = fields;
        this.lines = lines;
        long bytes = textBytes;
        long last = -1;
        for (Head head : heads) {
            bytes += LINE_BYTES + 2L * head.name.length();
            if (head.datagram.number != last) {
                last = head.datagram.number;
                bytes += DATAGRAM_BYTES + head.datagram.payload.length();
            }
        }
        retainedBytes = bytes;
    }

    long first() {
        return first;
    }

    /** The number after its last line. */
    long end() {
        return first + heads.size();
    }

    boolean has(long row) {
        return row >= first && row < end();
    }

    List<Head> heads() {
        return heads;
    }

    Head head(long row) {
        return heads.get((int) (row - first));
    }

    /** The fields of each line as JSON. */
    List<String> fields() throws IOException {
        return fields.get();
    }

    /** Each line as JSON. */
    List<String> lines() throws IOException {
        return lines.get();
    }

    /** Heap memory, including the datagrams. */
    long retainedBytes() {
        return retainedBytes;
    }

    MessageIndex.Row row(long row, String text) {
        Head head = head(row);
        return new MessageIndex.Row(
                row,
                0,
                head.frame,
                head.time,
                head.direction.label(),
                head.client,
                head.game,
                MessageIndex.Row.layer(head.layer),
                head.name,
                text);
    }
}

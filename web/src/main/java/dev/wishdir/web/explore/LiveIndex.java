package dev.wishdir.web.explore;

import com.google.gson.Gson;
import com.google.gson.JsonObject;

import dev.wishdir.inspect.Flows;
import dev.wishdir.inspect.capture.PcapWriter;
import dev.wishdir.inspect.output.JsonLines;
import dev.wishdir.wire.EvictingMap;
import dev.wishdir.wire.dissect.Datagram;
import dev.wishdir.wire.dissect.DissectedMessage;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.LongStream;

/**
 * An index over the newest datagrams of a running session and their decoded messages (lines), in
 * memory. The oldest leave when it needs more than its maximum. It has the totals of the {@value
 * #MAX_FLOWS} newest connections, and {@value #MAX_SAMPLES} samples of movements.
 *
 * <p>One thread adds datagrams; a query delays it only while a list is copied, never while texts
 * are decompressed or sent.
 */
public final class LiveIndex extends MessageIndex {
    /** Default of the maximum memory of datagrams and lines. */
    public static final long DEFAULT_MAX_BYTES = 64 << 20;

    /** Minimum of the maximum, which is more than one block needs. */
    public static final long MIN_MAX_BYTES = 4 << 20;

    /** Maximum number of connections with totals. */
    static final int MAX_FLOWS = 128;

    /** Maximum number of samples of movements. */
    static final int MAX_SAMPLES = 100_000;

    private static final int MAX_CACHED_FILTERS = 8;

    /** The lines that passed a filter so far. Guarded by itself. */
    private static final class Matches {
        /** Never changed in the part that a query got. */
        private long[] rows = new long[256];

        private int head;
        private int tail;
        private long base;

        /** The number of the first line that is not searched yet. */
        private long next;

        void add(long row) {
            if (tail == rows.length) {
                long[] longer = new long[Math.max(256, 2 * (tail - head))];
                System.arraycopy(rows, head, longer, 0, tail - head);
                rows = longer;
                tail -= head;
                head = 0;
            }
            rows[tail++] = row;
        }

        void dropBefore(long row) {
            while (head < tail && rows[head] < row) {
                head++;
                base++;
            }
        }

        FoundRows found() {
            long[] all = rows;
            int first = head;
            return new FoundRows(base, tail - head, i -> all[first + i]);
        }
    }

    private final String title;
    private final long maxBytes;
    private final Object lock = new Object();
    private final List<LiveBlock> blocks = new ArrayList<>();
    private final Flows flows = Flows.newest(MAX_FLOWS);
    private final PlayerTracks tracks;
    private final Map<String, Integer> games = new TreeMap<>();
    private final Map<String, Integer> names = new TreeMap<>();
    private final Map<Integer, Integer> players = new TreeMap<>();
    private final Map<RowFilter, Matches> cache = EvictingMap.leastRecentlyUsed(MAX_CACHED_FILTERS);
    private LiveBlock.Builder open = new LiveBlock.Builder(0);
    private long retainedBytes;
    private double seconds;

    /**
     * @param title of the session, for users
     * @param maxBytes maximum memory of datagrams and lines, at least {@link #MIN_MAX_BYTES}
     * @param movements read those of the session's game
     */
    public LiveIndex(String title, long maxBytes, MovementSource.Factory movements) {
        if (maxBytes < MIN_MAX_BYTES) {
            throw new IllegalArgumentException(
                    "maximum must be at least " + MIN_MAX_BYTES + " bytes, is " + maxBytes);
        }
        this.title = title;
        this.maxBytes = maxBytes;
        tracks = PlayerTracks.newest(movements, MAX_SAMPLES);
    }

    /**
     * Adds a datagram. Only for one thread.
     *
     * @param datagram as it was decoded
     * @param epochNanos its time, nanoseconds since 1970
     * @param source its address, which may differ from the decoded one if a client's port changed
     * @param messages decoded from it, with their traces
     */
    public void add(
            Datagram datagram,
            long epochNanos,
            InetSocketAddress source,
            InetSocketAddress destination,
            List<DissectedMessage> messages) {
        LiveBlock.Observed observed =
                new LiveBlock.Observed(
                        datagram.frame(), epochNanos, source, destination, datagram.payload());
        for (DissectedMessage message : messages) {
            JsonLines.Written written = JsonLines.written(message);
            synchronized (lock) {
                open.add(message, observed, written);
                games.merge(message.game(), 1, Integer::sum);
                names.merge(message.name(), 1, Integer::sum);
                players.merge(message.client(), 1, Integer::sum);
                tracks.add("", message);
            }
            if (open.isFull()) {
                seal();
            }
        }
        synchronized (lock) {
            flows.count(datagram, messages);
            seconds = Math.max(seconds, datagram.time());
        }
    }

    /** Compresses the newest lines. Only the adding thread changes them. */
    private void seal() {
        LiveBlock sealed = open.compress();
        synchronized (lock) {
            blocks.add(sealed);
            retainedBytes += sealed.retainedBytes();
            open = new LiveBlock.Builder(sealed.end());
            while (retainedBytes > maxBytes) {
                evict(blocks.removeFirst());
            }
        }
    }

    private void evict(LiveBlock oldest) {
        retainedBytes -= oldest.retainedBytes();
        for (LiveBlock.Head head : oldest.heads()) {
            decrement(games, head.game());
            decrement(names, head.name());
            decrement(players, head.client());
        }
        tracks.dropBefore(oldest.heads().getLast().time());
    }

    private static <K> void decrement(Map<K, Integer> counts, K key) {
        counts.computeIfPresent(key, (_, count) -> count == 1 ? null : count - 1);
    }

    /** Heap memory of the datagrams and lines, without those of the newest block. */
    long retainedBytes() {
        synchronized (lock) {
            return retainedBytes;
        }
    }

    /** The number of the oldest line. */
    private long first() {
        return blocks.isEmpty() ? open.first() : blocks.getFirst().first();
    }

    @Override
    List<String> files() {
        return List.of(title);
    }

    @Override
    boolean hasDatagrams() {
        return true;
    }

    @Override
    JsonObject summary(Gson gson) {
        synchronized (lock) {
            JsonObject summary = new JsonObject();
            summary.addProperty("live", true);
            summary.add("files", gson.toJsonTree(files()));
            summary.add("problems", gson.toJsonTree(List.of()));
            summary.addProperty("lines", open.end() - first());
            summary.addProperty("leftOut", first());
            summary.addProperty("megabytes", maxBytes >> 20);
            summary.addProperty(
                    "from", blocks.isEmpty() ? 0 : blocks.getFirst().heads().getFirst().time());
            summary.addProperty("seconds", seconds);
            summary.add("games", gson.toJsonTree(games.keySet()));
            summary.add("players", gson.toJsonTree(players));
            summary.add("called", gson.toJsonTree(PlayerTracks.names(flows)));
            summary.add("names", gson.toJsonTree(names));
            summary.add("flows", gson.toJsonTree(flows.all()));
            return summary;
        }
    }

    @Override
    long next() {
        synchronized (lock) {
            return open.end();
        }
    }

    @Override
    JsonObject tracks(Gson gson, double since) {
        synchronized (lock) {
            return tracks.json(gson, since);
        }
    }

    @Override
    FoundRows found(RowFilter filter) throws IOException {
        Matches matches;
        synchronized (cache) {
            matches = cache.computeIfAbsent(filter, _ -> new Matches());
        }
        synchronized (matches) {
            List<LiveBlock> unsearched;
            long first;
            synchronized (lock) {
                first = first();
                unsearched = since(matches.next);
            }
            for (LiveBlock block : unsearched) {
                search(block, filter, matches);
            }
            matches.dropBefore(first);
            return matches.found();
        }
    }

    /** The blocks with lines from a number on, with the newest lines. */
    private List<LiveBlock> since(long row) {
        int index = block(row);
        List<LiveBlock> since = new ArrayList<>(blocks.subList(index, blocks.size()));
        if (!open.isEmpty()) {
            since.add(open.copy());
        }
        return since;
    }

    /** The index of the first block that ends after a line. */
    private int block(long row) {
        int low = 0;
        int high = blocks.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (blocks.get(middle).end() <= row) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private static void search(LiveBlock block, RowFilter filter, Matches matches)
            throws IOException {
        long from = Math.max(block.first(), matches.next);
        int player = port(filter.player());
        long[] taken =
                LongStream.range(from, block.end())
                        .filter(row -> passes(block.head(row), filter, player))
                        .toArray();
        if (filter.field().isEmpty()) {
            Arrays.stream(taken).forEach(matches::add);
        } else if (taken.length > 0) {
            List<String> fields = block.fields();
            Predicate<String> wanted = filter.fields().matches();
            for (long row : taken) {
                if (wanted.test(fields.get((int) (row - block.first())))) {
                    matches.add(row);
                }
            }
        }
        matches.next = block.end();
    }

    private static boolean passes(LiveBlock.Head head, RowFilter filter, int player) {
        return (filter.game().isEmpty() || filter.game().equals(head.game()))
                && (filter.name().isEmpty() || filter.name().equals(head.name()))
                && (player == -1 || player == head.client())
                && Row.isIn(filter.direction(), head.direction());
    }

    /** The block of a line; null if the line has left, or is not there yet. */
    private @Nullable LiveBlock blockOf(long row) {
        synchronized (lock) {
            int index = block(row);
            LiveBlock block = index < blocks.size() ? blocks.get(index) : open.copy();
            return block.has(row) ? block : null;
        }
    }

    @Override
    List<Row> rows(FoundRows found, int from, int count) throws IOException {
        List<Row> rows = new ArrayList<>();
        LiveBlock block = null;
        List<String> fields = List.of();
        for (int k = from; k < Math.min(found.size(), from + count); k++) {
            long row = found.get(k);
            if (block == null || !block.has(row)) {
                block = blockOf(row);
                fields = block == null ? List.of() : block.fields();
            }
            if (block != null) {
                rows.add(block.row(row, fields.get((int) (row - block.first()))));
            }
        }
        return rows;
    }

    /**
     * @throws IOException if lines leave faster than they are taken
     */
    @Override
    void forEach(FoundRows found, LineConsumer consumer) throws IOException {
        LiveBlock block = null;
        List<String> fields = List.of();
        List<String> lines = List.of();
        for (int k = 0; k < found.size(); k++) {
            long row = found.get(k);
            if (block == null || !block.has(row)) {
                block = next(block, row);
                if (block == null) {
                    continue;
                }
                fields = block.fields();
                lines = block.lines();
            }
            int index = (int) (row - block.first());
            consumer.accept(block.row(row, fields.get(index)), fields.get(index), lines.get(index));
        }
    }

    /**
     * The block of a line; null if it has left already before the first one was taken.
     *
     * @param before the previous block; null for none
     */
    private @Nullable LiveBlock next(@Nullable LiveBlock before, long row) throws IOException {
        LiveBlock block = blockOf(row);
        if (block == null && before != null) {
            throw new IOException("the lines left the window before they were written: try again");
        }
        return block;
    }

    @Override
    void writeDatagrams(FoundRows found, PcapWriter capture) throws IOException {
        LiveBlock block = null;
        long last = -1;
        for (int k = 0; k < found.size(); k++) {
            long row = found.get(k);
            if (block == null || !block.has(row)) {
                block = next(block, row);
            }
            if (block != null && block.head(row).datagram().number() != last) {
                LiveBlock.Observed datagram = block.head(row).datagram();
                last = datagram.number();
                capture.write(
                        datagram.epochNanos(),
                        datagram.source(),
                        datagram.destination(),
                        datagram.payload());
            }
        }
    }

    @Override
    Optional<String> detail(long row) throws IOException {
        LiveBlock block = blockOf(row);
        return block == null
                ? Optional.empty()
                : Optional.of(block.lines().get((int) (row - block.first())));
    }

    @Override
    public void close() {
        synchronized (lock) {
            blocks.clear();
            retainedBytes = 0;
        }
    }
}

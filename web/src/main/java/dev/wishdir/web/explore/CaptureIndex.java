package dev.wishdir.web.explore;

import com.google.gson.Gson;
import com.google.gson.JsonObject;

import dev.wishdir.inspect.Flows;
import dev.wishdir.inspect.Inspector;
import dev.wishdir.inspect.capture.CaptureException;
import dev.wishdir.inspect.capture.CaptureReader;
import dev.wishdir.inspect.capture.PcapWriter;
import dev.wishdir.inspect.output.JsonLines;
import dev.wishdir.wire.EvictingMap;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.dissect.Datagram;
import dev.wishdir.wire.dissect.DissectedMessage;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntConsumer;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * An index over the decoded messages (lines) of captures, with random access. It needs 21 bytes of
 * memory per line, for at most {@link #MAX_LINES}, and the totals of at most {@link #MAX_FLOWS}
 * connections; the content of the lines is in compressed temporary files. One thread reads the
 * captures; after that, any thread may query.
 *
 * <p>It has many fields: one array for each column of the lines, and the totals of one reading.
 */
public final class CaptureIndex extends MessageIndex {
    /** Maximum number of lines; further ones are only counted. */
    public static final int MAX_LINES = 10_000_000;

    /** Maximum number of connections with totals; lines of further ones are listed too. */
    public static final int MAX_FLOWS = 1000;

    /** Packets between two progress reports. */
    private static final int PACKETS_PER_REPORT = 512;

    private static final int MAX_CACHED_FILTERS = 8;

    /**
     * A file that was read.
     *
     * @param isCapture whether it has datagrams
     * @param first the number of the first file of the capture that it is a part of
     */
    private record Source(Path path, String name, boolean isCapture, int first) {}

    /** Maximum number of files; the number of a line's file has eight bits. */
    private static final int MAX_FILES = 256;

    /** Maps frequent words to numbers, 0 to 32,767; beyond these, further words share the last. */
    private static final class Words {
        private static final String OTHER = "(other)";

        final Map<String, Integer> numbers = new LinkedHashMap<>();
        final List<String> words = new ArrayList<>();

        int number(String each) {
            boolean full = words.size() >= Short.MAX_VALUE && !numbers.containsKey(each);
            return numbers.computeIfAbsent(
                    full ? OTHER : each,
                    word -> {
                        words.add(word);
                        return words.size() - 1;
                    });
        }
    }

    private final int maxLines;
    private final CompressedSpool fields;
    private final CompressedSpool details;
    private final List<Source> files = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();
    private final Words games = new Words();
    private final Words names = new Words();
    private final Flows flows = new Flows(MAX_FLOWS);
    private final PlayerTracks tracks;
    private final Map<String, Integer> nameCounts = new TreeMap<>();
    private final Map<Integer, Integer> playerCounts = new TreeMap<>();
    private final Map<RowFilter, int[]> found = EvictingMap.leastRecentlyUsed(MAX_CACHED_FILTERS);

    private final List<DissectedMessage> messages = new ArrayList<>();
    private Inspector inspector = Inspector.of(List.of(), messages::add);
    private @Nullable CaptureReader capture;
    private volatile @Nullable Progress reading = new Progress("", 0, 0);
    private int lines;
    private long omittedLines;
    private double seconds;
    private int[] frames = new int[1024];
    private double[] times = new double[1024];
    private int[] clients = new int[1024];
    private short[] named = new short[1024];

    /** File in the high bits, game, direction and layer in the lowest eight. */
    private short[] kinds = new short[1024];

    private CaptureIndex(
            int maxLines,
            MovementSource.Factory movements,
            CompressedSpool fields,
            CompressedSpool details) {
        this.maxLines = maxLines;
        tracks = new PlayerTracks(movements);
        this.fields = fields;
        this.details = details;
    }

    /** Creates an empty index, with its files in the system's folder for temporary files. */
    public static CaptureIndex open(MovementSource.Factory movements) throws IOException {
        return open(MAX_LINES, movements);
    }

    static CaptureIndex open(int maxLines, MovementSource.Factory movements) throws IOException {
        CompressedSpool fields = CompressedSpool.open();
        try {
            return new CaptureIndex(maxLines, movements, fields, CompressedSpool.open());
        } catch (IOException e) {
            fields.close();
            throw e;
        }
    }

    /** Receives progress reports, and can stop the reading. */
    @FunctionalInterface
    public interface ProgressListener {
        /**
         * Called after {@code done} of {@code size} bytes of a file.
         *
         * @return whether to continue
         */
        boolean onProgress(long done, long size);
    }

    /**
     * Reads a capture, or a recording of a game. A truncated file is read as far as possible. A
     * capture that {@linkplain CaptureReader#isContinuedBy continues} the previous one is decoded
     * with its state.
     *
     * @param inspectors makes inspectors with traces
     * @throws IOException if the file cannot be read at all; further files can still be read
     */
    public void read(
            Path file,
            Function<Consumer<DissectedMessage>, Inspector> inspectors,
            ProgressListener listener)
            throws IOException {
        String name = String.valueOf(file.getFileName());
        int number = files.size();
        if (number == MAX_FILES) {
            throw new IOException("more than " + MAX_FILES + " files");
        }
        files.add(new Source(file, name, false, number));
        messages.clear();
        CaptureReader before = capture;
        if (before == null || !before.isContinuedBy(file)) {
            before = null;
            flows.begin(name);
            inspector = inspectors.apply(messages::add);
        }
        try {
            boolean isCapture = CaptureReader.recognises(file);
            int first = before == null ? number : firstOfLastCapture();
            files.set(number, new Source(file, name, isCapture, first));
            if (!isCapture) {
                Inspector recording = inspectors.apply(message -> add(name, message));
                if (!recording.recording(file)) {
                    throw new IOException(
                            "neither a capture (pcap, pcapng) nor a demo file of a game; convert"
                                    + " other captures with editcap -F pcapng IN OUT");
                }
                return;
            }
            try (FileChannel channel = FileChannel.open(file);
                    InputStream stream = Channels.newInputStream(channel);
                    CaptureReader reader =
                            before == null
                                    ? CaptureReader.of(stream)
                                    : before.continuedBy(stream)) {
                capture = reader;
                long size = Math.max(1, channel.size());
                for (var next = reader.next(); next.isPresent(); next = reader.next()) {
                    inspector.datagram(next.get());
                    flows.count(next.get(), messages);
                    messages.forEach(message -> add(name, message));
                    messages.clear();
                    if (reader.frames() % PACKETS_PER_REPORT == 0) {
                        reading = new Progress(name, (double) channel.position() / size, lines);
                        if (!listener.onProgress(channel.position(), size)) {
                            return;
                        }
                    }
                }
            }
        } catch (CaptureException | MalformedPacketException e) {
            problems.add(name + ": " + e.getMessage());
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private void add(String file, DissectedMessage message) {
        if (lines == maxLines) {
            omittedLines++;
            return;
        }
        if (lines == frames.length) {
            int more = Math.min(maxLines, 2 * lines);
            frames = Arrays.copyOf(frames, more);
            times = Arrays.copyOf(times, more);
            clients = Arrays.copyOf(clients, more);
            named = Arrays.copyOf(named, more);
            kinds = Arrays.copyOf(kinds, more);
        }
        frames[lines] = (int) message.frame();
        times[lines] = Double.isNaN(message.time()) ? 0 : message.time();
        seconds = Math.max(seconds, times[lines]);
        clients[lines] = message.client();
        named[lines] = (short) names.number(message.name());
        kinds[lines] =
                (short)
                        ((files.size() - 1) << 8
                                | games.number(message.game()) << 2
                                | message.direction().ordinal() << 1
                                | message.layer().ordinal());
        lines++;
        try {
            JsonLines.Written written = JsonLines.written(message);
            fields.add(written.fields());
            details.add(written.line());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        tracks.add(file, message);
    }

    /** Ends the reading; queries are possible after this. */
    public void finish() throws IOException {
        fields.finish();
        details.finish();
        for (int i = 0; i < lines; i++) {
            nameCounts.merge(names.words.get(named[i]), 1, Integer::sum);
            playerCounts.merge(clients[i], 1, Integer::sum);
        }
        int encrypted = nameCounts.getOrDefault("encrypted_batch", 0);
        if (encrypted > 0) {
            problems.add(
                    encrypted
                            + " batches are encrypted: --key-log decrypts those whose keys it has");
        }
        reading = null;
    }

    @Override
    Optional<Progress> reading() {
        return Optional.ofNullable(reading);
    }

    /** The number of lines. */
    public int lines() {
        return lines;
    }

    /** The number of lines beyond {@link #MAX_LINES}. */
    public long omittedLines() {
        return omittedLines;
    }

    /** Adds a message about a file that could not be read. */
    public void addProblem(String problem) {
        problems.add(problem);
    }

    /** Messages about truncated and omitted files, and encrypted traffic. */
    public List<String> problems() {
        return List.copyOf(problems);
    }

    @Override
    List<String> files() {
        return files.stream().map(Source::name).toList();
    }

    @Override
    boolean hasDatagrams() {
        return files.stream().anyMatch(Source::isCapture);
    }

    @Override
    JsonObject summary(Gson gson) {
        JsonObject summary = new JsonObject();
        summary.add("files", gson.toJsonTree(files()));
        summary.add("problems", gson.toJsonTree(problems));
        summary.addProperty("lines", lines);
        summary.addProperty("leftOut", omittedLines);
        summary.addProperty("seconds", seconds);
        summary.add("games", gson.toJsonTree(games.words));
        summary.add("players", gson.toJsonTree(playerCounts));
        summary.add("called", gson.toJsonTree(PlayerTracks.names(flows)));
        summary.add("names", gson.toJsonTree(nameCounts));
        summary.add("flows", gson.toJsonTree(flows.all()));
        return summary;
    }

    @Override
    long next() {
        return lines;
    }

    @Override
    JsonObject tracks(Gson gson, double since) {
        return tracks.json(gson, since);
    }

    /** The number of lines of each message. */
    Map<String, Integer> names() {
        return nameCounts;
    }

    @Override
    FoundRows found(RowFilter filter) throws IOException {
        int[] rows;
        synchronized (found) {
            rows = found.get(filter);
        }
        if (rows == null) {
            rows = search(filter);
            synchronized (found) {
                found.put(filter, rows);
            }
        }
        int[] all = rows;
        return new FoundRows(0, all.length, i -> all[i]);
    }

    private int[] search(RowFilter filter) throws IOException {
        int game = filter.game().isEmpty() ? -1 : games.numbers.getOrDefault(filter.game(), -2);
        int name = filter.name().isEmpty() ? -1 : names.numbers.getOrDefault(filter.name(), -2);
        int player = port(filter.player());
        int direction =
                filter.direction().isEmpty() ? -1 : filter.direction().equals("s2c") ? 2 : 0;
        IntPredicate plain =
                i ->
                        (game == -1 || game == (kinds[i] >> 2 & 0x3F))
                                && (name == -1 || name == named[i])
                                && (player == -1 || player == clients[i])
                                && (direction == -1 || direction == (kinds[i] & 2));
        if (filter.field().isEmpty()) {
            return IntStream.range(0, lines).filter(plain).toArray();
        }
        RowFilter.Fields wanted = filter.fields();
        try {
            return IntStream.range(0, (lines + CompressedSpool.BLOCK - 1) / CompressedSpool.BLOCK)
                    .parallel()
                    .mapMulti((int block, IntConsumer rows) ->
                            searchBlock(block, plain, wanted, rows))
                    .toArray();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /** Searches a block. Most blocks are not parsed, and many not even decompressed. */
    private void searchBlock(
            int block, IntPredicate plain, RowFilter.Fields wanted, IntConsumer rows) {
        int first = block * CompressedSpool.BLOCK;
        int[] taken =
                IntStream.range(first, Math.min(lines, first + CompressedSpool.BLOCK))
                        .filter(plain)
                        .toArray();
        if (taken.length == 0) {
            return;
        }
        String text;
        try {
            text = fields.text(block);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (wanted.mayMatch().test(text)) {
            List<String> texts = text.lines().toList();
            for (int i : taken) {
                if (wanted.matches().test(texts.get(i - first))) {
                    rows.accept(i);
                }
            }
        }
    }

    private int file(int row) {
        return kinds[row] >> 8 & 0xFF;
    }

    private String direction(int row) {
        return (kinds[row] & 2) == 0 ? "c2s" : "s2c";
    }

    @Override
    List<Row> rows(FoundRows found, int from, int count) throws IOException {
        List<Row> rows = new ArrayList<>();
        int block = -1;
        List<String> texts = List.of();
        for (int k = from; k < Math.min(found.size(), from + count); k++) {
            int i = (int) found.get(k);
            if (block != i / CompressedSpool.BLOCK) {
                block = i / CompressedSpool.BLOCK;
                texts = fields.block(block);
            }
            rows.add(row(i, texts.get(i % CompressedSpool.BLOCK)));
        }
        return rows;
    }

    private Row row(int i, String text) {
        return new Row(
                i,
                file(i),
                frames[i],
                times[i],
                direction(i),
                clients[i],
                games.words.get(kinds[i] >> 2 & 0x3F),
                (kinds[i] & 1) == 0 ? "transport" : "message",
                names.words.get(named[i]),
                text);
    }

    @Override
    void forEach(FoundRows found, LineConsumer consumer) throws IOException {
        int block = -1;
        List<String> texts = List.of();
        List<String> whole = List.of();
        for (int k = 0; k < found.size(); k++) {
            int i = (int) found.get(k);
            if (block != i / CompressedSpool.BLOCK) {
                block = i / CompressedSpool.BLOCK;
                texts = fields.block(block);
                whole = details.block(block);
            }
            String text = texts.get(i % CompressedSpool.BLOCK);
            consumer.accept(row(i, text), text, whole.get(i % CompressedSpool.BLOCK));
        }
    }

    /** Reads the captures again, as only their lines are in the index. */
    @Override
    void writeDatagrams(FoundRows found, PcapWriter capture) throws IOException {
        Map<Integer, BitSet> wanted = new HashMap<>();
        for (int k = 0; k < found.size(); k++) {
            int i = (int) found.get(k);
            int first = files.get(file(i)).first;
            wanted.computeIfAbsent(first, _ -> new BitSet()).set(frames[i]);
        }
        CaptureReader reader = null;
        long firstNanos = 0;
        for (int i = 0; i < files.size(); i++) {
            Source file = files.get(i);
            BitSet numbers = wanted.get(file.first);
            if (!file.isCapture || numbers == null) {
                continue;
            }
            if (i == file.first) {
                reader = null;
                firstNanos = CaptureReader.firstNanos(file.path).orElse(0);
            }
            try (InputStream stream = Files.newInputStream(file.path);
                    CaptureReader open =
                            reader == null
                                    ? CaptureReader.of(stream)
                                    : reader.continuedBy(stream)) {
                reader = open;
                write(open, numbers, firstNanos, capture);
            } catch (CaptureException _) {
                // Truncated, as when it was read.
            }
        }
    }

    private int firstOfLastCapture() {
        return files.reversed().stream()
                .filter(Source::isCapture)
                .findFirst()
                .map(Source::first)
                .orElseThrow();
    }

    private static void write(
            CaptureReader reader, BitSet numbers, long firstNanos, PcapWriter capture)
            throws IOException {
        for (var next = reader.next(); next.isPresent(); next = reader.next()) {
            Datagram datagram = next.get();
            if (numbers.get((int) datagram.frame())) {
                capture.write(
                        firstNanos + Math.round(datagram.time() * 1e9),
                        datagram.source(),
                        datagram.destination(),
                        datagram.payload());
            }
        }
    }

    @Override
    Optional<String> detail(long row) throws IOException {
        return row < lines ? Optional.of(details.get((int) row)) : Optional.empty();
    }

    @Override
    public void close() {
        try (fields;
                details) {
            found.clear();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

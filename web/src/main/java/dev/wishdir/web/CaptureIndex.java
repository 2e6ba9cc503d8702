package dev.wishdir.web;

import dev.wishdir.inspect.CaptureException;
import dev.wishdir.inspect.CaptureReader;
import dev.wishdir.inspect.FlowSummary;
import dev.wishdir.inspect.Flows;
import dev.wishdir.inspect.Inspector;
import dev.wishdir.inspect.JsonLines;
import dev.wishdir.inspect.PlayerNameExtractor;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.dissect.DissectedMessage;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
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
 * All lines of some captures, to be looked at in any order. In memory are 21 bytes a line, at most
 * {@link #MAX_LINES} of them, and the figures of at most {@link #MAX_FLOWS} flows; what the lines
 * say is compressed in temporary files. Read by one thread; thereafter many may ask.
 */
public final class CaptureIndex implements AutoCloseable {
    /** Lines after these are counted and left out. */
    public static final int MAX_LINES = 10_000_000;

    /** Flows that are summed up; lines of others are listed alike. */
    public static final int MAX_FLOWS = 1000;

    private static final int SHOWN = 240;

    /** Packets between two looks at how far the reading is. */
    private static final int WATCHED = 512;

    private static final int KEPT_FILTERS = 8;

    /** A line of the list; {@code text}: the beginning of its fields as JSON. */
    record Row(
            int row,
            int file,
            int frame,
            double time,
            String dir,
            int client,
            String game,
            String layer,
            String name,
            String text) {}

    /**
     * How far the reading is.
     *
     * @param part of the file, from 0 to 1
     */
    record Progress(String file, double part, int lines) {}

    /** Numbers for words that come again and again. */
    private static final class Words {
        final Map<String, Integer> numbers = new LinkedHashMap<>();
        final List<String> words = new ArrayList<>();

        int number(String word) {
            return numbers.computeIfAbsent(
                    word,
                    _ -> {
                        words.add(word);
                        return words.size() - 1;
                    });
        }
    }

    private final int most;
    private final CompressedSpool fields;
    private final CompressedSpool details;
    private final List<String> files = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();
    private final Words games = new Words();
    private final Words names = new Words();
    private final Flows flows = new Flows(MAX_FLOWS);
    private final PlayerTracks ways = new PlayerTracks();
    private final Map<String, Integer> nameCounts = new TreeMap<>();
    private final Map<Integer, Integer> playerCounts = new TreeMap<>();
    private final Map<RowFilter, int[]> found =
            new LinkedHashMap<>(16, 0.75f, true) {
                private static final long serialVersionUID = 1;

                @Override
                protected boolean removeEldestEntry(Map.Entry<RowFilter, int[]> eldest) {
                    return size() > KEPT_FILTERS;
                }
            };

    private final List<DissectedMessage> told = new ArrayList<>();
    private Inspector explaining = Inspector.of(List.of(), told::add);
    private @Nullable CaptureReader capture;
    private volatile @Nullable Progress reading = new Progress("", 0, 0);
    private int lines;
    private long leftOut;
    private double seconds;
    private int[] frames = new int[1024];
    private double[] times = new double[1024];
    private int[] clients = new int[1024];
    private short[] named = new short[1024];

    /** File in the high bits, game, direction and layer in the lowest eight. */
    private short[] kinds = new short[1024];

    private CaptureIndex(int most, CompressedSpool fields, CompressedSpool details) {
        this.most = most;
        this.fields = fields;
        this.details = details;
    }

    /** An empty index; its files are where the system has temporary ones. */
    public static CaptureIndex open() throws IOException {
        return open(MAX_LINES);
    }

    static CaptureIndex open(int most) throws IOException {
        CompressedSpool fields = CompressedSpool.open();
        try {
            return new CaptureIndex(most, fields, CompressedSpool.open());
        } catch (IOException e) {
            fields.close();
            throw e;
        }
    }

    /** Reads a file without being watched. */
    public void read(Path file, Function<Consumer<DissectedMessage>, Inspector> inspector)
            throws IOException {
        read(file, inspector, (_, _) -> true);
    }

    /**
     * Is told now and then how far the reading of a file is, in bytes, and says whether to go on.
     */
    @FunctionalInterface
    public interface Watch {
        /** At {@code done} of {@code size} bytes of the file. */
        boolean at(long done, long size);
    }

    /**
     * Reads a capture, or a recording of a game. One that breaks off is taken as far as it goes. A
     * capture that {@linkplain CaptureReader#isContinuedBy goes on with} the one before is
     * explained with what is known from that.
     *
     * @param inspector makes what explains it, with traces
     * @throws IOException if it can't be read at all; the next file may be read all the same
     */
    public void read(
            Path file, Function<Consumer<DissectedMessage>, Inspector> inspector, Watch watch)
            throws IOException {
        String name = String.valueOf(file.getFileName());
        files.add(name);
        told.clear();
        CaptureReader before = capture;
        if (before == null || !before.isContinuedBy(file)) {
            before = null;
            flows.begin(name);
            explaining = inspector.apply(told::add);
        }
        try {
            if (!CaptureReader.recognises(file)) {
                Inspector recording = inspector.apply(message -> add(name, message));
                if (!recording.recording(file)) {
                    throw new IOException(
                            "neither a capture (pcap, pcapng) nor a recording of a game");
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
                    explaining.datagram(next.get());
                    flows.count(next.get(), told);
                    told.forEach(message -> add(name, message));
                    told.clear();
                    if (reader.frames() % WATCHED == 0) {
                        reading = new Progress(name, (double) channel.position() / size, lines);
                        if (!watch.at(channel.position(), size)) {
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
        if (lines == most) {
            leftOut++;
            return;
        }
        if (lines == frames.length) {
            int more = Math.min(most, 2 * lines);
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
        ways.line(file, message);
    }

    /** Ends the reading. */
    public void finish() throws IOException {
        fields.finish();
        details.finish();
        for (int i = 0; i < lines; i++) {
            nameCounts.merge(names.words.get(named[i]), 1, Integer::sum);
            playerCounts.merge(clients[i], 1, Integer::sum);
        }
        int dark = nameCounts.getOrDefault("encrypted_batch", 0);
        if (dark > 0) {
            problems.add(
                    dark + " batches are encrypted: --key-log decrypts those whose keys it has");
        }
        reading = null;
    }

    /** How far the reading is; empty once it is {@linkplain #finish finished}. */
    Optional<Progress> reading() {
        return Optional.ofNullable(reading);
    }

    /** How many lines there are. */
    public int lines() {
        return lines;
    }

    /** Lines that were one too many. */
    public long leftOut() {
        return leftOut;
    }

    /** Says why a file is left out. */
    public void leaveOut(String problem) {
        problems.add(problem);
    }

    /** Where captures broke off and what was left out, one a line. */
    public List<String> problems() {
        return List.copyOf(problems);
    }

    List<String> files() {
        return files;
    }

    double seconds() {
        return seconds;
    }

    Collection<String> games() {
        return games.words;
    }

    Collection<FlowSummary> flows() {
        return flows.all();
    }

    List<PlayerTracks.Way> ways() {
        return ways.ways();
    }

    /** How often each message comes. */
    Map<String, Integer> names() {
        return nameCounts;
    }

    /** How many lines each client's port has. */
    Map<Integer, Integer> players() {
        return playerCounts;
    }

    /** What the player at each client's port called itself last, without colours. */
    Map<Integer, String> called() {
        Map<Integer, String> called = new TreeMap<>();
        for (FlowSummary flow : flows.all()) {
            if (!flow.name().isEmpty()) {
                called.put(flow.player(), PlayerNameExtractor.plain(flow.name()));
            }
        }
        return called;
    }

    /** The numbers of the lines that a filter takes, in order; must not be written to. */
    int[] found(RowFilter filter) throws IOException {
        synchronized (found) {
            int[] before = found.get(filter);
            if (before != null) {
                return before;
            }
        }
        int[] rows = search(filter);
        synchronized (found) {
            found.put(filter, rows);
        }
        return rows;
    }

    private int[] search(RowFilter filter) throws IOException {
        int game = filter.game().isEmpty() ? -1 : games.numbers.getOrDefault(filter.game(), -2);
        int name = filter.name().isEmpty() ? -1 : names.numbers.getOrDefault(filter.name(), -2);
        int player = port(filter.player());
        int way = filter.direction().isEmpty() ? -1 : filter.direction().equals("s2c") ? 2 : 0;
        IntPredicate plain =
                i ->
                        (game == -1 || game == (kinds[i] >> 2 & 0x3F))
                                && (name == -1 || name == named[i])
                                && (player == -1 || player == clients[i])
                                && (way == -1 || way == (kinds[i] & 2));
        if (filter.field().isEmpty()) {
            return IntStream.range(0, lines).filter(plain).toArray();
        }
        RowFilter.Fields wanted = filter.fields();
        try {
            return IntStream.range(0, (lines + CompressedSpool.BLOCK - 1) / CompressedSpool.BLOCK)
                    .parallel()
                    .mapMulti((int block, IntConsumer rows) -> inBlock(block, plain, wanted, rows))
                    .toArray();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /** Most blocks need not be taken apart, many not even be unpacked. */
    private void inBlock(int block, IntPredicate plain, RowFilter.Fields wanted, IntConsumer rows) {
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
        if (wanted.mayBeIn().test(text)) {
            List<String> texts = text.lines().toList();
            for (int i : taken) {
                if (wanted.takes().test(texts.get(i - first))) {
                    rows.accept(i);
                }
            }
        }
    }

    /** A client's port as typed; one that nobody has where it is none. */
    private static int port(String typed) {
        return typed.isEmpty() ? -1 : typed.matches("[0-9]{1,5}") ? Integer.parseInt(typed) : -2;
    }

    private String direction(int row) {
        return (kinds[row] & 2) == 0 ? "c2s" : "s2c";
    }

    /** Some of what {@link #found} gave. */
    List<Row> rows(int[] found, int from, int count) throws IOException {
        List<Row> rows = new ArrayList<>();
        int block = -1;
        List<String> texts = List.of();
        for (int k = from; k < Math.min(found.length, from + count); k++) {
            int i = found[k];
            if (block != i / CompressedSpool.BLOCK) {
                block = i / CompressedSpool.BLOCK;
                texts = fields.block(block);
            }
            String all = texts.get(i % CompressedSpool.BLOCK);
            rows.add(
                    new Row(
                            i,
                            kinds[i] >> 8,
                            frames[i],
                            times[i],
                            direction(i),
                            clients[i],
                            games.words.get(kinds[i] >> 2 & 0x3F),
                            (kinds[i] & 1) == 0 ? "transport" : "message",
                            names.words.get(named[i]),
                            all.length() > SHOWN ? all.substring(0, SHOWN) : all));
        }
        return rows;
    }

    /** A line whole, as {@code inspect --json --explain} prints it. */
    String detail(int row) throws IOException {
        return details.get(row);
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

package dev.wishdir.web;

import dev.wishdir.inspect.CaptureException;
import dev.wishdir.inspect.CaptureReader;
import dev.wishdir.inspect.FlowSummary;
import dev.wishdir.inspect.Flows;
import dev.wishdir.inspect.Inspector;
import dev.wishdir.inspect.JsonLines;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Line;
import dev.wishdir.wire.MalformedPacketException;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * All lines of some captures, to be looked at in any order. In memory are 21 bytes a line, at most
 * {@link #MOST_LINES} of them, and the figures of at most {@link #MOST_FLOWS} flows; what the lines
 * say is compressed in temporary files. Read by one thread; thereafter many may ask.
 */
public final class CaptureIndex implements AutoCloseable {
    /** Lines after these are counted and left out. */
    public static final int MOST_LINES = 10_000_000;

    /** Flows that are summed up; lines of others are listed alike. */
    public static final int MOST_FLOWS = 1000;

    private static final int SHOWN = 240;
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
    private final Spool fields;
    private final Spool details;
    private final List<String> files = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();
    private final Words games = new Words();
    private final Words names = new Words();
    private final Flows flows = new Flows(MOST_FLOWS);
    private final CapturedWays ways = new CapturedWays();
    private final StringWriter text = new StringWriter();
    private final JsonLines json = new JsonLines(text);
    private final Map<RowFilter, int[]> found =
            new LinkedHashMap<>(16, 0.75f, true) {
                private static final long serialVersionUID = 1;

                @Override
                protected boolean removeEldestEntry(Map.Entry<RowFilter, int[]> eldest) {
                    return size() > KEPT_FILTERS;
                }
            };

    private int lines;
    private long leftOut;
    private double seconds;
    private int[] frames = new int[1024];
    private double[] times = new double[1024];
    private int[] clients = new int[1024];
    private short[] named = new short[1024];

    /** File in the high bits, game, direction and layer in the lowest eight. */
    private short[] kinds = new short[1024];

    private CaptureIndex(int most, Spool fields, Spool details) {
        this.most = most;
        this.fields = fields;
        this.details = details;
    }

    /** An empty index; its files are where the system has temporary ones. */
    public static CaptureIndex open() throws IOException {
        return open(MOST_LINES);
    }

    static CaptureIndex open(int most) throws IOException {
        Spool fields = Spool.open();
        try {
            return new CaptureIndex(most, fields, Spool.open());
        } catch (IOException e) {
            fields.close();
            throw e;
        }
    }

    /**
     * Reads a capture, or a recording of a game. One that breaks off is taken as far as it goes.
     *
     * @param inspector makes what explains it, with traces
     * @throws IOException if it can't be read at all
     */
    public void read(Path file, Function<Consumer<Line>, Inspector> inspector) throws IOException {
        String name = String.valueOf(file.getFileName());
        files.add(name);
        flows.begin(name);
        List<Line> told = new ArrayList<>();
        Inspector explaining = inspector.apply(told::add);
        try {
            if (!CaptureReader.recognises(file)) {
                Inspector recording = inspector.apply(line -> add(name, line));
                if (!recording.recording(file)) {
                    throw new IOException(
                            "neither a capture (pcap, pcapng) nor a recording of a game");
                }
                return;
            }
            try (CaptureReader capture = CaptureReader.open(file)) {
                for (var next = capture.next(); next.isPresent(); next = capture.next()) {
                    explaining.datagram(next.get());
                    flows.count(next.get(), told);
                    told.forEach(line -> add(name, line));
                    told.clear();
                }
            }
        } catch (CaptureException | MalformedPacketException e) {
            problems.add(name + ": " + e.getMessage());
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private void add(String file, Line line) {
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
        frames[lines] = (int) line.frame();
        times[lines] = Double.isNaN(line.time()) ? 0 : line.time();
        seconds = Math.max(seconds, times[lines]);
        clients[lines] = line.client();
        named[lines] = (short) names.number(line.name());
        kinds[lines] =
                (short)
                        ((files.size() - 1) << 8
                                | games.number(line.game()) << 2
                                | line.direction().ordinal() << 1
                                | line.layer().ordinal());
        lines++;
        try {
            String plain = written(line.withTrace(List.of()).withBytes(Bytes.EMPTY));
            int from = plain.indexOf("\"fields\":") + "\"fields\":".length();
            fields.add(plain.substring(from, plain.length() - 1));
            details.add(written(line));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        ways.line(file, line);
    }

    private String written(Line line) {
        text.getBuffer().setLength(0);
        json.accept(line);
        return text.getBuffer().substring(0, text.getBuffer().length() - 1);
    }

    /** Ends the reading. */
    public void finish() throws IOException {
        fields.finish();
        details.finish();
    }

    /** How many lines there are. */
    public int lines() {
        return lines;
    }

    /** Lines that were one too many. */
    public long leftOut() {
        return leftOut;
    }

    /** Where captures broke off, one a line. */
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

    List<CapturedWays.Way> ways() {
        return ways.ways();
    }

    /** How often each message comes. */
    Map<String, Integer> names() {
        Map<String, Integer> counts = new TreeMap<>();
        for (int i = 0; i < lines; i++) {
            counts.merge(names.words.get(named[i]), 1, Integer::sum);
        }
        return counts;
    }

    /** How many lines each client's port has. */
    Map<Integer, Integer> players() {
        Map<Integer, Integer> counts = new TreeMap<>();
        for (int i = 0; i < lines; i++) {
            counts.merge(clients[i], 1, Integer::sum);
        }
        return counts;
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
        int player = filter.player().isEmpty() ? -1 : Integer.parseInt(filter.player());
        Predicate<String> wanted = filter.fields();
        int[] rows = new int[1024];
        int count = 0;
        int block = -1;
        List<String> texts = List.of();
        for (int i = 0; i < lines; i++) {
            boolean takes =
                    (game == -1 || game == (kinds[i] >> 2 & 0x3F))
                            && (name == -1 || name == named[i])
                            && (player == -1 || player == clients[i])
                            && (filter.direction().isEmpty()
                                    || filter.direction().equals(direction(i)));
            if (takes && !filter.field().isEmpty()) {
                if (block != i / Spool.BLOCK) {
                    block = i / Spool.BLOCK;
                    texts = fields.block(block);
                }
                takes = wanted.test(texts.get(i % Spool.BLOCK));
            }
            if (takes) {
                if (count == rows.length) {
                    rows = Arrays.copyOf(rows, 2 * count);
                }
                rows[count++] = i;
            }
        }
        return Arrays.copyOf(rows, count);
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
            if (block != i / Spool.BLOCK) {
                block = i / Spool.BLOCK;
                texts = fields.block(block);
            }
            String all = texts.get(i % Spool.BLOCK);
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

package dev.wishdir.web.explore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.Gson;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;

import dev.wishdir.inspect.capture.CaptureReader;
import dev.wishdir.inspect.capture.PcapWriter;
import dev.wishdir.wire.dissect.Datagram;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

@Timeout(60)
@Tag("slow")
class LiveIndexTest {
    private static final RowFilter ALL = new RowFilter("", "", "", "", "");
    private static final Pattern CELL = Pattern.compile("(\"(?:[^\"]|\"\")*\"|[^,\r]*)(,|\r\n)");

    private final Gson gson = new Gson();

    private static LiveIndex index() {
        return new LiveIndex("golf", LiveIndex.DEFAULT_MAX_BYTES, MovementSource.Factory.NONE);
    }

    private static List<Long> found(LiveIndex index, RowFilter filter) throws IOException {
        FoundRows found = index.found(filter);
        return LongStream.range(0, found.size()).mapToObj(i -> found.get((int) i)).toList();
    }

    private static String export(LiveIndex index, ExportFormat format, RowFilter filter)
            throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        format.write(index, index.found(filter), out);
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void findsLinesAsTheyCome() throws IOException {
        try (LiveIndex index = index()) {
            GolfSession session = new GolfSession(index, 40);
            RowFilter holes = new RowFilter("golf", "4001", "c2s", "putt", "hole=7");
            for (int round = 0; round < 20; round++) {
                session.play(37);
                assertThat(found(index, ALL))
                        .isEqualTo(LongStream.range(0, session.lines()).boxed().toList());
                // Frames of hole 7 and of client 1 to the server have 2 messages besides the first.
                long expected =
                        session.datagrams.stream()
                                .map(it -> it.frame() - 1)
                                .filter(n -> n % 18 == 7 && n % 2 == 1 && n % 3 != 0)
                                .mapToLong(n -> n % 3)
                                .sum();
                assertThat(found(index, holes)).hasSize((int) expected).isSorted();
            }
            assertThat(found(index, new RowFilter("chess", "", "", "", ""))).isEmpty();
            assertThat(found(index, new RowFilter("", "four", "", "", ""))).isEmpty();
            assertThat(found(index, new RowFilter("", "", "", "", "\\n739"))).hasSize(2);
            FoundRows all = index.found(ALL);
            assertThat(index.rows(all, all.size() - 3, 500))
                    .extracting(MessageIndex.Row::frame)
                    .containsExactly(739L, 740L, 740L);
            assertThat(index.detail(all.get(5)).orElseThrow())
                    .startsWith("{\"frame\":3,\"time\":0.02,\"dir\":\"c2s\",\"client\":4000,")
                    .endsWith("\"meaning\":\"eighteen\"}]}");
            assertThat(index.detail(session.lines())).isEmpty();
        }
    }

    @Test
    @DisplayName("P9: a proxy that runs long with a page that is not opened: memory is bounded")
    void evictsOldestLinesAboveMaximum() throws IOException {
        try (LiveIndex index =
                new LiveIndex("golf", LiveIndex.MIN_MAX_BYTES, MovementSource.Factory.NONE)) {
            GolfSession session = new GolfSession(index, 1000);
            FoundRows before = index.found(ALL);
            long most = 0;
            for (int i = 0; i < 200; i++) {
                session.play(100);
                most = Math.max(most, index.retainedBytes());
            }
            assertThat(before.size()).isZero();
            assertThat(most).isBetween(LiveIndex.MIN_MAX_BYTES / 2, LiveIndex.MIN_MAX_BYTES);
            FoundRows found = index.found(ALL);
            long first = found.get(0);
            assertThat(found.size()).isBetween(1000, 10_000);
            assertThat(first + found.size()).isEqualTo(session.lines());
            assertThat(index.detail(first - 1)).isEmpty();
            assertThat(index.detail(first)).isPresent();
            JsonObject summary = index.summary(gson);
            assertThat(summary.get("leftOut").getAsLong()).isEqualTo(first);
            assertThat(summary.get("lines").getAsLong()).isEqualTo(found.size());
            assertThat(summary.get("from").getAsDouble()).isPositive();
            JsonObject names = summary.getAsJsonObject("names");
            assertThat(names.get("ball").getAsInt() + names.get("putt").getAsInt())
                    .isEqualTo(found.size());
        }
    }

    @Test
    void keepsPlacesOfLinesThatStay() throws IOException {
        try (LiveIndex index =
                new LiveIndex("golf", LiveIndex.MIN_MAX_BYTES, MovementSource.Factory.NONE)) {
            GolfSession session = new GolfSession(index, 1000);
            RowFilter putts = new RowFilter("", "", "", "putt", "");
            session.play(1000);
            FoundRows before = index.found(putts);
            long kept = before.get(before.size() - 1);
            long place = before.base() + before.size() - 1;
            session.play(2000);
            FoundRows after = index.found(putts);
            assertThat(after.base()).isPositive();
            assertThat(after.get((int) (place - after.base()))).isEqualTo(kept);
            assertThat(after.indexOf(kept)).isEqualTo(place - after.base());
            assertThat(after.until(kept).size()).isEqualTo(place - after.base());
            // What was found before is readable as far as it has not left.
            assertThat(index.rows(before, 0, 10)).isEmpty();
            assertThat(index.rows(before, before.size() - 1, 10)).hasSize(1);
        }
    }

    @Test
    @DisplayName("P9: datagrams of ever more clients with one datagram each")
    void boundsConnections() {
        try (LiveIndex index =
                new LiveIndex("golf", LiveIndex.MIN_MAX_BYTES, MovementSource.Factory.NONE)) {
            GolfSession session = new GolfSession(index, 40);
            for (int i = 0; i < 20_000; i++) {
                session.play(GolfSession.client(i % 10_000));
            }
            JsonObject summary = index.summary(gson);
            assertThat(summary.getAsJsonArray("flows")).hasSize(LiveIndex.MAX_FLOWS);
            assertThat(summary.getAsJsonObject("players").size())
                    .isLessThanOrEqualTo(summary.get("lines").getAsInt());
        }
    }

    @Test
    void exportsDatagramsOfFoundLines() throws IOException {
        try (LiveIndex index = index()) {
            GolfSession session = new GolfSession(index, 200);
            session.play(500);
            RowFilter holes = new RowFilter("", "", "c2s", "", "hole=5");
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            index.writeDatagrams(index.found(holes), new PcapWriter(out));
            List<Datagram> read = new ArrayList<>();
            try (CaptureReader reader =
                    CaptureReader.of(new ByteArrayInputStream(out.toByteArray()))) {
                for (var next = reader.next(); next.isPresent(); next = reader.next()) {
                    read.add(next.get());
                }
            }
            List<Datagram> expected =
                    session.datagrams.stream()
                            .filter(it -> (it.frame() - 1) % 18 == 5 && (it.frame() - 1) % 3 != 0)
                            .toList();
            assertThat(read).hasSize(28).hasSameSizeAs(expected);
            for (int i = 0; i < read.size(); i++) {
                assertThat(read.get(i).payload()).isEqualTo(expected.get(i).payload());
                assertThat(read.get(i).source()).isEqualTo(expected.get(i).source());
                assertThat(read.get(i).destination()).isEqualTo(expected.get(i).destination());
                assertThat(read.get(i).time())
                        .isCloseTo(
                                expected.get(i).time() - expected.getFirst().time(),
                                org.assertj.core.data.Offset.offset(1e-9));
            }
        }
    }

    @Test
    void exportsLinesAsInspectPrintsThem() throws IOException {
        try (LiveIndex index = index()) {
            new GolfSession(index, 10).play(300);
            List<String> lines = export(index, ExportFormat.JSONL, ALL).lines().toList();
            assertThat(lines).hasSize(600);
            assertThat(lines.get(3)).doesNotContain("trace");
            JsonObject line = JsonParser.parseString(lines.get(3)).getAsJsonObject();
            assertThat(line.keySet())
                    .containsExactly(
                            "frame", "time", "dir", "client", "game", "layer", "name", "fields");
            assertThat(line.getAsJsonObject("fields").get("text").getAsString())
                    .isEqualTo("a \"b\", c\n2");
        }
    }

    @Test
    void exportsTable() throws IOException {
        try (LiveIndex index = index()) {
            new GolfSession(index, 10).play(300);
            List<List<String>> rows = new ArrayList<>();
            List<String> row = new ArrayList<>();
            Matcher cells = CELL.matcher(export(index, ExportFormat.CSV, ALL));
            while (cells.find()) {
                String cell = cells.group(1);
                row.add(
                        cell.startsWith("\"")
                                ? cell.substring(1, cell.length() - 1).replace("\"\"", "\"")
                                : cell);
                if (!cells.group(2).equals(",")) {
                    rows.add(List.copyOf(row));
                    row.clear();
                }
            }
            assertThat(rows).hasSize(601).allSatisfy(each -> assertThat(each).hasSize(9));
            assertThat(String.join(",", rows.getFirst()))
                    .isEqualTo("file,frame,time,dir,client,game,layer,name,fields");
            assertThat(rows.get(4).subList(0, 8))
                    .containsExactly(
                            "golf", "3", "0.02", "c2s", "4000", "golf", "transport", "ball");
            assertThat(JsonParser.parseString(rows.get(4).get(8)).getAsJsonObject().get("hole"))
                    .hasToString("2");
        }
    }

    @Test
    void answersWhileLinesAreAdded() throws Exception {
        try (LiveIndex index =
                new LiveIndex("golf", LiveIndex.MIN_MAX_BYTES, MovementSource.Factory.NONE)) {
            GolfSession session = new GolfSession(index, 100);
            CompletableFuture<Void> played = CompletableFuture.runAsync(() -> session.play(30_000));
            long last = 0;
            while (!played.isDone()) {
                FoundRows found = index.found(ALL);
                for (int i = 1; i < found.size(); i++) {
                    assertThat(found.get(i)).isEqualTo(found.get(i - 1) + 1);
                }
                List<MessageIndex.Row> rows = index.rows(found, Math.max(0, found.size() - 50), 50);
                Set<Long> numbers =
                        rows.stream().map(MessageIndex.Row::row).collect(Collectors.toSet());
                assertThat(numbers).hasSameSizeAs(rows);
                assertThat(found.base() + found.size()).isGreaterThanOrEqualTo(last);
                last = found.base() + found.size();
            }
            played.join();
            assertThat(index.next()).isEqualTo(session.lines());
        }
    }

    @Test
    void refusesTooSmallMaximum() {
        assertThatThrownBy(() -> new LiveIndex("golf", 1000, MovementSource.Factory.NONE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at least 4194304 bytes, is 1000");
    }
}

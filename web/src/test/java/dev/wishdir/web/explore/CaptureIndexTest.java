package dev.wishdir.web.explore;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.Gson;
import com.google.gson.JsonObject;

import dev.wishdir.inspect.Inspector;
import dev.wishdir.inspect.capture.CaptureBytes;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.dissect.Datagram;
import dev.wishdir.wire.dissect.Direction;
import dev.wishdir.wire.dissect.DissectedMessage;
import dev.wishdir.wire.dissect.Dissector;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

class CaptureIndexTest {
    private static final RowFilter ALL_ROWS = new RowFilter("", "", "", "", "");

    private static final InetSocketAddress CLIENT =
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 4000);
    private static final InetSocketAddress SERVER =
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 5000);

    @TempDir private Path directory;

    private static DissectedMessage line(
            int frame,
            double time,
            Direction direction,
            DissectedMessage.Layer layer,
            String name,
            Map<String, ?> fields) {
        Datagram datagram =
                direction == Direction.C2S
                        ? new Datagram(frame, time, CLIENT, SERVER, Bytes.EMPTY)
                        : new Datagram(frame, time, SERVER, CLIENT, Bytes.EMPTY);
        return DissectedMessage.of(datagram, direction, "golf", layer, name, fields);
    }

    /** Reports a number of lines for any file: of each ten one is the server's. */
    private record Recording(int lines, IntFunction<String> names) implements Dissector {
        Recording(int lines) {
            this(lines, i -> i % 2 == 0 ? "putt" : "drive");
        }

        @Override
        public Optional<Direction> recognise(Datagram datagram) {
            return Optional.empty();
        }

        @Override
        public void datagram(
                Datagram datagram, Direction direction, Consumer<DissectedMessage> lines) {
            throw new AssertionError("there are none");
        }

        @Override
        public boolean recogniseFile(String name, Bytes content) {
            return true;
        }

        @Override
        public void file(Bytes content, Consumer<DissectedMessage> told) {
            for (int i = 0; i < lines; i++) {
                told.accept(
                        line(
                                i + 1,
                                i / 10.0,
                                i % 10 == 9 ? Direction.S2C : Direction.C2S,
                                DissectedMessage.Layer.MESSAGE,
                                names.apply(i),
                                Map.of("hole", i % 18, "at", List.of(i, -i))));
            }
        }
    }

    private CaptureIndex index(int lines, int most) throws IOException {
        Path file = Files.writeString(directory.resolve("recording"), "of golf");
        CaptureIndex index = CaptureIndex.open(most, MovementSource.Factory.NONE);
        index.read(file, told -> Inspector.of(List.of(new Recording(lines)), told), (_, _) -> true);
        index.finish();
        return index;
    }

    private static List<Long> found(MessageIndex index, RowFilter filter) throws IOException {
        FoundRows found = index.found(filter);
        return IntStream.range(0, found.size()).mapToObj(found::get).toList();
    }

    @Test
    void findsEveryLine() throws IOException {
        try (CaptureIndex index = index(5000, 10_000)) {
            assertThat(index.lines()).isEqualTo(5000);
            FoundRows all = index.found(ALL_ROWS);
            assertThat(all.size()).isEqualTo(5000);
            assertThat(index.rows(all, 4990, 500))
                    .hasSize(10)
                    .allSatisfy(row -> {
                        assertThat(row.frame()).isEqualTo(row.row() + 1);
                        assertThat(row.text()).contains("[" + row.row() + ",-" + row.row() + "]");
                    });
            assertThat(index.detail(4321).orElseThrow())
                    .contains("\"frame\":4322")
                    .contains("[4321,-4321]");
            assertThat(index.detail(5000)).isEmpty();
            JsonObject names = index.summary(new Gson()).getAsJsonObject("names");
            assertThat(names).hasToString("{\"drive\":2500,\"putt\":2500}");
        }
    }

    /** Out-of-band packets are named by their first word, which may be any. */
    @Test
    void sharesTheLastOfTooManyNames() throws IOException {
        Path file = Files.writeString(directory.resolve("recording"), "of golf");
        Dissector names = new Recording(40_000, i -> "word" + i);
        try (CaptureIndex index = CaptureIndex.open(50_000, MovementSource.Factory.NONE)) {
            for (int i = 0; i < 200; i++) {
                Dissector each = i == 0 ? names : new Recording(1);
                index.read(file, told -> Inspector.of(List.of(each), told), (_, _) -> true);
            }
            index.finish();
            FoundRows all = index.found(ALL_ROWS);
            assertThat(index.rows(all, 39_999, 1).getFirst().name()).isEqualTo("(other)");
            assertThat(index.rows(all, 40_198, 1).getFirst().file()).isEqualTo(199);
            assertThat(index.names().get("(other)")).isBetween(7_000, 8_000);
        }
    }

    @Test
    void narrowsByFilters() throws IOException {
        try (CaptureIndex index = index(180, 1000)) {
            assertThat(found(index, new RowFilter("golf", "4000", "s2c", "", ""))).hasSize(18);
            assertThat(found(index, new RowFilter("", "", "", "putt", ""))).hasSize(90);
            assertThat(found(index, new RowFilter("", "", "s2c", "putt", ""))).isEmpty();
            assertThat(found(index, new RowFilter("", "", "", "putt", "hole=4"))).hasSize(10);
            assertThat(found(index, new RowFilter("", "", "", "drive", "hole=4"))).isEmpty();
            assertThat(found(index, new RowFilter("chess", "", "", "", ""))).isEmpty();
            assertThat(found(index, new RowFilter("", "1", "", "", ""))).isEmpty();
            assertThat(found(index, new RowFilter("", "four", "", "", ""))).isEmpty();
            assertThat(found(index, new RowFilter("", "", "", "", "[7,-7]"))).containsExactly(7L);
            assertThat(found(index, new RowFilter("", "", "", "", "at.1=-179")))
                    .containsExactly(179L);
        }
    }

    @Test
    void countsLinesBeyondLimit() throws IOException {
        try (CaptureIndex index = index(3000, 2000)) {
            assertThat(index.lines()).isEqualTo(2000);
            assertThat(index.omittedLines()).isEqualTo(1000);
            assertThat(found(index, ALL_ROWS)).hasSize(2000);
        }
    }

    /** Balls that roll east. */
    private static final MovementSource.Factory GOLF =
            _ ->
                    line ->
                            line.fields().get("at") instanceof Number east
                                    ? Optional.of(
                                            Movement.at(new Vec3(east.doubleValue(), -2, 3), 270))
                                    : Optional.empty();

    @Test
    void thinsSamplesEvenly() {
        PlayerTracks ways = new PlayerTracks(GOLF, 100);
        for (int i = 0; i < 1000; i++) {
            ways.add(
                    "file",
                    line(
                            i,
                            i * 0.05,
                            Direction.C2S,
                            DissectedMessage.Layer.MESSAGE,
                            "putt",
                            Map.of("at", i)));
        }
        List<double[]> samples = ways.tracks().getFirst().samples;
        assertThat(samples).hasSizeBetween(50, 100);
        assertThat(samples.getFirst()).containsExactly(0, 0, -2, 3, 270, 0);
        assertThat(samples.getLast()[0]).isGreaterThan(48);
        assertThat(samples).allSatisfy(at -> assertThat(at[1]).isEqualTo(Math.rint(at[0] / 0.05)));
    }

    @Test
    void keepsNewestSamplesOfSessionWithoutEnd() {
        PlayerTracks ways = PlayerTracks.newest(GOLF, 100);
        for (int i = 0; i < 1000; i++) {
            ways.add(
                    "",
                    line(
                            i,
                            i * 0.05,
                            Direction.C2S,
                            DissectedMessage.Layer.MESSAGE,
                            "putt",
                            Map.of("at", i)));
        }
        List<double[]> samples = ways.tracks().getFirst().samples;
        assertThat(samples).hasSizeBetween(80, 100);
        assertThat(samples.getLast()[1]).isEqualTo(999);
        for (int i = 1; i < samples.size(); i++) {
            assertThat(samples.get(i)[1]).isEqualTo(samples.get(i - 1)[1] + 1);
        }
        JsonObject since = ways.json(new Gson(), samples.get(samples.size() - 3)[0]);
        JsonObject way = since.getAsJsonArray("ways").get(0).getAsJsonObject();
        assertThat(way.getAsJsonArray("samples")).hasSize(2);
        ways.dropBefore(1e9);
        assertThat(ways.tracks()).isEmpty();
    }

    @Test
    void showsProgressUntilRead() throws IOException {
        Path file = Files.writeString(directory.resolve("recording"), "of golf");
        try (CaptureIndex index = CaptureIndex.open(MovementSource.Factory.NONE)) {
            assertThat(index.reading()).hasValue(new MessageIndex.Progress("", 0, 0));
            index.read(file, told -> Inspector.of(List.of(new Recording(5)), told), (_, _) -> true);
            assertThat(index.reading()).isPresent();
            index.finish();
            assertThat(index.reading()).isEmpty();
        }
    }

    @Test
    void watchesLongCaptureAndStops() throws IOException {
        CaptureBytes bytes = CaptureBytes.pcap(1);
        for (int i = 0; i < 2000; i++) {
            bytes.record(i, 0, CaptureBytes.ethernet(4000, 5000, (byte) 'x'));
        }
        Path file = Files.write(directory.resolve("long.pcap"), bytes.bytes());
        List<Double> parts = new ArrayList<>();
        try (CaptureIndex index = CaptureIndex.open(MovementSource.Factory.NONE)) {
            index.read(
                    file,
                    told -> Inspector.of(List.of(new Recording(0)), told),
                    (done, size) -> {
                        parts.add((double) done / size);
                        return parts.size() < 3;
                    });
        }
        assertThat(parts).hasSize(3).isSorted().allMatch(part -> part > 0 && part <= 1);
    }

    @Test
    void closesEmptyAndAbandonedIndex() throws IOException {
        CaptureIndex.open(MovementSource.Factory.NONE).close();
        CaptureIndex index = CaptureIndex.open(MovementSource.Factory.NONE);
        Path file = Files.writeString(directory.resolve("recording"), "of golf");
        index.read(file, told -> Inspector.of(List.of(new Recording(5000)), told), (_, _) -> true);
        index.close();
        assertThat(index.lines()).isEqualTo(5000);
    }

    /** Each file by itself would be of another flow, and of no game from its middle on. */
    @Test
    void readsTheFilesOfARingAsOneCapture() throws IOException {
        byte[] first = CaptureBytes.pcap(1).record(1, 0, CaptureBytes.ethernet(4, 5)).bytes();
        byte[] second = CaptureBytes.pcap(1).record(3, 0, CaptureBytes.ethernet(4, 5)).bytes();
        byte[] later = CaptureBytes.pcap(1).record(9999, 0, CaptureBytes.ethernet(4, 5)).bytes();
        List<Inspector> made = new ArrayList<>();
        try (CaptureIndex index = CaptureIndex.open(MovementSource.Factory.NONE)) {
            for (byte[] file : List.of(first, second, later)) {
                index.read(
                        Files.write(directory.resolve("part" + file.length), file),
                        lines -> {
                            Inspector inspector = Inspector.of(List.of(), lines);
                            made.add(inspector);
                            return inspector;
                        },
                        (_, _) -> true);
            }
            index.finish();
        }

        assertThat(made).hasSize(2);
        assertThat(made.getFirst().unclaimed()).isEqualTo(2);
    }
}

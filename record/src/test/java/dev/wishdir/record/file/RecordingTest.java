package dev.wishdir.record.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.FlagCause;
import dev.wishdir.arena.event.FlagChange;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.arena.event.NativeMovement;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.event.Team;
import dev.wishdir.blocks.arena.ArenaCatalog;
import dev.wishdir.blocks.arena.ArenaText;
import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.blocks.grid.BlockGrid;
import dev.wishdir.blocks.grid.Material;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.record.mcap.McapReader;
import dev.wishdir.record.mcap.MessageCursor;
import dev.wishdir.record.message.Quantum;
import dev.wishdir.record.message.RecordingOptions;
import dev.wishdir.record.recorder.ArenaScript;
import dev.wishdir.wire.TestEffort;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.LongStream;
import java.util.stream.Stream;

@Tag("slow")
class RecordingTest {
    private static final long START =
            Instant.parse("2026-11-25T12:00:00Z").toEpochMilli() * 1_000_000;
    private static final RecordingInfo INFO =
            new RecordingInfo("test", "server", "flat", Instant.ofEpochSecond(0, START));

    @TempDir Path folder;

    private final List<ArenaEvent> happened = new ArrayList<>();

    private Path record(long seed, int steps, RecordingOptions options) throws IOException {
        Path file = folder.resolve("test.mcap");
        try (RecordingWriter writer =
                RecordingWriter.create(file, INFO, Optional.of("text of the arena"), options)) {
            new ArenaScript(seed, START, happened::add, writer).run(steps);
        }
        return file;
    }

    private static List<ArenaEvent> read(EventCursor cursor) throws IOException {
        List<ArenaEvent> events = new ArrayList<>();
        while (cursor.next()) {
            events.add(cursor.event());
        }
        return events;
    }

    private static long wholeMicros(long nanos) {
        return nanos / 1000 * 1000;
    }

    /** Times and parts of events; a ping is known only from the last snapshot. */
    private static List<Object> kept(List<ArenaEvent> events) {
        return events.stream().<Object>map(event -> List.of(event.time(), kept(event))).toList();
    }

    /** The parts of an event that a recording keeps, rounded as it does, without the time. */
    private static List<Object> kept(ArenaEvent event) {
        List<Object> parts = new ArrayList<>();
        parts.add(event.getClass().getSimpleName());
        for (Method accessor :
                ACCESSORS.computeIfAbsent(event.getClass(), RecordingTest::accessors)) {
            try {
                parts.add(kept(accessor.invoke(event)));
            } catch (ReflectiveOperationException e) {
                throw new LinkageError(e.getMessage(), e);
            }
        }
        return parts;
    }

    /** By the kind of event, as finding them takes longer than the rest of the test. */
    private static final Map<Class<?>, List<Method>> ACCESSORS = new ConcurrentHashMap<>();

    private static List<Method> accessors(Class<?> event) {
        return Arrays.stream(event.getRecordComponents())
                .filter(part -> !part.getName().equals("time") && !part.getName().equals("from"))
                .map(RecordComponent::getAccessor)
                .toList();
    }

    private static Object kept(Object part) {
        return switch (part) {
            case Player p ->
                    List.of(
                            p.id(),
                            p.game(),
                            p.name(),
                            p.joined(),
                            p.spawned(),
                            kept(p.movement()),
                            p.nativeMovement().form(),
                            p.nativeMovement().bytes());
            case Movement m ->
                    new Movement(
                            Quantum.position(m.position()),
                            Quantum.yaw(m.yaw()),
                            Quantum.pitch(m.pitch()),
                            new Vec3(
                                    Quantum.velocity(m.velocity().x()),
                                    Quantum.velocity(m.velocity().y()),
                                    Quantum.velocity(m.velocity().z())),
                            m.stance());
            case Level level -> List.of(level.name(), level.bounds());
            case Vec3 v -> List.of((float) v.x(), (float) v.y(), (float) v.z());
            case Optional<?> some -> some.map(RecordingTest::kept);
            default -> part;
        };
    }

    static LongStream seeds() {
        return TestEffort.seeds(1, 2);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void readsBackEveryEvent(long seed) throws IOException {
        Path file = record(seed, 8000, RecordingOptions.DEFAULT);
        try (Recording recording = Recording.open(file)) {
            EventCursor cursor = recording.events();
            List<ArenaEvent> events = read(cursor);
            List<ArenaEvent> expected =
                    happened.stream()
                            .filter(event -> !(event instanceof ArenaEvent.Whisper))
                            .toList();
            assertThat(expected.stream().map(Object::getClass).distinct().count())
                    .isGreaterThan(14);
            assertThat(events).hasSameSizeAs(expected);
            for (int i = 0; i < events.size(); i++) {
                ArenaEvent written = expected.get(i);
                assertThat(kept(events.get(i))).as("event %d", i).isEqualTo(kept(written));
                assertThat(events.get(i).time()).isEqualTo(wholeMicros(written.time()));
            }
            assertThat(cursor.skipped()).isZero();
            assertThat(recording.isComplete()).isTrue();
            assertThat(recording.info()).isEqualTo(INFO);
            assertThat(recording.arenaText()).contains("text of the arena");
        }
    }

    @Test
    void readsBackChangesOfFlags() throws IOException {
        Path file = folder.resolve("flags.mcap");
        Player ann =
                new Player(
                        new PlayerId(0, 7),
                        "quake3",
                        "ann",
                        1_000,
                        0,
                        true,
                        Movement.ORIGIN,
                        NativeMovement.Stored.NONE);
        happened.add(new ArenaEvent.Joined(1_000, ann));
        for (FlagChange change : FlagChange.values()) {
            for (FlagCause cause : FlagCause.values()) {
                Optional<Player> player =
                        cause == FlagCause.TIME ? Optional.empty() : Optional.of(ann);
                happened.add(
                        new ArenaEvent.FlagChanged(
                                2_000,
                                Team.values()[happened.size() % 2],
                                change,
                                cause,
                                player,
                                new Vec3(1.5, -2, 0.25),
                                happened.size(),
                                Duration.ofMillis(happened.size() * 100L)));
            }
        }
        try (RecordingWriter writer =
                RecordingWriter.create(file, INFO, Optional.empty(), RecordingOptions.DEFAULT)) {
            happened.forEach(writer::onEvent);
        }
        try (Recording recording = Recording.open(file)) {
            EventCursor cursor = recording.events();
            List<ArenaEvent> events = read(cursor);
            assertThat(kept(events)).isEqualTo(kept(happened));
            assertThat(cursor.skipped()).isZero();
        }
    }

    /** The shipped arenas, and one of the largest size in which no two layers can be joined. */
    static Stream<BlockArena> arenas() {
        int half = BlockGrid.MAX_WIDTH / 2;
        BlockGrid.Builder largest =
                new BlockGrid.Builder(
                        BlockGrid.MAX_WIDTH, BlockGrid.MAX_WIDTH, BlockGrid.MAX_LAYERS, 0);
        for (int z = 0; z < BlockGrid.MAX_LAYERS; z++) {
            largest.set(z - half, 0, z, Material.BRICK, false);
        }
        List<Movement> spawns = ArenaCatalog.FLAT.spawns();
        return Stream.concat(
                ArenaCatalog.SHIPPED.stream().map(ArenaCatalog::shipped),
                Stream.of(
                        new BlockArena(
                                "largest",
                                "Largest",
                                BlockArena.Sun.USUAL,
                                largest.build(),
                                spawns)));
    }

    @ParameterizedTest
    @MethodSource("arenas")
    void keepsArena(BlockArena arena) throws IOException {
        String text = ArenaText.write(arena);
        Path file = folder.resolve("arena.mcap");
        RecordingWriter.create(file, INFO, Optional.of(text), RecordingOptions.DEFAULT).close();
        try (Recording recording = Recording.open(file)) {
            // Not with contains, which prints the text.
            assertThat(recording.arenaText().orElse("").equals(text)).isTrue();
        }
    }

    @ParameterizedTest
    @CsvSource({"1, FFA", "2, TEAM", "3, TEAM", "4, INSTA"})
    void readsBackFights(long seed, MatchMode mode) throws IOException {
        Path file = folder.resolve("fights.mcap");
        try (RecordingWriter writer =
                RecordingWriter.create(file, INFO, Optional.empty(), RecordingOptions.DEFAULT)) {
            new ArenaScript(seed, START, happened::add, writer).withFights(mode).run(2000);
        }
        assertThat(happened)
                .hasAtLeastOneElementOfType(ArenaEvent.Hit.class)
                .hasAtLeastOneElementOfType(ArenaEvent.Died.class)
                .hasAtLeastOneElementOfType(ArenaEvent.Scored.class)
                .hasAtLeastOneElementOfType(ArenaEvent.RoundEnded.class);
        // Instagib has no items.
        assertThat(happened.stream().anyMatch(ArenaEvent.ItemTaken.class::isInstance))
                .isEqualTo(!mode.isOneHit());
        assertThat(happened.stream().anyMatch(ArenaEvent.ItemVanished.class::isInstance))
                .isEqualTo(!mode.isOneHit());
        assertThat(happened.stream().anyMatch(ArenaEvent.ItemReturned.class::isInstance))
                .isEqualTo(!mode.isOneHit());
        try (Recording recording = Recording.open(file)) {
            EventCursor cursor = recording.events();
            List<ArenaEvent> expected =
                    happened.stream()
                            .filter(event -> !(event instanceof ArenaEvent.Whisper))
                            .toList();
            List<ArenaEvent> events = read(cursor);
            assertThat(events).hasSameSizeAs(expected);
            for (int i = 0; i < events.size(); i++) {
                assertThat(kept(events.get(i))).as("event %d", i).isEqualTo(kept(expected.get(i)));
            }
            assertThat(cursor.skipped()).isZero();
        }
    }

    @Test
    void readsEventsWithoutMovements() throws IOException {
        Path file = folder.resolve("generated.mcap");
        RecordingGenerator.write(file, 3, 12, 40_000);
        try (Recording recording = Recording.open(file)) {
            List<List<Object>> all = withoutMovements(read(recording.events()));
            List<ArenaEvent> found = read(recording.eventsWithoutMovements());
            assertThat(all).hasSizeGreaterThan(30);
            assertThat(withoutMovements(found)).isEqualTo(all);
            assertThat(found).hasSizeLessThan(10_000);
        }
    }

    /** Kinds, times and players of the events other than movements. */
    private static List<List<Object>> withoutMovements(List<ArenaEvent> events) {
        return events.stream()
                .filter(event -> !(event instanceof ArenaEvent.Moved))
                .map(event ->
                        List.<Object>of(
                                event.getClass(),
                                event.time(),
                                event instanceof ArenaEvent.OfPlayer of
                                        ? List.of(of.id(), of.player().name(), of.player().game())
                                        : List.of()))
                .toList();
    }

    @Test
    void findsStateAtAnyTime() throws IOException {
        Path file = record(5, 6000, RecordingOptions.DEFAULT);
        Random random = new Random(5);
        try (Recording recording = Recording.open(file)) {
            for (int i = 0; i < 100; i++) {
                long time = random.nextLong(START, recording.endNanos());
                Map<PlayerId, Player> state = new LinkedHashMap<>();
                for (ArenaEvent event : happened) {
                    if (wholeMicros(event.time()) <= time
                            && event instanceof ArenaEvent.OfPlayer of) {
                        state.put(of.id(), of.player());
                        if (event instanceof ArenaEvent.Left) {
                            state.remove(of.id());
                        }
                    }
                }
                Map<PlayerId, Object> expected = new LinkedHashMap<>();
                state.forEach((id, player) -> expected.put(id, kept(player)));
                Map<PlayerId, Object> found = new LinkedHashMap<>();
                recording
                        .stateAt(time)
                        .players()
                        .forEach((id, player) -> found.put(id, kept(player)));
                assertThat(found).as("at %d", time).isEqualTo(expected);
            }
        }
    }

    @Test
    void copiesPart() throws IOException {
        Path file = record(6, 6000, RecordingOptions.DEFAULT);
        Path part = folder.resolve("part.mcap");
        try (Recording recording = Recording.open(file)) {
            long from = START + 12_345_678_901L;
            long to = START + 23_456_789_012L;
            recording.copy(from, to, part, RecordingOptions.DEFAULT);
            try (Recording copy = Recording.open(part)) {
                assertThat(copy.events().state()).isEqualTo(recording.stateAt(from - 1));
                assertThat(kept(read(copy.events())))
                        .isEqualTo(kept(read(recording.events(from, to))));
                assertThat(copy.arenaText()).isEqualTo(recording.arenaText());
            }
            assertThatThrownBy(() -> recording.copy(from, to, part, RecordingOptions.DEFAULT))
                    .isInstanceOf(FileAlreadyExistsException.class);
        }
    }

    @Test
    void leavesOutWhatOptionsExclude() throws IOException {
        Path file = record(7, 4000, new RecordingOptions(false, false, false, false));
        String raw = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
        assertThat(raw).doesNotContain("192.0.2.1");
        try (Recording recording = Recording.open(file)) {
            List<ArenaEvent> events = read(recording.events());
            assertThat(events)
                    .hasAtLeastOneElementOfType(ArenaEvent.Moved.class)
                    .doesNotHaveAnyElementsOfTypes(
                            ArenaEvent.Chat.class,
                            ArenaEvent.Renamed.class,
                            ArenaEvent.Whisper.class);
            for (ArenaEvent event : events) {
                if (event instanceof ArenaEvent.OfPlayer of) {
                    assertThat(of.player().name()).isEqualTo("player " + of.id());
                    assertThat(of.player().nativeMovement()).isEqualTo(NativeMovement.Stored.NONE);
                }
            }
        }
    }

    @Test
    void neverRecordsWhispersAndAddresses() throws IOException {
        Path file = record(8, 4000, RecordingOptions.DEFAULT);
        assertThat(happened).hasAtLeastOneElementOfType(ArenaEvent.Whisper.class);
        StringBuilder all = new StringBuilder();
        try (McapReader reader = McapReader.open(file)) {
            MessageCursor messages =
                    reader.messages(Long.MIN_VALUE, Long.MAX_VALUE, Set.of(0, 1, 2));
            while (messages.next()) {
                all.append(
                        new String(
                                messages.buffer(),
                                messages.offset(),
                                messages.length(),
                                StandardCharsets.ISO_8859_1));
            }
        }
        assertThat(all.toString()).contains("text ").doesNotContain("secret", "192.0.2.1");
    }

    /** What is killed between two chunks loses what has happened since the last one. */
    @Test
    void writesWhatHasWaited() throws IOException {
        Path file = folder.resolve("live.mcap");
        RecordingInfo info = new RecordingInfo("", "", "", Instant.EPOCH);
        try (RecordingWriter writer =
                RecordingWriter.create(file, info, Optional.empty(), RecordingOptions.DEFAULT)) {
            long millis = 1_000_000;
            writer.onEvent(new ArenaEvent.Announcement(1_000, "first"));
            writer.flush(-100 * millis);
            writer.flush(600 * millis);
            assertThat(texts(file)).isEmpty();
            writer.flush(650 * millis);
            assertThat(texts(file)).containsExactly("first");
            writer.onEvent(new ArenaEvent.Announcement(2_000, "second"));
            writer.flush(1_000 * millis);
            writer.flush(1_749 * millis);
            assertThat(texts(file)).containsExactly("first");
            writer.flush(1_750 * millis);
            assertThat(texts(file)).containsExactly("first", "second");
        }
    }

    private static List<String> texts(Path file) throws IOException {
        List<String> texts = new ArrayList<>();
        try (Recording recording = Recording.open(file)) {
            EventCursor events = recording.events();
            while (events.next()) {
                if (events.event() instanceof ArenaEvent.Announcement e) {
                    texts.add(e.text());
                }
            }
        }
        return texts;
    }

    @Test
    @DisplayName("M13 a recording that is being written is not repaired")
    void repairsNoFileThatIsBeingWritten() throws IOException {
        RecordingInfo info = new RecordingInfo("", "", "", Instant.EPOCH);
        Path file = folder.resolve("live.mcap");
        try (RecordingWriter writer =
                RecordingWriter.create(file, info, Optional.empty(), RecordingOptions.DEFAULT)) {
            writer.onEvent(new ArenaEvent.Announcement(1_000, "first"));
            byte[] before = Files.readAllBytes(file);
            assertThatThrownBy(() -> RecordingFolder.repair(file))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("another program writes it");
            assertThat(Files.readAllBytes(file)).isEqualTo(before);
        }
        assertThat(RecordingFolder.repair(file).complete()).isTrue();

        Path cut = folder.resolve("2025-11-24T16-00-00Z-hall.mcap.part");
        try (RecordingFolder server = RecordingFolder.open(folder)) {
            Files.write(cut, Arrays.copyOf(Files.readAllBytes(file), (int) Files.size(file) - 20));
            byte[] before = Files.readAllBytes(cut);
            assertThatThrownBy(() -> RecordingFolder.repair(cut))
                    .hasMessageContaining("another server records into " + folder);
            assertThat(Files.readAllBytes(cut)).isEqualTo(before);
            assertThat(server).isNotNull();
        }
        assertThat(RecordingFolder.repair(cut).complete()).isFalse();
        assertThat(texts(cut)).containsExactly("first");
    }
}

package dev.wishdir.app.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.NativeMovement;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.record.file.RecordingInfo;
import dev.wishdir.record.file.RecordingWriter;
import dev.wishdir.record.message.RecordedState;
import dev.wishdir.record.message.RecordingOptions;
import dev.wishdir.wire.Bytes;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;

/** A server's recordings are followed from file to file. */
class FolderSourceTest {
    private static final long SECOND = 1_000_000_000L;

    /** 2025-11-24T16:00:00Z. */
    private static final long START = 1_764_000_000L * SECOND;

    private static final String FIRST = "2025-11-24T16-00-00Z-hall.mcap";
    private static final String SECOND_FILE = "2025-11-24T16-00-20Z-hall.mcap";
    private static final int RATE = 20;

    /** Numbers from here on. */
    private static final int FILLERS = 10;

    private final Arena arena =
            new Arena(
                    new Level("test", new Bounds(new Vec3(-50, -50, 0), new Vec3(50, 50, 30))), 8);
    private final List<String> log = new ArrayList<>();

    @TempDir private Path folder;
    @TempDir private Path made;

    FolderSourceTest() {
        arena.addListener(event -> {
            switch (event) {
                case ArenaEvent.Joined e -> log("join ", e.player());
                case ArenaEvent.Left e -> log("leave ", e.player());
                default -> {}
            }
        });
    }

    private void log(String what, Player player) {
        if (player.name().matches(".* \\d")) {
            log.add(what + player.name());
        }
    }

    private static Player player(int number, double x) {
        byte[] bytes = new byte[40];
        new Random(Double.hashCode(x) + number).nextBytes(bytes);
        return new Player(
                new PlayerId(0, number),
                "quake2",
                "walker " + number,
                START,
                0,
                true,
                Movement.at(new Vec3(x, number % 50, 0), 0),
                new NativeMovement.Stored("quake2/test", Bytes.wrap(bytes)));
    }

    /** Players besides, so that a file has many chunks. */
    private static IntStream all(int... players) {
        return IntStream.concat(IntStream.of(players), IntStream.range(FILLERS, FILLERS + 40));
    }

    /** Players that walk a metre per second; x is the time since the start of the first file. */
    private byte[] recording(int from, int to, int... players) throws IOException {
        Path file = made.resolve(from + ".mcap");
        Map<PlayerId, Player> present = new LinkedHashMap<>();
        all(players)
                .mapToObj(number -> player(number, from))
                .forEach(player -> present.put(player.id(), player));
        Instant started = Instant.ofEpochSecond(0, START + from * SECOND);
        try (RecordingWriter writer =
                RecordingWriter.create(
                        file,
                        new RecordingInfo("test", "", "hall", started),
                        Optional.empty(),
                        RecordingOptions.DEFAULT)) {
            writer.begin(new RecordedState(present, Map.of()));
            for (int step = from * RATE + 1; step < to * RATE; step++) {
                for (int number : all(players).toArray()) {
                    Player moved = player(number, (double) step / RATE);
                    writer.onEvent(
                            new ArenaEvent.Moved(
                                    START + step * SECOND / RATE, moved, moved.movement()));
                }
            }
        }
        return Files.readAllBytes(file);
    }

    private void run(ArenaReplay replay, long from, long to) {
        for (long now = from; now < to; ) {
            now = Math.min(to, replay.advance(now));
        }
    }

    private double x(int number) {
        return arena.players().stream()
                .filter(player -> player.name().equals("~walker " + number))
                .mapToDouble(player -> player.movement().position().x())
                .findFirst()
                .orElse(Double.NaN);
    }

    private ArenaReplay replay(ReplaySource source, long from) {
        return new ArenaReplay(
                arena, source, Runnable::run, new ArenaReplay.Settings("hall", from, 1, false));
    }

    @Test
    void continuesWithTheNextFile() throws IOException {
        byte[] first = recording(0, 20, 1, 2);
        byte[] second = recording(20, 40, 1, 3);
        Path part = folder.resolve(FIRST + ".part");
        Files.write(part, Arrays.copyOf(first, first.length / 2));
        Files.writeString(folder.resolve("notes.txt"), "of the operator");
        try (FolderSource source = FolderSource.newest(folder)) {
            long from = source.endNanos() - 2 * SECOND;
            double known = (from - START) / 1e9;
            assertThat(known).isBetween(3.0, 9.0);
            ArenaReplay replay = replay(source, from);
            run(replay, 0, SECOND);
            assertThat(x(1)).isBetween(known + 0.9, known + 1.01);

            // The server completes it, and begins the next one, of which nothing is written yet.
            Files.write(
                    part,
                    Arrays.copyOfRange(first, first.length / 2, first.length),
                    StandardOpenOption.APPEND);
            Files.move(part, folder.resolve(FIRST));
            Path next = Files.createFile(folder.resolve(SECOND_FILE + ".part"));
            run(replay, SECOND, 5 * SECOND);
            assertThat(x(1)).isBetween(known + 4.9, known + 5.01);
            Files.write(next, second);
            long end = (long) ((30 - known) * 1e9);
            run(replay, 5 * SECOND, end);
            assertThat(x(1)).isBetween(29.9, 30.01);
            assertThat(x(2)).isNaN();
            assertThat(x(3)).isEqualTo(x(1));
            assertThat(log)
                    .containsExactly(
                            "join ~walker 1",
                            "join ~walker 2",
                            "leave ~walker 2",
                            "join ~walker 3");

            // Back to the first file and again over its end.
            replay.seek(end, 15);
            run(replay, end, end + SECOND + ArenaReplay.RESPAWN_NANOS);
            assertThat(x(2)).isBetween(15.9, 16.01);
            run(replay, end + SECOND + ArenaReplay.RESPAWN_NANOS, end + 12 * SECOND);
            assertThat(x(2)).isNaN();
            assertThat(x(3)).isBetween(26.7, 27.01);

            // The server has ended, and none has begun since: the ghosts leave.
            run(replay, end + 12 * SECOND, end + 100 * SECOND);
            assertThat(x(1)).isNaN();
            assertThat(source.isComplete()).isFalse();
        }
    }

    /** The relay of a server was started first, while the server was down. */
    @Test
    void skipsThePauseBetweenTwoRuns() throws IOException {
        Files.write(folder.resolve(FIRST), recording(0, 5, 1));
        try (FolderSource source = FolderSource.newest(folder)) {
            ArenaReplay replay =
                    new ArenaReplay(
                            arena,
                            source,
                            Runnable::run,
                            new ArenaReplay.Settings(
                                    "hall", source.endNanos() - 2 * SECOND, 1, false, 2 * SECOND));
            run(replay, 0, SECOND);
            assertThat(x(1)).isBetween(3.0, 5.0);
            run(replay, SECOND, 10 * SECOND);
            assertThat(arena.players()).isEmpty();

            // 20 minutes later.
            Files.write(folder.resolve("2025-11-24T16-20-00Z-hall.mcap"), recording(1200, 1260, 2));
            run(replay, 10 * SECOND, 11 * SECOND);
            assertThat(arena.players()).isEmpty();
            run(replay, 11 * SECOND, 15 * SECOND);
            assertThat(x(2)).isNotNaN();
            assertThat(replay.status(15 * SECOND)).containsPattern("at 20:0[23]");
        }
    }

    @Test
    void beginsWithTheNamedFile() throws IOException {
        Path part = folder.resolve(FIRST + ".part");
        Files.write(part, recording(0, 20, 1));
        Files.write(folder.resolve(SECOND_FILE), recording(20, 40, 2));
        try (FolderSource source = FolderSource.from(part)) {
            ArenaReplay replay = replay(source, source.endNanos() - 2 * SECOND);
            run(replay, 0, SECOND);
            assertThat(x(1)).isBetween(18.8, 19.01);
            run(replay, SECOND, 10 * SECOND);
            assertThat(x(1)).isNaN();
            assertThat(x(2)).isBetween(27.8, 28.01);
        }
    }

    @Test
    void refusesFolderWithoutRecordings() throws IOException {
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> FolderSource.newest(folder))
                .withMessageContaining("start that server first");
        Files.createFile(folder.resolve(FIRST + ".part"));
        assertThatExceptionOfType(IOException.class).isThrownBy(() -> FolderSource.newest(folder));
    }
}

package dev.wishdir.app.replay;

import static org.assertj.core.api.Assertions.assertThat;

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
import dev.wishdir.record.message.RecordingOptions;
import dev.wishdir.wire.Bytes;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;

/** Recordings in files, replayed and followed. */
class RecordingSourceTest {
    private static final long SECOND = 1_000_000_000L;

    /** The time of the recording's first event, nanoseconds since 1970. */
    private static final long START = 1_764_000_000_000_000_000L;

    private static final int PLAYERS = 60;
    private static final int RATE = 20;
    private static final int SECONDS = 40;

    private final Arena arena =
            new Arena(
                    new Level("test", new Bounds(new Vec3(-50, -50, 0), new Vec3(50, 50, 30))), 8);

    @TempDir private Path folder;

    private static Player player(int number, double x, boolean spawned, int step) {
        byte[] bytes = new byte[40];
        Arrays.fill(bytes, (byte) (step * 31 + number));
        bytes[step % bytes.length] ^= (byte) (step >> 3);
        return new Player(
                new PlayerId(0, number),
                "quake2",
                "walker " + number,
                START,
                0,
                spawned,
                Movement.at(new Vec3(x, number % 50, 0), 0),
                new NativeMovement.Stored("quake2/test", Bytes.wrap(bytes)));
    }

    /** Players that walk a metre per second. */
    private Path recording() throws IOException {
        Path file = folder.resolve("walk.mcap");
        try (RecordingWriter writer =
                RecordingWriter.create(
                        file,
                        new RecordingInfo("test", "", "", Instant.ofEpochSecond(START / SECOND)),
                        Optional.empty(),
                        RecordingOptions.DEFAULT)) {
            for (int number = 1; number <= PLAYERS; number++) {
                writer.onEvent(new ArenaEvent.Joined(START, player(number, 0, false, 0)));
                Player spawned = player(number, 0, true, 0);
                writer.onEvent(new ArenaEvent.Spawned(START, spawned, spawned.movement()));
            }
            for (int step = 1; step <= SECONDS * RATE; step++) {
                for (int number = 1; number <= PLAYERS; number++) {
                    Player moved = player(number, (double) step / RATE, true, step);
                    writer.onEvent(
                            new ArenaEvent.Moved(
                                    START + step * SECOND / RATE, moved, moved.movement()));
                }
            }
        }
        return file;
    }

    private static void run(ArenaReplay replay, long from, long to) {
        for (long now = from; now < to; ) {
            now = Math.min(to, replay.advance(now));
        }
    }

    private static double seconds(Arena arena) {
        return arena.players().getLast().movement().position().x();
    }

    @Test
    void replaysFileFromAnyTime() throws IOException {
        try (RecordingSource source = RecordingSource.open(recording())) {
            assertThat(source.isComplete()).isTrue();
            ArenaReplay replay =
                    new ArenaReplay(
                            arena,
                            source,
                            Runnable::run,
                            new ArenaReplay.Settings("walk", START + 20 * SECOND, 1, false));
            run(replay, 0, 5 * SECOND + 10);
            assertThat(arena.players()).hasSize(PLAYERS);
            assertThat(seconds(arena)).isBetween(24.9, 25.01);
            assertThat(arena.players().getLast().nativeMovement())
                    .isEqualTo(player(PLAYERS, 25, true, 25 * RATE).nativeMovement());
            run(replay, 5 * SECOND + 10, 30 * SECOND);
            assertThat(arena.players()).isEmpty();
        }
    }

    @Test
    void followsFileThatGrows() throws IOException {
        byte[] whole = Files.readAllBytes(recording());
        Path growing = folder.resolve("growing.mcap");
        int written = whole.length / SECONDS * 10;
        Files.write(growing, Arrays.copyOf(whole, written));
        try (RecordingSource source = RecordingSource.follow(growing)) {
            double known = (source.endNanos() - START) / 1e9;
            assertThat(known).isBetween(5.0, 12.0);
            ArenaReplay replay =
                    new ArenaReplay(
                            arena,
                            source,
                            Runnable::run,
                            new ArenaReplay.Settings(
                                    "walk", source.endNanos() - 4 * SECOND, 1, false));
            long now = 0;
            while (written < whole.length) {
                run(replay, now, now + SECOND / 2);
                now += SECOND / 2;
                // Four seconds behind what was known at first, if nothing had to be awaited.
                double expected = known - 4 + now / 1e9;
                assertThat(seconds(arena)).isBetween(expected - 0.1, expected + 0.01);
                int more = Math.min(whole.length - written, whole.length / SECONDS / 2);
                Files.write(
                        growing,
                        Arrays.copyOfRange(whole, written, written + more),
                        StandardOpenOption.APPEND);
                written += more;
            }
            run(replay, now, now + 20 * SECOND);
            assertThat(source.isComplete()).isTrue();
            assertThat(arena.players()).isEmpty();
            assertThat(replay.status(now)).contains("ended at 0:40.0");
        }
    }
}

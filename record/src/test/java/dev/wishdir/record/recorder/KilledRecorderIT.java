package dev.wishdir.record.recorder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.record.file.EventCursor;
import dev.wishdir.record.file.Recording;
import dev.wishdir.record.file.RecordingFolder;
import dev.wishdir.record.file.RecordingInfo;
import dev.wishdir.record.message.RecordedState;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * A process that records is killed at any moment: its file opens, and lacks about the last second.
 * {@code -Dwishdir.kills=100} does so a hundred times.
 */
class KilledRecorderIT {
    private static final int KILLS = Integer.getInteger("wishdir.kills", 3);

    private static final int SIGKILL_STATUS = 128 + 9;

    /** A second in memory, and far more than a busy machine needs to write it. */
    private static final long MAX_LOST_NANOS = 6_000_000_000L;

    @TempDir Path folder;

    /** Records players that move in real time; prints each step's time and what is written. */
    public static final class RecordingProcess {
        private RecordingProcess() {}

        public static void main(String[] arguments) throws Exception {
            RecorderSettings settings = RecorderSettings.in(Path.of(arguments[0]));
            RecordingFolder opened = RecordingFolder.open(settings.folder());
            Recorder.Subject subject =
                    new Recorder.Subject() {
                        @Override
                        public RecordingInfo info(Instant started) {
                            return new RecordingInfo("test", "", "flat", started);
                        }

                        @Override
                        public Supplier<Optional<String>> arenaText() {
                            return Optional::empty;
                        }
                    };
            Instant wall = Instant.now();
            long start = System.nanoTime();
            Recorder recorder =
                    Recorder.start(
                            opened,
                            settings,
                            start,
                            wall,
                            subject,
                            RecordedState.EMPTY,
                            new RecorderListener() {
                                @Override
                                public void onFailure(IOException why) {
                                    throw new AssertionError(why);
                                }

                                @Override
                                public void onResumed(Path file) {
                                    throw new AssertionError(file);
                                }
                            });
            long offset = wall.getEpochSecond() * 1_000_000_000 + wall.getNano() - start;
            ArenaScript script = new ArenaScript(start, start, recorder);
            while (true) {
                script.run(1);
                recorder.advance(script.now());
                System.out.printf("%d %d%n", script.now() + offset, recorder.status().bytes());
                long ahead = script.now() - System.nanoTime();
                if (ahead > 0) {
                    TimeUnit.NANOSECONDS.sleep(ahead);
                }
            }
        }
    }

    @Test
    @DisplayName("M5 a killed process loses about its last second")
    void losesAboutLastSecondOfKilledProcess() throws Exception {
        Random random = new Random(1);
        int kept = 0;
        List<Long> losses = new ArrayList<>();
        for (int i = 0; i < KILLS; i++) {
            Process process =
                    new ProcessBuilder(
                                    Path.of(System.getProperty("java.home"), "bin", "java")
                                            .toString(),
                                    "-XX:TieredStopAtLevel=1",
                                    "-cp",
                                    System.getProperty("java.class.path"),
                                    RecordingProcess.class.getName(),
                                    folder.toString())
                            .redirectError(ProcessBuilder.Redirect.INHERIT)
                            .start();
            long first = 0;
            long last = 0;
            long written = 0;
            long run = random.nextLong(1_200_000_000L, 3_000_000_000L);
            try (BufferedReader lines = process.inputReader(StandardCharsets.US_ASCII)) {
                while (last - first < run) {
                    String line = lines.readLine();
                    assertThat(line).as("the process records").isNotNull();
                    String[] parts = line.split(" ");
                    last = Long.parseLong(parts[0]);
                    first = first == 0 ? last : first;
                    written = Long.parseLong(parts[1]);
                }
                process.toHandle().destroyForcibly();
                assertThat(process.waitFor()).isEqualTo(SIGKILL_STATUS);
            }
            RecordingFolder.open(folder).close();
            try (Stream<Path> files = Files.list(folder)) {
                List<Path> recordings =
                        files.filter(path -> path.toString().endsWith(".mcap")).sorted().toList();
                if (recordings.size() == kept) {
                    // Killed before its first second was written.
                    assertThat(written).isLessThan(2_000);
                    assertThat(last - first).isLessThan(MAX_LOST_NANOS);
                    losses.add(last - first);
                    continue;
                }
                assertThat(recordings).hasSize(++kept);
                assertThat(Files.size(recordings.getLast()))
                        .as("nothing that was written is lost")
                        .isGreaterThan(written);
                try (Recording recording = Recording.open(recordings.getLast())) {
                    assertThat(recording.isComplete()).isTrue();
                    assertThat(recording.damage()).isEmpty();
                    EventCursor cursor = recording.events();
                    // A file begins with a snapshot, which may be all that was written.
                    long lastEvent = recording.startNanos();
                    while (cursor.next()) {
                        ArenaEvent event = cursor.event();
                        assertThat(event.time()).isGreaterThanOrEqualTo(lastEvent);
                        lastEvent = event.time();
                    }
                    assertThat(cursor.skipped()).isZero();
                    assertThat(last - lastEvent).isLessThan(MAX_LOST_NANOS);
                    losses.add(last - lastEvent);
                }
            }
        }
        losses.sort(null);
        System.out.printf(
                "%d kills, %d files; lost ms: median %d, most %d%n",
                KILLS,
                kept,
                losses.get(losses.size() / 2) / 1_000_000,
                losses.getLast() / 1_000_000);
    }
}

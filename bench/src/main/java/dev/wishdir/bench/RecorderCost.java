package dev.wishdir.bench;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.record.file.RecordingFolder;
import dev.wishdir.record.file.RecordingGenerator;
import dev.wishdir.record.file.RecordingInfo;
import dev.wishdir.record.message.RecordedState;
import dev.wishdir.record.recorder.Recorder;
import dev.wishdir.record.recorder.RecorderListener;
import dev.wishdir.record.recorder.RecorderSettings;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Cost of a recorder to the arena's thread and its own, by CPU time: generated events of a minute,
 * faster than they would happen, after a warm-up by the same. Native movements are ready, as the
 * games make them when they are asked for. Prints a table in Markdown.
 *
 * <p>Usage, after {@code mvn verify}: {@code java -cp bench/target/benchmarks.jar
 * dev.wishdir.bench.RecorderCost [PLAYERS] [SECONDS]}
 */
public final class RecorderCost {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final int MOVEMENTS_A_SECOND = 33;
    private static final int SPEED = 10;
    private static final long STEP_NANOS = 50_000_000;
    private static final int WARM_UPS = 2;

    private RecorderCost() {}

    /** Subject of the recording: no arena. */
    private static final class Subject implements Recorder.Subject {
        @Override
        public RecordingInfo info(Instant started) {
            return new RecordingInfo("RecorderCost", "", "", started);
        }

        @Override
        public Supplier<Optional<String>> arenaText() {
            return Optional::empty;
        }
    }

    /** Ends the measurement if the disk fails. */
    private static final class Failure implements RecorderListener {
        @Override
        public void onFailure(IOException why) {
            throw new UncheckedIOException(why);
        }

        @Override
        public void onResumed(Path file) {}
    }

    public static void main(String[] arguments) throws Exception {
        int players = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 128;
        int seconds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 60;
        List<ArenaEvent> events = new ArrayList<>();
        Instant start = Instant.parse("2026-11-25T20:00:00Z");
        RecordingGenerator.generate(
                1, start, players, (long) players * MOVEMENTS_A_SECOND * seconds, events::add);
        System.out.println(
                "| players | movements/s | thread of the arena | recorder | left out |"
                        + " bytes a movement |");
        System.out.println("|---|---|---|---|---|---|");
        for (int i = 0; i <= WARM_UPS; i++) {
            String row = record(players, events);
            if (i == WARM_UPS) {
                System.out.println(row);
            }
        }
    }

    private static String record(int players, List<ArenaEvent> events) throws Exception {
        Path folder = Files.createTempDirectory("recorder-cost");
        long first = events.getFirst().time();
        long span = events.getLast().time() - first;
        long began = System.nanoTime();
        long arenaNanos = 0;
        long recorderNanos;
        Recorder recorder =
                Recorder.start(
                        RecordingFolder.open(folder),
                        RecorderSettings.in(folder),
                        first,
                        Instant.ofEpochSecond(0, first),
                        new Subject(),
                        new RecordedState(Map.of(), Map.of()),
                        new Failure());
        try (recorder) {
            int next = 0;
            for (long now = first; next < events.size(); now += STEP_NANOS) {
                while (System.nanoTime() - began < (now - first) / SPEED) {
                    LockSupport.parkNanos(1_000_000);
                }
                long before = THREADS.getCurrentThreadCpuTime();
                while (next < events.size() && events.get(next).time() <= now) {
                    recorder.onEvent(events.get(next++));
                }
                recorder.advance(now);
                arenaNanos += THREADS.getCurrentThreadCpuTime() - before;
            }
            recorderNanos = recorderCpuNanos();
        }
        long movements = events.stream().filter(event -> event instanceof ArenaEvent.Moved).count();
        return String.format(
                Locale.ROOT,
                "| %d | %.0f | %.2f us a movement, %.2f %% of a core | %.2f us, %.2f %% | %d |"
                        + " %.1f |",
                players,
                movements / (span / 1e9),
                arenaNanos / 1e3 / movements,
                100.0 * arenaNanos / span,
                recorderNanos / 1e3 / movements,
                100.0 * recorderNanos / span,
                recorder.status().lostEvents(),
                size(folder) / (double) movements);
    }

    private static long recorderCpuNanos() {
        for (ThreadInfo thread : THREADS.getThreadInfo(THREADS.getAllThreadIds())) {
            if (thread != null && thread.getThreadName().equals("recorder")) {
                return THREADS.getThreadCpuTime(thread.getThreadId());
            }
        }
        throw new IllegalStateException("there is no recorder");
    }

    private static long size(Path folder) throws IOException {
        try (var files = Files.list(folder)) {
            return files.mapToLong(file -> file.toFile().length()).sum();
        }
    }
}

package dev.wishdir.bench;

import dev.wishdir.record.file.Recording;
import dev.wishdir.record.file.RecordingGenerator;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * A recording of 10^7 movements: how long it takes to open it, to find the state at random times,
 * and to export it as Parquet, a process of its own. Prints a table in Markdown.
 *
 * <p>Usage, from the project's root after {@code mvn verify} and {@code mvn -Prun,query -pl app -am
 * package}: {@code java -cp bench/target/benchmarks.jar dev.wishdir.bench.LargeRecording
 * [MOVEMENTS] [FILE]}. The file is generated if it is missing.
 */
public final class LargeRecording {
    private static final int SEEKS = 200;

    private LargeRecording() {}

    public static void main(String[] arguments) throws Exception {
        long movements = arguments.length > 0 ? Long.parseLong(arguments[0]) : 10_000_000;
        Path folder = Files.createTempDirectory("large-recording");
        Path file =
                arguments.length > 1
                        ? Path.of(arguments[1]).toAbsolutePath()
                        : folder.resolve("large.mcap");
        if (!Files.exists(file)) {
            RecordingGenerator.write(file, 1, RecordingGenerator.PLAYERS, movements);
        }
        System.out.println("| what | result |");
        System.out.println("|---|---|");
        print(
                "file",
                String.format(
                        Locale.ROOT, "%d movements, %.1f MB", movements, Files.size(file) / 1e6));
        seek(file);
        export(file, folder.resolve("tables"), movements);
    }

    private static void print(String what, String result) {
        System.out.println("| " + what + " | " + result + " |");
    }

    /** Each seek opens the file and reads what it needs of it. */
    private static void seek(Path file) throws IOException {
        SplittableRandom random = new SplittableRandom(1);
        double[] millis = new double[SEEKS];
        long cpu = 0;
        for (int i = 0; i < 2 * SEEKS; i++) {
            long began = System.nanoTime();
            try (Recording recording = Recording.open(file)) {
                if (i == 0) {
                    print(
                            "open, first",
                            String.format(
                                    Locale.ROOT, "%.0f ms", (System.nanoTime() - began) / 1e6));
                }
                long at = random.nextLong(recording.startNanos(), recording.endNanos());
                long cpuBefore = cpuNanos();
                began = System.nanoTime();
                if (recording.stateAt(at).players().isEmpty()) {
                    throw new IOException(file + " has no players at " + at);
                }
                millis[i % SEEKS] = (System.nanoTime() - began) / 1e6;
                cpu = i < SEEKS ? 0 : cpu + cpuNanos() - cpuBefore;
            }
            if (i % SEEKS == SEEKS - 1) {
                Arrays.sort(millis);
                print(
                        i < SEEKS ? "seek, cold" : "seek, warm",
                        String.format(
                                Locale.ROOT,
                                "p50 %.1f ms, p99 %.1f, max %.1f",
                                millis[SEEKS / 2],
                                millis[SEEKS * 99 / 100],
                                millis[SEEKS - 1]));
            }
        }
        print(
                "seek, warm, CPU",
                String.format(Locale.ROOT, "%.1f ms on average", cpu / 1e6 / SEEKS));
    }

    private static long cpuNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private static void export(Path file, Path tables, long movements) throws Exception {
        CommandRun run =
                CommandRun.of(
                        "./wishdir", "export", file.toString(), "--parquet", tables.toString());
        print(
                "export as Parquet",
                String.format(
                        Locale.ROOT, "%.1f s, %.1f s of CPU", run.seconds(), run.cpuSeconds()));
        print(
                "movements.parquet",
                String.format(
                        Locale.ROOT,
                        "%.2f bytes a movement",
                        Files.size(tables.resolve("movements.parquet")) / (double) movements));
    }
}

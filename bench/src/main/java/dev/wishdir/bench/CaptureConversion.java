package dev.wishdir.bench;

import dev.wishdir.app.record.CaptureConverter;
import dev.wishdir.arena.event.ArenaListener;
import dev.wishdir.inspect.capture.CaptureReader;
import dev.wishdir.record.file.RecordingInfo;
import dev.wishdir.record.file.RecordingWriter;
import dev.wishdir.record.message.RecordingOptions;
import dev.wishdir.sauerbraten.SauerbratenGame;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Speed at which a capture of Sauerbraten's small packets becomes a recording: {@code wishdir
 * record --from}, a process of its own, and where the time goes. The capture is a walk of the
 * tests, again and again at later times. Prints a table in Markdown.
 *
 * <p>Usage, from the project's root after {@code mvn verify}: {@code java -cp
 * bench/target/benchmarks.jar dev.wishdir.bench.CaptureConversion [PACKETS]}
 */
public final class CaptureConversion {
    private static final Path WALK =
            Path.of("sauerbraten/src/test/resources/captures/solo_walk.pcap");
    private static final int FILE_HEAD_BYTES = 24;
    private static final int RECORD_HEAD_BYTES = 16;

    /** Seconds from the start of a walk to that of the next one. */
    private static final int WALK_SECONDS = 60;

    private CaptureConversion() {}

    /** Does a part of the work. */
    @FunctionalInterface
    private interface Stage {
        void run() throws IOException;
    }

    public static void main(String[] arguments) throws Exception {
        long packets = arguments.length > 0 ? Long.parseLong(arguments[0]) : 4_000_000;
        Path folder = Files.createTempDirectory("capture-conversion");
        Path capture = folder.resolve("walks.pcap");
        long written = write(capture, packets);
        System.out.println("| what | result |");
        System.out.println("|---|---|");
        CommandRun start = CommandRun.of("./wishdir", "--version");
        print(
                "start of a process",
                String.format(Locale.ROOT, "%.2f s of CPU", start.cpuSeconds()));
        CommandRun run =
                CommandRun.of(
                        "./wishdir",
                        "record",
                        "--from",
                        capture.toString(),
                        "--out",
                        folder.resolve("walks.mcap").toString());
        print(
                "record --from",
                String.format(
                        Locale.ROOT,
                        "%d packets: %.1f s, %.1f s of CPU; %.0f packets/s, %.0f a second of CPU",
                        written,
                        run.seconds(),
                        run.cpuSeconds(),
                        written / run.seconds(),
                        written / run.cpuSeconds()));
        stage("read packets", written, () -> read(capture));
        stage("... and decode movement", written, () -> convert(capture, _ -> {}));
        stage("... and write it", written, () -> record(capture, folder.resolve("again.mcap")));
    }

    private static void print(String what, String result) {
        System.out.println("| " + what + " | " + result + " |");
    }

    /** Only this thread's time: the compiler has its own. */
    private static void stage(String what, long packets, Stage stage) throws IOException {
        long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        stage.run();
        long cpu = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - before;
        print(
                what,
                String.format(
                        Locale.ROOT,
                        "%.2f us a packet, %.2f s of CPU",
                        cpu / 1e3 / packets,
                        cpu / 1e9));
    }

    private static void read(Path capture) throws IOException {
        try (CaptureReader reader = CaptureReader.open(capture)) {
            while (reader.next().isPresent()) {
                // Only read.
            }
        }
    }

    private static void convert(Path capture, ArenaListener listener) throws IOException {
        new CaptureConverter(List.of(new SauerbratenGame()), List.of(), listener).convert(capture);
    }

    private static void record(Path capture, Path out) throws IOException {
        RecordingInfo info = new RecordingInfo("CaptureConversion", "", "", Instant.EPOCH);
        try (RecordingWriter writer =
                RecordingWriter.create(out, info, Optional.empty(), RecordingOptions.DEFAULT)) {
            convert(capture, writer);
        }
    }

    /** Writes whole walks until there are as many packets; returns their number. */
    private static long write(Path file, long packets) throws IOException {
        byte[] walk = Files.readAllBytes(WALK);
        ByteBuffer bytes = ByteBuffer.wrap(walk).order(ByteOrder.LITTLE_ENDIAN);
        long written = 0;
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), 1 << 20)) {
            out.write(walk, 0, FILE_HEAD_BYTES);
            while (written < packets) {
                for (int at = FILE_HEAD_BYTES; at < walk.length; written++) {
                    int length = RECORD_HEAD_BYTES + bytes.getInt(at + 2 * Integer.BYTES);
                    out.write(walk, at, length);
                    bytes.putInt(at, bytes.getInt(at) + WALK_SECONDS);
                    at += length;
                }
            }
        }
        return written;
    }
}

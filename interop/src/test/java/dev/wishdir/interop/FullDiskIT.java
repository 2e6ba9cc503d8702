package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.record.file.EventCursor;
import dev.wishdir.record.file.Recording;
import dev.wishdir.record.file.RecordingFolder;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A server records onto a small file system that fills. */
@Timeout(600)
class FullDiskIT {
    private static final Duration SOON = Duration.ofMinutes(2);

    /** After a failure, the next attempt is 10 s later. */
    private static final Duration RETRY = Duration.ofSeconds(100);

    private static final int DISK_BYTES = 2 << 20;

    /** What is left for the recording. */
    private static final int FREE_BYTES = 24 << 10;

    @TempDir private Path here;
    private Path disk = Path.of("");

    /** A tmpfs; to mount one needs root. */
    @BeforeEach
    void mount() throws Exception {
        disk = Files.createDirectory(here.resolve("disk"));
        if (!run("mount", "-t", "tmpfs", "-o", "size=" + DISK_BYTES, "tmpfs", disk.toString())) {
            String missing = "no tmpfs can be mounted: this test needs root";
            if (Boolean.parseBoolean(System.getenv("WISHDIR_REQUIRE_PEERS"))) {
                fail(missing);
            }
            abort(missing);
        }
    }

    @AfterEach
    void unmount() throws Exception {
        run("umount", "-l", disk.toString());
    }

    private static boolean run(String... command) throws Exception {
        try {
            Process process = new ProcessBuilder(command).inheritIO().start();
            return process.waitFor(60, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (IOException _) {
            return false;
        }
    }

    private static List<Path> files(Path folder, String suffix) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(RecordingFolder::isRecording)
                    .filter(file -> file.toString().endsWith(suffix))
                    .sorted()
                    .toList();
        }
    }

    private static void fill(Path file) throws IOException {
        try (OutputStream out = Files.newOutputStream(file)) {
            byte[] block = new byte[4096];
            while (Files.getFileStore(file).getUsableSpace() > FREE_BYTES) {
                out.write(block);
            }
        }
    }

    private static double metric(HttpClient http, String page, String name) {
        try {
            HttpRequest request = HttpRequest.newBuilder(URI.create(page + "metrics")).build();
            return http.send(request, BodyHandlers.ofString())
                    .body()
                    .lines()
                    .filter(line -> line.startsWith(name + " "))
                    .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
                    .findFirst()
                    .orElse(Double.NaN);
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    private static long stopped(Peer server) {
        return server.lines().stream().filter(line -> line.contains("recording stopped")).count();
    }

    @Test
    @DisplayName("M4 a real disk fills while a server records")
    void continuesWithoutRecordingUntilThereIsSpace() throws Exception {
        HttpClient http = HttpClient.newHttpClient();
        Path recordings = disk.resolve("recordings");
        Path filler = disk.resolve("filler");
        String up = "wishdir_recording_up";
        try (Peer server =
                Peer.wishdir(
                        here,
                        "serve",
                        "--arena",
                        "flat",
                        "--web",
                        "127.0.0.1:0",
                        "--quake2",
                        "127.0.0.1:0",
                        "--record",
                        recordings.toString(),
                        "--record-min-free",
                        "100K")) {
            String page = server.awaitLine("^Live map: ", SOON).substring("Live map: ".length());
            String quake = server.awaitLine("^Quake II: .* port ", SOON);
            String address = "127.0.0.1:" + quake.substring(quake.lastIndexOf(' ') + 1);
            try (Peer first = Peer.wishdir(here, "bot", "quake2", address, "--name", "first")) {
                first.awaitLine("join first", SOON);
                fill(filler);
                server.awaitLine("recording stopped, the server continues", SOON);
                // Complete if the rest had room for its summary.
                Path cut = files(recordings, "").getLast();

                // The server goes on, and reports it once.
                try (Peer second =
                        Peer.wishdir(here, "bot", "quake2", address, "--name", "second")) {
                    second.awaitLine("join second", SOON);
                }
                server.type("status");
                assertThat(server.awaitLine("^not recording: ", SOON))
                        .contains("No space left on device");
                assertThat(metric(http, page, up)).isZero();
                assertThat(metric(http, page, "wishdir_recording_lost_events_total"))
                        .isGreaterThan(0);
                try (Recording recording = Recording.open(cut)) {
                    EventCursor events = recording.events();
                    int moves = 0;
                    while (events.next()) {
                        moves += events.event() instanceof ArenaEvent.Moved ? 1 : 0;
                    }
                    assertThat(moves).isGreaterThan(20);
                    assertThat(events.skipped()).isZero();
                }
                assertThat(stopped(server)).isEqualTo(1);

                // With space, it records again.
                Files.delete(filler);
                server.awaitLine("recording into ", RETRY);
                Peer.await("the metric", SOON, () -> metric(http, page, up) == 1);
            }
            server.terminate();
            assertThat(server.awaitExit(SOON)).isZero();
        }
        List<Path> whole = files(recordings, ".mcap");
        assertThat(whole).isNotEmpty();
        try (Recording recording = Recording.open(whole.getLast())) {
            assertThat(recording.isComplete()).isTrue();
            assertThat(recording.events().next()).isTrue();
        }
    }
}

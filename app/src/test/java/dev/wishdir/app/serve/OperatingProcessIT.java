package dev.wishdir.app.serve;

import static dev.wishdir.app.serve.ServeProcessIT.assertEnds;
import static dev.wishdir.app.serve.ServeProcessIT.lineWith;
import static dev.wishdir.app.serve.ServeProcessIT.start;
import static dev.wishdir.app.serve.ServeProcessIT.terminate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import com.google.gson.JsonParser;

import dev.wishdir.app.FakeGame;
import dev.wishdir.app.Shell;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A server as a process, as its operator has it: the log, signals, full disks. */
@Timeout(180)
final class OperatingProcessIT {
    private static final FakeGame GAME = new FakeGame("red", 27_011);

    @TempDir private Path folder = Path.of("");

    private static String address(BufferedReader err, List<String> lines) throws IOException {
        String where = lineWith("players connect to 127.0.0.1, port ", err, lines);
        return "localhost:" + where.replaceAll(".*, port ([0-9]+).*", "$1");
    }

    @Test
    @DisplayName("R7: a server whose log has no reader serves its players and ends as it is asked")
    void servesWithUnreadLog() throws Exception {
        Process serve = start("serve", "--red", "127.0.0.1:0");
        try (BufferedReader err = serve.errorReader(StandardCharsets.UTF_8);
                BufferedWriter orders = serve.outputWriter(StandardCharsets.UTF_8)) {
            String server = address(err, new ArrayList<>());
            // Some MiB, and a pipe holds 64 KiB.
            String line = "say " + "x".repeat(400) + "\n";
            for (int i = 0; i < 5000; i++) {
                orders.write(line);
            }
            orders.flush();
            Shell.Run bot = new Shell(GAME).run("bot", "red", server, "--seconds", "1");
            assertThat(bot.status()).as(bot.err()).isZero();
            lineWith("(red 1) left", err, new ArrayList<>());
            terminate(serve);
            err.lines().forEach(_ -> {});
            assertEnds(serve, 0);
        } finally {
            serve.destroyForcibly();
        }
    }

    /** The lowest number of a file descriptor that a process does not use. */
    private static int freeDescriptor(Process process) {
        int number = 0;
        while (Files.isSymbolicLink(Path.of("/proc/" + process.pid() + "/fd/" + number))) {
            number++;
        }
        return number;
    }

    /** Changes the soft limit of a process that runs. */
    private static void limitDescriptors(Process process, int most) throws Exception {
        String limit = "--nofile=" + most + ":";
        String pid = Long.toString(process.pid());
        assertEnds(new ProcessBuilder("prlimit", "--pid", pid, limit).start(), 0);
    }

    @Test
    @DisplayName("a server without file descriptors reports it seldom, and its players go on")
    void servesWithoutFileDescriptors() throws Exception {
        Process serve = start("serve", "--red", "127.0.0.1:0", "--web", "127.0.0.1:0");
        List<String> lines = new ArrayList<>();
        try (BufferedReader err = serve.errorReader(StandardCharsets.UTF_8)) {
            String server = address(err, lines);
            String map = lineWith("Live map: ", err, lines);
            int web = Integer.parseInt(map.replaceFirst(".*:(\\d+)/.*", "$1"));
            Process player = start("bot", "red", server, "--seconds", "4");
            lineWith("(red 1) joined", err, lines);
            limitDescriptors(serve, freeDescriptor(serve) + 2);
            long began = System.nanoTime();
            List<Socket> open = new ArrayList<>();
            try {
                for (int i = 0; i < 20; i++) {
                    open.add(new Socket(InetAddress.getLoopbackAddress(), web));
                }
                lineWith("cannot accept connections", err, lines);
                assertEnds(player, 0);
            } finally {
                for (Socket socket : open) {
                    socket.close();
                }
                player.destroyForcibly();
            }
            // A Java whose classes are not in a jar opens a file for each that it needs to end.
            limitDescriptors(serve, 1000);
            terminate(serve);
            err.lines().forEach(lines::add);
            assertEnds(serve, 0);
            long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - began);
            assertThat(lines)
                    .filteredOn(line -> line.contains("cannot accept connections"))
                    .hasSizeLessThanOrEqualTo((int) (1 + seconds / 10));
        } finally {
            serve.destroyForcibly();
        }
    }

    @Test
    void reloadsOnSighupAndOpensFilesAgain() throws Exception {
        assumeFalse(isHangupIgnored(), "SIGHUP is ignored here, as below nohup");
        Path config = folder.resolve("wishdir.conf");
        Path events = folder.resolve("events.jsonl");
        Path bans = folder.resolve("bans.txt");
        Files.writeString(config, "max-players = 8\non-cheat = observe\n");
        Files.writeString(events, "{\"kept\":1}\n");
        Process serve =
                start(
                        "serve",
                        "--config",
                        config.toString(),
                        "--red",
                        "127.0.0.1:0",
                        "--events",
                        events.toString());
        try (BufferedReader err = serve.errorReader(StandardCharsets.UTF_8);
                BufferedWriter orders = serve.outputWriter(StandardCharsets.UTF_8)) {
            String server = address(err, new ArrayList<>());
            Files.writeString(config, "max-players = 9\non-cheat = kick\npassword = secret\n");
            Files.writeString(bans, "192.0.2.0/24 forever\n");
            Path rotated = Files.move(events, folder.resolve("events.jsonl.1"));
            hangUp(serve);
            assertThat(lineWith("reloaded", err, new ArrayList<>()))
                    .contains("changed password, on-cheat", "needs a restart: max-players")
                    .contains("1 bans read")
                    .doesNotContain("secret");
            Shell.Run stranger = new Shell(GAME).run("bot", "red", server, "--seconds", "1");
            assertThat(stranger.status()).isEqualTo(1);
            orders.write("say hi\nbans\n");
            orders.flush();
            lineWith("192.0.2.0/24 forever", err, new ArrayList<>());

            Files.writeString(config, "max-players = many\n");
            hangUp(serve);
            assertThat(lineWith("not reloaded", err, new ArrayList<>())).contains("line 1");
            Files.writeString(config, "max-players = 8\nmax-visible-players = 0\n");
            hangUp(serve);
            assertThat(lineWith("not reloaded", err, new ArrayList<>()))
                    .contains("line 2: max-visible-players must be at least 1, is 0");
            terminate(serve);
            err.lines().forEach(_ -> {});
            assertEnds(serve, 0);
            assertThat(Files.readString(rotated)).startsWith("{\"kept\":1}\n");
            assertThat(Files.readString(events)).contains("\"event\":\"announce\"");
        } finally {
            serve.destroyForcibly();
        }
    }

    /** Whether processes that are started here ignore SIGHUP, as all below nohup do. */
    private static boolean isHangupIgnored() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("SigIgn:"))
                .anyMatch(line -> (Long.parseUnsignedLong(line.substring(7).strip(), 16) & 1) != 0);
    }

    private static void hangUp(Process serve) throws Exception {
        Process kill = new ProcessBuilder("kill", "-HUP", String.valueOf(serve.pid())).start();
        assertThat(kill.waitFor()).isZero();
    }

    @Test
    @DisplayName("R14: --events on a full disk is said once, has whole lines, and goes on")
    void writesWholeEventsUpToAFullDiskAndBeyond() throws Exception {
        Path events = folder.resolve("events.jsonl");
        // No file may grow beyond 16 blocks of 512 bytes, which a writer sees as a full disk.
        List<String> command =
                new ArrayList<>(List.of("sh", "-c", "ulimit -f 16; exec \"$@\"", "sh"));
        command.addAll(
                ServeProcessIT.command(
                        "serve", "--red", "127.0.0.1:0", "--events", events.toString()));
        Process serve = new ProcessBuilder(command).start();
        List<String> lines = new ArrayList<>();
        try (BufferedReader err = serve.errorReader(StandardCharsets.UTF_8)) {
            String server = address(err, lines);
            Process bot = start("bot", "red", server);
            try {
                lineWith("events cannot be written to " + events, err, lines);
                assertWholeLines(events);
                Files.writeString(events, "");
                lineWith("events are written to " + events + " again", err, lines);
            } finally {
                bot.destroyForcibly();
            }
            terminate(serve);
            err.lines().forEach(lines::add);
            serve.waitFor();
            assertWholeLines(events);
        } finally {
            serve.destroyForcibly();
        }
    }

    private static void assertWholeLines(Path events) throws IOException {
        String text = Files.readString(events);
        assertThat(text).endsWith("}\n");
        assertThat(text.lines())
                .allSatisfy(
                        line -> assertThat(JsonParser.parseString(line).isJsonObject()).isTrue());
    }
}

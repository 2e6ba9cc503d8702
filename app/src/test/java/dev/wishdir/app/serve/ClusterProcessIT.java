package dev.wishdir.app.serve;

import static dev.wishdir.app.serve.ServeProcessIT.assertEnds;
import static dev.wishdir.app.serve.ServeProcessIT.lineWith;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.app.FakeGame;
import dev.wishdir.app.Shell;
import dev.wishdir.wire.TestPort;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A server as a process, without and with the option that makes it one of several. */
@Timeout(180)
final class ClusterProcessIT {
    private static final FakeGame GAME = new FakeGame("red", 27_011);

    @TempDir private Path folder = Path.of("");

    /** An address at which nothing listens. */
    private static String nobody() throws IOException {
        return "nats://127.0.0.1:" + TestPort.free();
    }

    /** Serves a bot, and writes the names of all classes that are loaded into a file. */
    private List<String> loaded(String awaited, String... options) throws Exception {
        Path classes = folder.resolve("classes.txt");
        List<String> command =
                ServeProcessIT.command("serve", "--red", "127.0.0.1:0", "--web", "127.0.0.1:0");
        command.addAll(List.of(options));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("JAVA_TOOL_OPTIONS", "-Xlog:class+load:file=" + classes);
        Process serve = builder.start();
        CompletableFuture.delayedExecutor(150, TimeUnit.SECONDS).execute(serve::destroyForcibly);
        try (BufferedReader err = serve.errorReader(StandardCharsets.UTF_8);
                BufferedWriter orders = serve.outputWriter(StandardCharsets.UTF_8)) {
            List<String> lines = new ArrayList<>();
            String where = lineWith("players connect to 127.0.0.1, port ", err, lines);
            String server = "localhost:" + where.replaceAll(".*, port ([0-9]+).*", "$1");
            if (lines.stream().noneMatch(line -> line.contains(awaited))) {
                lineWith(awaited, err, lines);
            }
            Shell.Run bot = new Shell(GAME).run("bot", "red", server, "--seconds", "1");
            assertThat(bot.status()).as(bot.err()).isZero();
            orders.write("status\n");
            orders.flush();
            String status = lineWith("map: hall, 0 of 128 players", err, lines);
            assertThat(status).isNotEmpty();
            if (options.length > 0) {
                assertThat(lineWith("nodes: this one is ", err, lines))
                        .contains("with 0 players; NATS is not connected: ");
            }
            orders.write("quit\n");
            orders.flush();
            err.lines().forEach(lines::add);
            assertEnds(serve, 0);
            if (options.length == 0) {
                assertThat(lines).noneMatch(line -> line.contains("nodes: "));
            }
        } finally {
            serve.destroyForcibly();
        }
        return Files.readAllLines(classes);
    }

    private static List<String> ofCluster(List<String> classes) {
        return classes.stream()
                .filter(line ->
                        line.contains(" dev.wishdir.cluster.")
                                || line.contains(" io.nats.")
                                || line.contains(" com.google.protobuf."))
                .toList();
    }

    @Test
    void loadsNoClassOfClusterWithoutOption() throws Exception {
        List<String> classes = loaded("players connect to");
        assertThat(classes).anyMatch(line -> line.contains(" dev.wishdir.arena.Arena "));
        assertThat(ofCluster(classes)).isEmpty();
    }

    @Test
    void servesItsOwnPlayersWithoutNats() throws Exception {
        List<String> classes = loaded("NATS did not connect yet: ", "--cluster", nobody());
        assertThat(ofCluster(classes))
                .anyMatch(line -> line.contains(" dev.wishdir.cluster.Node "))
                .anyMatch(line -> line.contains(" io.nats.client."));
    }

    @Test
    void reportsCauseInCheckAndDoctor() throws IOException {
        String server = nobody();
        Shell.Run check =
                new Shell(GAME)
                        .run("serve", "--red", "127.0.0.1:0", "--cluster", server, "--check");
        assertThat(check.status()).isEqualTo(1);
        assertThat(check.err())
                .contains("--cluster: cannot connect to " + server + " within 3 s: ");
        Shell.Run doctor = new Shell(GAME).run("doctor", "--cluster", server);
        assertThat(doctor.status()).isEqualTo(1);
        assertThat(doctor.out())
                .containsPattern("bad +cluster +--cluster: cannot connect to " + server);
        Shell.Run unknown = new Shell(GAME).run("doctor", "--cluster", "host.invalid");
        assertThat(unknown.out())
                .contains("nats://host.invalid within 3 s: unknown host host.invalid");
    }

    /** With other servers it has their players to show. */
    @Test
    void refusesToServeNoGameWithoutOtherServers() {
        Shell.Run run = new Shell(GAME).run("serve", "--red", "off");
        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err()).contains("all games are off");
        Shell.Run node =
                new Shell(GAME).run("serve", "--red", "off", "--cluster", "a", "--seconds", "1");
        assertThat(node.status()).as(node.err()).isZero();
        assertThat(node.err()).contains("shows and records players of other servers");
    }

    @Test
    void refusesSettingsThatContradict() {
        assertRefused(
                "--cluster: a NATS server must be nats://HOST[:PORT] or tls://HOST[:PORT], is"
                        + " \"http://a\"",
                "--cluster",
                "http://a");
        assertRefused(
                "--cluster: the URL of a NATS server has no user and no password: give them as"
                        + " --cluster-user and --cluster-password, or a file as --cluster-key",
                "--cluster",
                "nats://user:secret@host");
        assertRefused(
                "--cluster-user and --cluster-password must be given together",
                "--cluster",
                "a",
                "--cluster-user",
                "wishdir");
        assertRefused(
                "the name of the arena must be 1 to 32 of a-z, 0-9 and -, is \"A\"",
                "--cluster",
                "a",
                "--cluster-arena",
                "A");
        assertRefused(
                "the interval between batches must be from 1 to 100 ms, is 0.0 ms",
                "--cluster",
                "a",
                "--cluster-interval",
                "0");
    }

    private static void assertRefused(String why, String... options) {
        List<String> command = new ArrayList<>(List.of("serve", "--red", "127.0.0.1:0"));
        command.addAll(List.of(options));
        Shell.Run run = new Shell(GAME).run(command.toArray(String[]::new));
        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err()).contains(why);
    }
}

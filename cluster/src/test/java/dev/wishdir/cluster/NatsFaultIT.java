package dev.wishdir.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.cluster.nats.NatsServer;
import dev.wishdir.cluster.remote.RemoteNode;
import dev.wishdir.cluster.remote.WalkingServer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * Processes that are stopped and killed, in real time: nodes, and the nats-server. What the machine
 * adds is measured in the same time, as the longest time between two turns of a node, and added to
 * each limit.
 */
class NatsFaultIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final long SECOND = 1_000_000_000;

    /** A movement waits for its batch, and is under way. */
    private static final long OLDEST_NANOS = RemoteNode.MAX_AGE_NANOS + SECOND / 20;

    /** Until silence is noticed, and a movement after it is shown. */
    private static final long NOTICED_NANOS = 2 * SECOND;

    /** Less than the two seconds for which NATS' client may block. */
    private static final long UNDISTURBED_NANOS = SECOND;

    private final List<AutoCloseable> open = new ArrayList<>();
    private final List<WalkingServer> servers = new ArrayList<>();
    private NatsServer nats;
    private WalkingServer anna;

    /** A node in a process of its own. */
    private static final class NodeProcess implements AutoCloseable {
        private final String name;
        private final Process process;

        NodeProcess(NatsServer nats, String name, int seed) throws IOException {
            this.name = name;
            process =
                    new ProcessBuilder(
                                    Path.of(System.getProperty("java.home"), "bin", "java")
                                            .toString(),
                                    "-XX:TieredStopAtLevel=1",
                                    "-XX:+UseSerialGC",
                                    "-cp",
                                    System.getProperty("java.class.path"),
                                    WalkingServer.class.getName(),
                                    nats.address(),
                                    name,
                                    String.valueOf(seed))
                            .redirectError(ProcessBuilder.Redirect.INHERIT)
                            .start();
        }

        /** Ends it, and checks what it saw of the player whose node did not stop. */
        void assertUndisturbed() throws Exception {
            process.outputWriter().close();
            List<String> lines;
            try (Stream<String> output = process.inputReader().lines()) {
                lines = output.toList();
            }
            assertThat(lines)
                    .as(name)
                    .contains("spawned anna")
                    .doesNotContain("despawned anna", "left anna");
            assertThat(number(lines, "oldest "))
                    .as("%s: %s", name, lines)
                    .isBetween(1L, OLDEST_NANOS + number(lines, "control "));
        }

        private static long number(List<String> lines, String key) {
            return lines.stream()
                    .filter(line -> line.startsWith(key))
                    .mapToLong(line -> Long.parseLong(line.substring(key.length())))
                    .findFirst()
                    .orElseThrow();
        }

        @Override
        public void close() {
            process.destroyForcibly();
        }
    }

    @BeforeEach
    void start() throws Exception {
        nats = NatsServer.start();
        open.add(nats);
        anna = serve("anna", 1);
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open.reversed()) {
            each.close();
        }
    }

    private WalkingServer serve(String name, int seed) throws IOException {
        WalkingServer server = new WalkingServer(nats.address(), name, seed);
        servers.add(server);
        open.add(server);
        return server;
    }

    private NodeProcess launch(String name, int seed) throws IOException {
        NodeProcess launched = new NodeProcess(nats, name, seed);
        open.add(launched);
        return launched;
    }

    /** Waits, and returns when it was so. */
    private long await(String what, BooleanSupplier condition) {
        NatsServer.await(
                what,
                LIMIT,
                () -> {
                    servers.forEach(WalkingServer::turn);
                    return condition.getAsBoolean();
                });
        return System.nanoTime();
    }

    private void pass(long since, long nanos) {
        await("time to pass", () -> System.nanoTime() - since >= nanos);
    }

    private static Duration between(long from, long to) {
        return Duration.ofNanos(to - from);
    }

    private static Duration limit(WalkingServer server, long nanos) {
        return Duration.ofNanos(nanos + 4 * server.stalls().longest());
    }

    /** That a server showed nothing old, and its own player did not wait for the others. */
    private static void assertFreshAndUndisturbed(WalkingServer server) {
        assertThat(Duration.ofNanos(server.oldest())).isLessThan(limit(server, OLDEST_NANOS));
        assertThat(Duration.ofNanos(server.longestTurn()))
                .isLessThan(Duration.ofNanos(UNDISTURBED_NANOS));
        assertThat(server.player.snapshot().spawned()).isTrue();
    }

    @Test
    void hidesBodiesOfStoppedProcessesAfter2SecondsAndRemovesPlayersAfter15() throws Exception {
        NodeProcess five = launch("five", 5);
        NodeProcess twenty = launch("twenty", 20);
        long begun = await("both bodies", () -> anna.sees("five") && anna.sees("twenty"));
        // Until they have seen anna, too.
        pass(begun, SECOND);
        anna.measure();
        NatsServer.signal(five.process, "STOP");
        NatsServer.signal(twenty.process, "STOP");
        long stopped = System.nanoTime();
        long hidden =
                await(
                        "no bodies",
                        () ->
                                anna.has("despawned five", stopped)
                                        && anna.has("despawned twenty", stopped));
        assertSilence(stopped, hidden, RemoteNode.HIDDEN_NANOS);
        pass(stopped, 5 * SECOND);
        assertThat(anna.knows("five")).isTrue();
        assertThat(anna.knows("twenty")).isTrue();
        NatsServer.signal(five.process, "CONT");
        await("the body that was stopped for 5 s", () -> anna.sees("five"));
        long left = await("that a player leaves", () -> !anna.knows("twenty"));
        assertSilence(stopped, left, RemoteNode.GONE_NANOS);
        pass(stopped, 20 * SECOND);
        assertThat(anna.has("left five", begun)).isFalse();
        NatsServer.signal(twenty.process, "CONT");
        long again = await("the body that was stopped for 20 s", () -> anna.sees("twenty"));
        pass(again, SECOND / 2);
        assertFreshAndUndisturbed(anna);
        five.assertUndisturbed();
        twenty.assertUndisturbed();
    }

    @Test
    void playsOnWhileNatsIsKilledFor3SecondsAndStoppedFor6() throws Exception {
        WalkingServer bob = serve("bob", 2);
        BooleanSupplier isWhole = () -> anna.sees("bob") && bob.sees("anna");
        // After a connect nothing counts as silence for 0.7 s.
        pass(await("both bodies", isWhole), SECOND);
        servers.forEach(WalkingServer::measure);

        long killed = System.nanoTime();
        nats.kill();
        assertHidden(bob, killed);
        pass(killed, 3 * SECOND);
        CompletableFuture<Void> restarted = CompletableFuture.runAsync(this::restart);
        await("nats-server", restarted::isDone);
        long whole = await("both bodies after its restart", isWhole);
        restarted.join();
        pass(whole, SECOND);
        servers.forEach(NatsFaultIT::assertFreshAndUndisturbed);

        servers.forEach(WalkingServer::measure);
        long stopped = System.nanoTime();
        nats.pause();
        servers.forEach(WalkingServer::fillBuffers);
        long stale = staleMovements();
        assertHidden(bob, stopped);
        pass(stopped, 6 * SECOND);
        nats.resume();
        whole = await("both bodies after it stood still", isWhole);
        // What waited in the queue of the last to connect was sent then, and came first.
        assertThat(staleMovements()).isGreaterThan(stale);
        pass(whole, SECOND);
        servers.forEach(NatsFaultIT::assertFreshAndUndisturbed);
    }

    private long staleMovements() {
        return servers.stream().mapToLong(it -> it.node.counters().staleMovements()).sum();
    }

    private void restart() {
        try {
            nats.restart();
        } catch (IOException | InterruptedException e) {
            throw new AssertionError("nats-server did not start", e);
        }
    }

    private void assertHidden(WalkingServer bob, long since) {
        long hidden = await("no bodies", () -> !anna.sees("bob") && !bob.sees("anna"));
        assertSilence(since, hidden, RemoteNode.HIDDEN_NANOS);
        assertThat(anna.knows("bob")).isTrue();
    }

    /** That something followed from silence after as long, since the machine last stood still. */
    private void assertSilence(long since, long time, long nanos) {
        assertThat(between(since, time))
                .isGreaterThan(Duration.ofNanos(nanos - Node.HEARTBEAT_NANOS));
        long heard = since;
        for (WalkingServer server : servers) {
            heard = Math.max(heard, server.stalls().lastStall());
        }
        assertThat(between(heard, time)).isLessThan(limit(anna, nanos + NOTICED_NANOS));
    }
}

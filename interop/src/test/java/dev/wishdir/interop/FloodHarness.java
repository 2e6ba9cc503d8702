package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import static java.util.Objects.requireNonNull;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;

import dev.wishdir.app.command.Games;
import dev.wishdir.app.command.HostPort;
import dev.wishdir.app.command.ShutdownSignal;
import dev.wishdir.app.load.LoadCommand;
import dev.wishdir.app.terminal.Terminal;
import dev.wishdir.game.Game;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.DatagramChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A server of all four games under attack over real sockets, from as many addresses of the loopback
 * network as wanted. While it goes on, honest players of every game join and see each other move;
 * afterwards the heap is what it was. How long they waited is printed, not asserted: the machine
 * has other work.
 */
@Tag("alone")
abstract class FloodHarness {
    static final List<String> GAMES = List.of("sauerbraten", "quake2", "quake3", "bedrock");
    static final Duration SOON = Duration.ofMinutes(2);

    private static final Predicate<String> JOINED =
            Pattern.compile(" Server: \\S+ \\(\\w+ \\d+\\) joined from ").asPredicate();
    private static final Predicate<String> GONE =
            Pattern.compile(" Server: \\S+ \\(\\w+ \\d+\\) (left$|timed out|was disconnected)")
                    .asPredicate();
    private static final Duration MAX_DEADLINE = Duration.ofMinutes(2);

    /** Objects and bytes, in the last line of a histogram. */
    private static final Pattern HEAP = Pattern.compile("Total +\\d+ +(\\d+)");

    /** What classes and code hold in it besides. */
    private static final long HEAP_MARGIN_KIB = 4096;

    /** An attacker shares the machine's cores with those it attacks: it is not to starve them. */
    private static final long ROUND_NANOS = 400_000;

    /**
     * The part of the honest players' movements that may be late by two seconds on a busy machine.
     */
    private static final double MAX_LOSS = 0.5;

    @TempDir Path directory = Path.of("");
    final Map<String, InetSocketAddress> addresses = new LinkedHashMap<>();
    final Random random = new Random(4);

    Peer server;
    InetSocketAddress web = loopback(0);
    Path alive = Path.of("");

    @BeforeEach
    void serve() throws Exception {
        List<String> arguments = new ArrayList<>(List.of("serve"));
        for (String game : GAMES) {
            arguments.addAll(List.of("--" + game, "127.0.0.1:0"));
        }
        alive = directory.resolve("alive");
        arguments.addAll(List.of("--web", "127.0.0.1:0", "--health-file", alive.toString()));
        server = Peer.wishdir(directory, arguments.toArray(String[]::new));
        String[] titles = {"Sauerbraten", "Quake II:", "Quake III", "Bedrock"};
        for (int i = 0; i < titles.length; i++) {
            String line = server.awaitLine(titles[i] + ".*players connect to", SOON);
            int port = Integer.parseInt(line.substring(line.lastIndexOf(' ') + 1));
            addresses.put(GAMES.get(i), loopback(port));
        }
        String map = server.awaitLine("Live map: ", SOON);
        web = loopback(Integer.parseInt(map.replaceFirst(".*:(\\d+)/", "$1")));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    static InetSocketAddress loopback(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    InetSocketAddress address(String game) {
        return requireNonNull(addresses.get(game));
    }

    /** What is alive in the heap, KiB: not what a busy server lets go meanwhile. */
    long heap() throws Exception {
        Matcher total = HEAP.matcher(jcmd("GC.class_histogram"));
        assertThat(total.find()).isTrue();
        return Long.parseLong(total.group(1)) >> 10;
    }

    private String jcmd(String command) throws Exception {
        String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        try (Peer run =
                Peer.start(directory, Map.of(), jcmd, Long.toString(server.pid()), command)) {
            assertThat(run.awaitExit(SOON)).isZero();
            return String.join("\n", run.lines());
        }
    }

    /** The heap is what it was, as soon as those who attacked are gone by their own deadlines. */
    void assertHeapIsBack(String what, long before) throws Exception {
        long most = before + before / 20 + HEAP_MARGIN_KIB;
        long end = System.nanoTime() + MAX_DEADLINE.toNanos();
        long after = heap();
        while (after >= most && System.nanoTime() < end) {
            LockSupport.parkNanos(500_000_000);
            after = heap();
        }
        System.out.printf("%s: heap %d KiB before, %d KiB after%n", what, before, after);
        assertThat(after).isLessThan(most);
    }

    /** Two honest players of each game join, walk for a while, and see each other. */
    private Map<String, JsonObject> play(String what, int seconds) throws Exception {
        Map<String, Future<JsonObject>> loads = new LinkedHashMap<>();
        Map<String, JsonObject> results = new LinkedHashMap<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(GAMES.size())) {
            for (String game : GAMES) {
                String from = "127.0.2." + (1 + loads.size());
                loads.put(game, threads.submit(() -> load(game, from, seconds)));
            }
            for (Map.Entry<String, Future<JsonObject>> load : loads.entrySet()) {
                JsonObject result = load.getValue().get(SOON.toSeconds(), TimeUnit.SECONDS);
                System.out.printf("%s: %s%n", what, result);
                assertThat(result.get("joined").getAsInt()).as("%s", result).isEqualTo(2);
                assertThat(result.getAsJsonArray("problems")).isEmpty();
                assertThat(result.get("loss").getAsDouble()).as("%s", result).isLessThan(MAX_LOSS);
                results.put(load.getKey(), result);
            }
        }
        return results;
    }

    /** Honest players play until all of them see each other: at once, but on a busy machine. */
    private void awaitPlay(String what) throws Exception {
        long end = System.nanoTime() + SOON.toNanos();
        while (!isRelayed(play(what, 1))) {
            assertThat(System.nanoTime()).as("%s: no movement is relayed", what).isLessThan(end);
        }
    }

    private static boolean isRelayed(Map<String, JsonObject> results) {
        return results.values().stream().allMatch(it -> it.get("relayed").getAsInt() > 0);
    }

    /** The command, in this process: to start another for each costs more than the attacks. */
    private JsonObject load(String game, String from, int seconds) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        ShutdownSignal shutdown = new ShutdownSignal();
        int status =
                LoadCommand.commandLine(Games.ALL, shutdown, Terminal.NONE)
                        .registerConverter(Game.class, new Games.Converter(Games.ALL))
                        .registerConverter(HostPort.class, HostPort::parse)
                        .setOut(new PrintWriter(out, true))
                        .setErr(new PrintWriter(err, true))
                        .execute(
                                game,
                                "127.0.0.1:" + address(game).getPort(),
                                "--clients",
                                "2",
                                "--from",
                                from,
                                "--seconds",
                                Integer.toString(seconds),
                                "--json");
        shutdown.done(status);
        assertThat(out.toString()).as("%s: %s", game, err).startsWith("{");
        return JsonParser.parseString(out.toString()).getAsJsonObject();
    }

    /** A socket on an address of the loopback network, 127.NUMBER. */
    static DatagramChannel stranger(int number) throws IOException {
        DatagramChannel channel = DatagramChannel.open();
        channel.setOption(StandardSocketOptions.SO_RCVBUF, 1 << 16);
        channel.configureBlocking(false);
        return channel.bind(new InetSocketAddress(Questions.address(number), 0));
    }

    byte[] noise() {
        byte[] bytes = new byte[random.nextInt(1400)];
        random.nextBytes(bytes);
        return bytes;
    }

    /** One round of an attack; it is repeated for as long as honest players play. */
    interface Attack {
        void round(int number) throws IOException;
    }

    /**
     * Attacks while honest players play, and before and after.
     *
     * @return the figures of those who played meanwhile, by their game
     */
    Map<String, JsonObject> attack(String what, Attack attack) throws Exception {
        awaitPlay("before " + what);
        long before = heap();
        Thread attacker =
                Thread.ofPlatform()
                        .start(() -> {
                            for (int i = 0; !Thread.currentThread().isInterrupted(); i++) {
                                try {
                                    attack.round(i);
                                    LockSupport.parkNanos(ROUND_NANOS);
                                } catch (ClosedByInterruptException e) {
                                    return;
                                } catch (IOException e) {
                                    throw new UncheckedIOException(e);
                                }
                            }
                        });
        Map<String, JsonObject> during;
        try {
            during = play("during " + what, 4);
            assertThat(during).matches(FloodHarness::isRelayed, "all see each other");
            assertThat(attacker.isAlive()).isTrue();
        } finally {
            attacker.interrupt();
            attacker.join();
        }
        awaitPlay("after " + what);
        assertHeapIsBack(what, before);
        assertThat(server.isAlive()).isTrue();
        List<String> lines = List.copyOf(server.lines());
        server.terminate();
        assertThat(server.awaitExit(SOON)).isZero();
        // Each player that joins and leaves is a line; nothing else may flood the log.
        assertThat(lines).filteredOn(JOINED.or(GONE)).doesNotHaveDuplicates();
        long joins = lines.stream().filter(JOINED).count();
        assertThat(lines).filteredOn(GONE).hasSizeLessThanOrEqualTo((int) joins);
        assertThat(lines).filteredOn(JOINED.or(GONE).negate()).hasSizeLessThan(100);
        assertThat(server.lines()).anyMatch(line -> line.matches("counter .*\\.drop\\..*: \\d+"));
        return during;
    }
}

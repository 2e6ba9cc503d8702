package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;

import dev.wishdir.game.BotController;
import dev.wishdir.game.BotController.PlayerInput;
import dev.wishdir.game.Client;
import dev.wishdir.game.ClientConfig;
import dev.wishdir.game.ClientListener;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.netty.NettyLoop;
import dev.wishdir.quake2.Quake2Game;
import dev.wishdir.quake3.Quake3Game;
import dev.wishdir.sauerbraten.SauerbratenGame;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * One arena on three servers, as processes with a real nats-server: OpenArena's client on one and
 * Sauerbraten's on another see each other walk and read each other; then the third is killed. What
 * the originals see is what our clients of their games are sent beside them.
 */
@Timeout(600)
class ClusterIT {
    private static final int MIN_SIGHTINGS = 50;
    private static final Duration SOON = Duration.ofMinutes(2);

    /** Milliseconds by which what is seen may be late on a busy machine. */
    private static final long LATE_MILLIS = 10_000;

    /** Milliseconds by which the clocks of two processes are read apart. */
    private static final long CLOCK_MILLIS = 5;

    private static final double NEAR_METRES = 0.25;
    private static final long SIDE_NANOS = 500_000_000;

    /** The players of a killed server are gone within this time. */
    private static final long GONE_NANOS = 2_000_000_000;

    /** No other player stands still for longer. */
    private static final long FREEZE_NANOS = 500_000_000;

    private static final BotController CIRCLES =
            (now, _) -> PlayerInput.walk(now / 1e9 * 60 % 360, now / 1e9 * 90 % 360, 0);

    private final NettyLoop loop = new NettyLoop("cluster");

    @TempDir private Path folder = Path.of("");

    /** Where a player was seen, or was, milliseconds of the day's clock. */
    private record Stamp(long millis, Vec3 at) {}

    /** Where one of a server's own players was. */
    private static List<Stamp> trail(NodeProcess server, String name) {
        List<Stamp> trail = new ArrayList<>();
        for (JsonObject line : EventFile.events(server.events)) {
            if (line.has("position")
                    && !line.has("node")
                    && line.get("name").getAsString().equals(name)) {
                trail.add(
                        new Stamp(
                                Math.round(line.get("time").getAsDouble() * 1000),
                                NodeProcess.position(line)));
            }
        }
        return trail;
    }

    /** Waits until a server's file of events has the place that was seen last. */
    private static void awaitTrail(NodeProcess server, String name, List<Stamp> seen) {
        Vec3 last = seen.getLast().at();
        Peer.await(
                name + " to be at " + last,
                SOON,
                () ->
                        trail(server, name).stream()
                                .anyMatch(was -> was.at().distance(last) <= NEAR_METRES));
    }

    /** One of ours, which walks in circles and sees the others. */
    private final class Watcher implements ClientListener {
        final Map<String, List<Stamp>> seen = new ConcurrentHashMap<>();
        final Map<String, List<Long>> moved = new ConcurrentHashMap<>();
        final Map<String, Long> vanished = new ConcurrentHashMap<>();
        private final Set<String> appeared = ConcurrentHashMap.newKeySet();

        Watcher(NodeProcess server, String name) {
            DutyCycle own = loop.cycle();
            Client client =
                    Bot.on(
                            own,
                            () ->
                                    server.game.connect(
                                            ClientConfig.builder(own, server.address())
                                                    .name(name)
                                                    .controller(CIRCLES)
                                                    .listener(this)
                                                    .random(new Random(name.hashCode()))
                                                    .build()));
            Peer.await(name + " is in", SOON, () -> Bot.on(own, client::joined));
        }

        /** A name without the tag of its game. */
        private static String plain(String shown) {
            return shown.replaceFirst("^\\[[A-Z0-9]+] ?", "");
        }

        @Override
        public void onAppeared(Client self, Client.RemotePlayer other) {
            appeared.add(plain(other.name()));
        }

        @Override
        public void onMoved(Client self, long now, Client.RemotePlayer other) {
            String name = plain(other.name());
            seen.computeIfAbsent(name, _ -> new CopyOnWriteArrayList<>())
                    .add(new Stamp(System.currentTimeMillis(), other.movement().position()));
            moved.computeIfAbsent(name, _ -> new CopyOnWriteArrayList<>()).add(System.nanoTime());
        }

        @Override
        public void onVanished(Client self, Client.RemotePlayer other) {
            vanished.put(plain(other.name()), System.nanoTime());
        }

        /** Waits until it sees players. */
        void await(String... names) {
            try {
                Peer.await("players", SOON, () -> appeared.containsAll(List.of(names)));
            } catch (AssertionError e) {
                throw new AssertionError("saw only " + appeared + " of " + List.of(names), e);
            }
        }

        /** How often a player was seen since a time, milliseconds. */
        long sightings(String name, long from) {
            return seen.getOrDefault(name, List.of()).stream()
                    .filter(each -> each.millis() >= from)
                    .count();
        }

        /** For how long a player stood still at most, in a time. */
        long longestGap(String name, long from, long to) {
            long last = from;
            long longest = 0;
            for (long time : moved.getOrDefault(name, List.of())) {
                if (time > from && time < to) {
                    longest = Math.max(longest, time - last);
                    last = time;
                }
            }
            return Math.max(longest, to - last);
        }
    }

    @AfterEach
    void close() {
        loop.close();
    }

    /** Fails where a player was seen and was not. */
    private static void assertSeenWhereItWas(
            String name, List<Stamp> seen, List<Stamp> trail, long from) {
        List<Stamp> sightings = seen.stream().filter(each -> each.millis() >= from).toList();
        assertThat(sightings).as("sightings of %s", name).hasSizeGreaterThan(MIN_SIGHTINGS);
        assertThat(sightings.stream().map(Stamp::at).distinct())
                .as("places of %s", name)
                .hasSizeGreaterThan(20);
        for (Stamp sight : sightings) {
            assertThat(trail)
                    .as("%s was seen at %s", name, sight)
                    .anyMatch(was ->
                            was.at().distance(sight.at()) <= NEAR_METRES
                                    && was.millis() >= sight.millis() - LATE_MILLIS
                                    && was.millis() <= sight.millis() + CLOCK_MILLIS);
        }
    }

    @Test
    void showsOriginalClientsOfTwoServersToEachOtherAndOutlivesThird() throws Exception {
        Peer.need("nats-server", Path.of("/usr/sbin/nats-server"));
        Peer.needOriginals();
        try (Peer nats = NodeProcess.nats(folder)) {
            String address = NodeProcess.address(nats);
            try (NodeProcess a = new NodeProcess(folder, "a", new Quake3Game(), address, "flat");
                    NodeProcess b =
                            new NodeProcess(folder, "b", new SauerbratenGame(), address, "flat");
                    NodeProcess c =
                            new NodeProcess(folder, "c", new Quake2Game(), address, "flat")) {
                play(a, b, c);
            }
        }
    }

    private void play(NodeProcess a, NodeProcess b, NodeProcess c) throws Exception {
        Path openArena = folder.resolve("alice");
        Path sauerbraten = folder.resolve("sven");
        try (Peer alice = Peer.openArena(openArena, 39, a.port(), 590);
                Peer sven = Peer.sauerbraten(sauerbraten, 18, b.port(), 590)) {
            Watcher besideAlice = new Watcher(a, "anna");
            Watcher besideSven = new Watcher(b, "berta");
            new Watcher(a, "arthur");
            new Watcher(b, "bruno");
            new Watcher(c, "carl");
            alice.awaitLine("joined", SOON);
            sven.awaitLine("joined", SOON);
            walk(a, b, openArena, sauerbraten, besideAlice, besideSven);
            kill(c, besideAlice, besideSven);
            a.process.type("status");
            a.process.awaitLine("nodes: this one is \\d+ with 3 players, \\d+ b with 3", SOON);
            assertThat(a.process.lines())
                    .anyMatch(line -> line.contains("(c) left with 1 player: its connection"));
        }
    }

    /** A level 40 m long, with nothing between the flags. */
    private static String strip() {
        return "wishdir-arena 3\nname strip\nsize 40 12 10\nground 1\nblock # stone\n"
                + "spawn -14 0 0 0\nspawn 14 0 0 180\nflag red -10 0 0\nflag blue 10 0 0\n"
                + "layer 0\n"
                + ("#".repeat(40) + "\n").repeat(12)
                + "layers 1-9\n"
                + (".".repeat(40) + "\n").repeat(12);
    }

    /** A player of the first server takes a flag and captures it before one of the second. */
    @Test
    void showsFlagsOfOtherServer() throws Exception {
        Peer.need("nats-server", Path.of("/usr/sbin/nats-server"));
        String arena = Files.writeString(folder.resolve("strip.arena"), strip()).toString();
        try (Peer nats = NodeProcess.nats(folder)) {
            String bus = NodeProcess.address(nats);
            String[] ctf = {"--match", "ctf"};
            try (NodeProcess a = new NodeProcess(folder, "a", new Quake3Game(), bus, arena, ctf);
                    NodeProcess b =
                            new NodeProcess(folder, "b", new Quake2Game(), bus, arena, ctf)) {
                FlagRunner anna = new FlagRunner(loop, a.game, a.address(), "anna", Map.of());
                anna.bot.awaitJoined();
                FlagRunner bruno = new FlagRunner(loop, b.game, b.address(), "bruno", Map.of());
                bruno.bot.awaitJoined();
                Peer.await("anna on b", SOON, () -> !bruno.bot.others.isEmpty());
                String own = anna.team();
                String other = bruno.team();
                assertThat(List.of(own, other)).containsExactlyInAnyOrder("red", "blue");
                anna.setRunning(true);
                Peer.await("anna to have a flag", SOON, anna::carries);
                anna.setRunning(false);
                long shown = bruno.bot.others.keySet().iterator().next();
                Peer.await("b to show it", SOON, () -> bruno.carrier(other) == shown);
                anna.setRunning(true);
                Peer.await("the capture", SOON, () -> anna.teamScore(own) == 1);
                Peer.await("b to show it at home", SOON, () -> bruno.carrier(other) < 0);
            }
        }
    }

    /** Both walk at the same time, then each says something. */
    private static void walk(
            NodeProcess a,
            NodeProcess b,
            Path openArena,
            Path sauerbraten,
            Watcher besideAlice,
            Watcher besideSven)
            throws Exception {
        try (DisplayClient alicesHands =
                        DisplayClient.openArena(openArena, 39, ClusterIT::notSteered);
                DisplayClient svensHands =
                        DisplayClient.sauerbraten(sauerbraten, 18, ClusterIT::notSteered)) {
            alicesHands.prepare();
            svensHands.prepare();
            besideAlice.await("sven", "berta", "bruno", "carl", "arthur");
            besideSven.await("alice", "anna", "arthur", "carl", "bruno");
            long begun = System.currentTimeMillis();
            try (ExecutorService both = Executors.newVirtualThreadPerTaskExecutor()) {
                List<Future<?>> walks = new ArrayList<>();
                walks.add(
                        both.submit(() -> walkUntilSeen(alicesHands, besideSven, "alice", begun)));
                walks.add(both.submit(() -> walkUntilSeen(svensHands, besideAlice, "sven", begun)));
                for (Future<?> each : walks) {
                    each.get(SOON.toSeconds(), TimeUnit.SECONDS);
                }
            }
            alicesHands.greet("alice");
            svensHands.greet("sven");
            Peer.await(
                    "sven to read alice",
                    SOON,
                    () -> Original.console(sauerbraten).contains("hello from alice"));
            Peer.await(
                    "alice to read sven",
                    SOON,
                    () -> Original.console(openArena).contains("hello from sven"));
            List<Stamp> svenSeen = List.copyOf(besideAlice.seen.get("sven"));
            List<Stamp> aliceSeen = List.copyOf(besideSven.seen.get("alice"));
            awaitTrail(b, "sven", svenSeen);
            awaitTrail(a, "alice", aliceSeen);
            assertSeenWhereItWas("sven", svenSeen, trail(b, "sven"), begun);
            assertSeenWhereItWas("alice", aliceSeen, trail(a, "alice"), begun);
        }
    }

    /** Walks two squares, and further ones while a busy machine has shown too little of it. */
    private static boolean walkUntilSeen(
            DisplayClient hands, Watcher watcher, String name, long from) throws Exception {
        do {
            hands.walkSquare(SIDE_NANOS);
            hands.walkSquare(SIDE_NANOS);
        } while (watcher.sightings(name, from) <= MIN_SIGHTINGS);
        return true;
    }

    private static Movement notSteered() {
        throw new AssertionError("this client walks by time, not by where it is");
    }

    /**
     * The third server is killed. Players that do not cross it are the control of the same time.
     */
    private static void kill(NodeProcess c, Watcher besideAlice, Watcher besideSven) {
        long killed = System.nanoTime();
        ProcessHandle.of(c.process.pid()).orElseThrow().destroyForcibly();
        for (Watcher each : List.of(besideAlice, besideSven)) {
            Peer.await("carl to vanish", SOON, () -> each.vanished.containsKey("carl"));
        }
        long after = killed + 2_000_000_000L;
        Peer.await("two seconds to pass", SOON, () -> System.nanoTime() > after);
        // What stands still at either server, or in this process, is not the cluster's.
        long late =
                besideAlice.longestGap("arthur", killed, after)
                        + besideSven.longestGap("bruno", killed, after);
        check(besideAlice, List.of("berta", "bruno"), killed, after, late);
        check(besideSven, List.of("anna", "arthur"), killed, after, late);
    }

    private static void check(
            Watcher watcher, List<String> others, long killed, long after, long late) {
        assertThat(watcher.vanished.getOrDefault("carl", Long.MAX_VALUE) - killed)
                .as("ns until carl was gone, with a control of %d", late)
                .isLessThan(GONE_NANOS + late);
        for (String other : others) {
            assertThat(watcher.longestGap(other, killed, after))
                    .as("ns without %s, with a control of %d", other, late)
                    .isLessThan(FREEZE_NANOS + late);
            assertThat(watcher.vanished).doesNotContainKey(other);
        }
    }
}

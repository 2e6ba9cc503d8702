package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.Gson;
import com.google.gson.JsonObject;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.Player;
import dev.wishdir.bedrock.BedrockGame;
import dev.wishdir.bedrock.message.Vec3f;
import dev.wishdir.bedrock.movement.BedrockBody;
import dev.wishdir.bedrock.movement.BedrockMotion;
import dev.wishdir.blocks.arena.ArenaCatalog;
import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.blocks.reach.BodyReachability;
import dev.wishdir.game.BotController;
import dev.wishdir.game.BotController.PlayerInput;
import dev.wishdir.game.Client;
import dev.wishdir.game.ClientConfig;
import dev.wishdir.game.ClientListener;
import dev.wishdir.game.Endpoint;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.game.Game;
import dev.wishdir.game.WaypointController;
import dev.wishdir.game.level.SharedArena;
import dev.wishdir.motion.Angles;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Stance;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.loop.Counters;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.netty.NettyLoop;
import dev.wishdir.quake2.Quake2Game;
import dev.wishdir.quake3.Quake3Game;
import dev.wishdir.sauerbraten.SauerbratenGame;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * The hall, with everybody in it at once: the original clients of Sauerbraten and OpenArena,
 * Bedrock's from npm, our own of Quake II. Each walks the same stairs up to the gallery and down
 * again, and the others see it where it is. What the two originals see is what our clients of their
 * games are told beside them; they also show the stairs, and Bedrock's received the hall block by
 * block. Those whom a body stops walk one after another: two who meet on the stairs would stand
 * there.
 */
@Timeout(1200)
class HallIT {
    private static final Duration SOON = Duration.ofMinutes(2);
    private static final Duration WALK = Duration.ofMinutes(8);
    private static final Path PICTURES = Path.of("target", "screenshots").toAbsolutePath();
    private static final BlockArena HALL = ArenaCatalog.shipped("hall");

    /** At the foot of the western stairs, which lead to the south. */
    private static final Vec3 FOOT = new Vec3(-16, 11, 0);

    /** Where those go who only look on: a body on the stairs stops others. */
    private static final Vec3 ASIDE = new Vec3(21, 18, 0);

    private static final Vec3 BESIDE = new Vec3(-4, 0, 0);

    private static final double SOUTH = 270;

    /** Metres to its way that the hands of a program keep. */
    private static final double NEAR = 0.8;

    private static final long TICK = 50_000_000;

    /** Milliseconds. */
    private static final long WALKED = 10_000;

    /** Milliseconds by which what is seen may be late on a busy machine. */
    private static final long LATE = 10_000;

    /** Milliseconds after which one who has not moved stands. */
    private static final long STILL = 3_000;

    /** Milliseconds by which the clocks of two processes are read apart. */
    private static final long CLOCK = 5;

    /** Each game's player, and how often it walks up or down. */
    enum Walker {
        SVEN(new SauerbratenGame(), 3),
        ALICE(new Quake3Game(), 3),
        STEVE(new BedrockGame(), 3),
        MAJOR(new Quake2Game(), 5);

        final Game game;
        private final int legs;

        Walker(Game game, int legs) {
            this.game = game;
            this.legs = legs;
        }

        String player() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** Where it stands at last, on the gallery: not where those go by who come after it. */
        Vec3 top() {
            return switch (this) {
                case SVEN -> new Vec3(-22, -9.5, 5);
                case ALICE -> new Vec3(-20, -9.5, 5);
                case STEVE -> new Vec3(-22, -6.5, 5);
                case MAJOR -> new Vec3(-20, -6.5, 5);
            };
        }

        BodyReachability ways() {
            return new BodyReachability(HALL, game.body().orElseThrow());
        }

        /** Up, down and up again. */
        List<Vec3> goals() {
            List<Vec3> goals = new ArrayList<>();
            for (int i = 0; i < legs; i++) {
                goals.add(i % 2 == 0 ? top() : FOOT);
            }
            return goals;
        }

        /** Goes to some places by the hands of a program. */
        WaypointController to(List<Vec3> goals) {
            return new WaypointController(ways(), NEAR, goals);
        }

        /** Goes to a place by the hands of a program. */
        WaypointController to(Vec3 goal) {
            return to(List.of(goal));
        }

        /** Whether a player is this one, by the name that another game shows. */
        boolean is(String shown) {
            return shown.endsWith(player());
        }
    }

    /** Where a player was, or was seen, and when, milliseconds of the day's clock. */
    record Stamp(long time, Movement movement) {}

    /** One of ours, which sees the others. */
    private final class Eye implements ClientListener {
        final Map<Walker, List<Stamp>> seen = new ConcurrentHashMap<>();
        final List<String> heard = new CopyOnWriteArrayList<>();
        private final DutyCycle own = loop.cycle();
        private final Client client;

        Eye(Game game, String name, BotController controller) {
            client =
                    Bot.on(
                            own,
                            () ->
                                    game.connect(
                                            ClientConfig.builder(own, address(game))
                                                    .name(name)
                                                    .controller(controller)
                                                    .listener(this)
                                                    .random(new Random(name.hashCode()))
                                                    .build()));
            Peer.await(name + " is in", SOON, () -> Bot.on(own, client::joined));
        }

        @Override
        public void onAppeared(Client self, Client.RemotePlayer other) {
            see(other);
        }

        @Override
        public void onMoved(Client self, long now, Client.RemotePlayer other) {
            see(other);
        }

        private void see(Client.RemotePlayer other) {
            for (Walker walker : Walker.values()) {
                if (walker.is(other.name())) {
                    seen.computeIfAbsent(walker, _ -> new CopyOnWriteArrayList<>())
                            .add(new Stamp(System.currentTimeMillis(), other.movement()));
                }
            }
        }

        void awaitAt(Vec3 place) {
            Peer.await(
                    "one who looks on is at " + place,
                    SOON,
                    () ->
                            Bot.on(own, () -> client.movement().position().distance(place))
                                    < 2 * NEAR);
        }

        void say(String text) {
            Bot.on(
                    own,
                    () -> {
                        client.say(text);
                        return true;
                    });
        }

        @Override
        public void onChat(Client self, String name, String text) {
            heard.add(text);
        }
    }

    private final NettyLoop loop = new NettyLoop("hall");
    private final DutyCycle cycle = loop.cycle();
    private final Arena arena = new Arena(Level.of(HALL), 20);
    private final Counters counters = new Counters();
    private final Map<String, Endpoint> endpoints = new HashMap<>();
    private final Map<Walker, List<Stamp>> trails = new ConcurrentHashMap<>();
    private final List<String> verdicts = new CopyOnWriteArrayList<>();

    @RegisterExtension private final Npm npm = new Npm("bedrock-protocol", "prismarine-chunk");

    @BeforeEach
    void open() {
        Peer.needOriginals();
        Peer.need("imagemagick", Path.of("/usr/bin/import"));
        Bot.on(cycle, this::serve);
    }

    private boolean serve() throws IOException {
        cycle.add(arena::advance);
        arena.addListener(event -> {
            switch (event) {
                case ArenaEvent.Spawned(_, Player who, Movement at) -> walked(who, at);
                case ArenaEvent.Moved(_, Player who, Movement at) -> walked(who, at);
                case ArenaEvent.MovementViolation violation -> verdicts.add(violation.toString());
                default -> {}
            }
        });
        SharedArena sharedArena = new SharedArena(cycle, arena, HALL, List.of(HALL));
        for (Walker walker : Walker.values()) {
            InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
            endpoints.put(
                    walker.game.name(),
                    walker.game.serve(
                            EndpointContext.builder(cycle, any, arena)
                                    .sharedArena(sharedArena)
                                    .counters(counters)
                                    .random(new Random(1))
                                    .build()));
        }
        return true;
    }

    @AfterEach
    void close() {
        loop.close();
    }

    private void walked(Player who, Movement at) {
        for (Walker walker : Walker.values()) {
            if (walker.is(who.name())) {
                trail(walker).add(new Stamp(System.currentTimeMillis(), at));
            }
        }
    }

    private List<Stamp> trail(Walker walker) {
        return trails.computeIfAbsent(walker, _ -> new CopyOnWriteArrayList<>());
    }

    /** Where the server has a player. */
    private Movement at(Walker walker) {
        return trail(walker).getLast().movement();
    }

    /** Whether a player has been at one place for a while. */
    private boolean stands(Walker walker) {
        Vec3 here = at(walker).position();
        long since = System.currentTimeMillis() - STILL;
        return during(List.copyOf(trail(walker)), since, Long.MAX_VALUE).stream()
                .allMatch(was -> was.movement().position().distance(here) < 0.01);
    }

    private InetSocketAddress address(Game game) {
        return Objects.requireNonNull(endpoints.get(game.name())).address();
    }

    private String port(Walker walker) {
        return Integer.toString(address(walker.game).getPort());
    }

    @Test
    void showsAllPlayersOnSameStairs(@TempDir Path directory) throws Exception {
        Path sauerbraten = directory.resolve("sven");
        Path openArena = directory.resolve("alice");
        Path route = directory.resolve("route.json");
        Path blocks = PICTURES.resolve("blocks-bedrock.json");
        Files.createDirectories(PICTURES);
        Peer steve =
                npm.node(
                        "bedrock-client.mjs",
                        "127.0.0.1",
                        port(Walker.STEVE),
                        "steve",
                        "--route",
                        route.toString(),
                        "--blocks",
                        blocks.toString(),
                        "--chat",
                        "hello from steve",
                        "--linger",
                        "1100000",
                        "--timeout",
                        "1190000");
        steve.awaitLine("\"ev\":\"spawned\"", SOON);
        ReceivedBlocks.read(blocks).check(HALL.blocks());
        try (Peer sven = Peer.sauerbraten(sauerbraten, 17, port(Walker.SVEN), 1190);
                Peer alice = Peer.openArena(openArena, 36, port(Walker.ALICE), 1190);
                DisplayClient svensHands =
                        DisplayClient.sauerbraten(sauerbraten, 17, () -> at(Walker.SVEN));
                DisplayClient alicesHands =
                        DisplayClient.openArena(openArena, 36, () -> at(Walker.ALICE))) {
            sven.awaitLine("joined", SOON);
            alice.awaitLine("joined", SOON);
            svensHands.prepare();
            alicesHands.prepare();
            for (Walker walker : List.of(Walker.SVEN, Walker.ALICE, Walker.STEVE)) {
                Peer.await(walker + " is there", SOON, () -> !trail(walker).isEmpty());
            }
            Eye sauerbratenEye = new Eye(Walker.SVEN.game, "looker", Walker.SVEN.to(ASIDE));
            Eye quake3Eye =
                    new Eye(Walker.ALICE.game, "looker", Walker.ALICE.to(ASIDE.plus(BESIDE)));
            sauerbratenEye.awaitAt(ASIDE);
            quake3Eye.awaitAt(ASIDE.plus(BESIDE));

            // One after the other, so that none is in the other's picture.
            takePicture(Walker.SVEN, svensHands, 100, 1.75);
            walk(Walker.SVEN, svensHands, List.of(Walker.SVEN.top()));
            takePicture(Walker.ALICE, alicesHands, 90, 50 / 32.0);

            WaypointController onward =
                    new WaypointController(Walker.MAJOR.ways(), 0.3, Walker.MAJOR.goals());
            AtomicBoolean majorMayGo = new AtomicBoolean();
            Eye major =
                    new Eye(
                            Walker.MAJOR.game,
                            "major",
                            (now, self) ->
                                    majorMayGo.get()
                                            ? onward.steer(now, self)
                                            : looking().steer(now, self));
            long begun = System.currentTimeMillis();
            walk(Walker.ALICE, alicesHands, Walker.ALICE.goals());
            awaitWalked(Walker.ALICE, begun);
            begun = System.currentTimeMillis();
            walk(Walker.SVEN, svensHands, Walker.SVEN.goals());
            awaitWalked(Walker.SVEN, begun);
            begun = System.currentTimeMillis();
            majorMayGo.set(true);
            walk(steve, route);
            awaitWalked(Walker.MAJOR, begun);
            awaitWalked(Walker.STEVE, begun);

            svensHands.greet("sven");
            alicesHands.greet("alice");
            major.say("hello from major");
            Map<Walker, Supplier<String>> heard =
                    Map.of(
                            Walker.SVEN,
                            () -> read(sauerbraten.resolve("client.out")),
                            Walker.ALICE,
                            () -> read(openArena.resolve("client.out")),
                            Walker.STEVE,
                            () -> Npm.events(steve, "recv", "text").toString(),
                            Walker.MAJOR,
                            () -> major.heard.toString());
            heard.forEach((listener, what) -> {
                for (Walker walker : Walker.values()) {
                    if (walker != listener) {
                        String hello = "hello from " + walker.player();
                        String name = listener + " to hear '" + hello + "'";
                        Peer.await(name, SOON, () -> what.get().contains(hello));
                    }
                }
            });

            Map<Walker, Map<Walker, List<Stamp>>> seen =
                    Map.of(
                            Walker.SVEN,
                            sauerbratenEye.seen,
                            Walker.ALICE,
                            quake3Eye.seen,
                            Walker.STEVE,
                            seenBySteve(steve),
                            Walker.MAJOR,
                            major.seen);
            List<String> wrong = new ArrayList<>();
            seen.forEach((viewer, who) -> {
                for (Walker walker : Walker.values()) {
                    if (walker != viewer) {
                        wrong.addAll(wrong(viewer, walker, who.getOrDefault(walker, List.of())));
                    }
                }
            });
            assertThat(wrong).isEmpty();
            assertThat(verdicts).isEmpty();
            assertThat(counters.get("bedrock.drop.corrected")).isZero();
            assertThat(read(openArena.resolve("client.out")))
                    .doesNotContain("Prediction miss", "delta:");
            svensHands.picture(PICTURES, "gallery-sauerbraten");
            alicesHands.picture(PICTURES, "gallery-openarena");
        }
    }

    private static void walk(Walker walker, DisplayClient hands, List<Vec3> goals)
            throws IOException {
        hands.walk(walker::to, goals, 1.5 * NEAR, WALK);
    }

    private boolean isOnTop(Walker walker) {
        return at(walker).position().distance(walker.top()) < 2 * NEAR;
    }

    /** Waits until a player has walked up and down, and stands on the gallery. */
    private void awaitWalked(Walker walker, long begun) {
        Peer.await(
                () -> walker + " stands on the gallery, and not " + at(walker),
                WALK,
                () -> stands(walker) && isOnTop(walker));
        assertThat(trail(walker).getLast().time() - begun)
                .as("%s walked, ms", walker)
                .isGreaterThan(WALKED);
    }

    private static BotController looking() {
        return (_, self) -> PlayerInput.look(self.yaw(), 0);
    }

    private static String read(Path file) {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return "";
        }
    }

    /** Writes how Bedrock's player walks, each tick as the game's own arithmetic has it. */
    private static void walk(Peer steve, Path route) throws IOException {
        JsonObject start = Npm.events(steve, "recv", "start_game").getFirst();
        Vec3 eyes = Npm.position(start.getAsJsonObject("pos"));
        BedrockBody body = new BedrockBody();
        body.put(feet(eyes).plus(new Vec3(0, 0, 1e-5)), 0, 0);
        WaypointController onward =
                new WaypointController(Walker.STEVE.ways(), 0.3, Walker.STEVE.goals());
        List<double[]> ticks = new ArrayList<>();
        for (long now = 0; onward.arrived() < Walker.STEVE.goals().size(); now += TICK) {
            assertThat(ticks.size()).as("ticks of %s", onward.stuck()).isLessThan(6000);
            body.step(onward.steer(now, body.movement()), HALL.space());
            Vec3f at = BedrockMotion.eyes(body.movement().position());
            float yaw = BedrockMotion.yaw(body.movement().yaw());
            ticks.add(new double[] {at.x(), at.y(), at.z(), yaw});
        }
        Path whole = route.resolveSibling("route.part");
        Files.writeString(whole, new Gson().toJson(ticks));
        Files.move(whole, route, StandardCopyOption.ATOMIC_MOVE);
    }

    private static Vec3 feet(Vec3 eyes) {
        return BedrockMotion.feet(new Vec3f((float) eyes.x(), (float) eyes.y(), (float) eyes.z()));
    }

    /** Of the stairs, from their foot. */
    private void takePicture(Walker walker, DisplayClient puppet, double view, double eyes)
            throws Exception {
        walk(walker, puppet, List.of(FOOT));
        puppet.look(SOUTH);
        BufferedImage picture = puppet.picture(PICTURES, "stairs-" + walker.game.name());
        Movement self = at(walker);
        new Look(picture, self, self.position().plus(new Vec3(0, 0, eyes)), view).check();
    }

    /** What Bedrock's client from npm received of others. */
    private static Map<Walker, List<Stamp>> seenBySteve(Peer steve) {
        long epoch = Npm.events(steve, "begun", "").getFirst().get("epoch").getAsLong();
        Map<Long, Walker> ids = new HashMap<>();
        for (JsonObject added : Npm.events(steve, "recv", "add_player")) {
            for (Walker walker : Walker.values()) {
                if (walker.is(added.get("username").getAsString())) {
                    ids.put(added.get("runtime_id").getAsLong(), walker);
                }
            }
        }
        Map<Walker, List<Stamp>> seen = new HashMap<>();
        for (JsonObject moved : Npm.events(steve, "recv", "move_player")) {
            Walker walker = ids.get(moved.get("runtime_id").getAsLong());
            if (walker != null) {
                Vec3 at = feet(Npm.position(moved.getAsJsonObject("position")));
                double yaw = BedrockMotion.canonicalYaw(moved.get("yaw").getAsFloat());
                seen.computeIfAbsent(walker, _ -> new ArrayList<>())
                        .add(
                                new Stamp(
                                        epoch + moved.get("t").getAsLong(),
                                        new Movement(at, yaw, 0, Vec3.ZERO, Stance.NONE)));
            }
        }
        return seen;
    }

    /** Where a player was seen and was not, or looking where it did not. */
    private List<String> wrong(Walker viewer, Walker walker, List<Stamp> seen) {
        String who = viewer + " sees " + walker;
        if (seen.size() < 100) {
            return List.of(who + " move " + seen.size() + " times");
        }
        List<String> wrong = new ArrayList<>();
        double off = seen.getLast().movement().position().distance(at(walker).position());
        if (off > 0.1) {
            wrong.add("%s stand %.2f m from where he does".formatted(who, off));
        }
        List<Stamp> trail = List.copyOf(trail(walker));
        for (Stamp sight : seen) {
            // From the last one back: what is seen is hardly ever late.
            if (wrong.size() < 3
                    && during(trail, sight.time() - LATE, sight.time() + CLOCK).reversed().stream()
                            .noneMatch(was -> near(was.movement(), sight.movement()))) {
                wrong.add(who + " at " + sight);
            }
        }
        return wrong;
    }

    /**
     * Where a player was in some time: its state at the start, and all later ones until its end.
     *
     * @param trail in the order of time
     */
    private static List<Stamp> during(List<Stamp> trail, long from, long to) {
        return trail.subList(Math.max(0, until(trail, from) - 1), until(trail, to));
    }

    /** How many stamps are not later than a time. */
    private static int until(List<Stamp> trail, long time) {
        int low = 0;
        int high = trail.size();
        while (low < high) {
            int middle = (low + high) / 2;
            if (trail.get(middle).time() <= time) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private static boolean near(Movement was, Movement seen) {
        return was.position().distance(seen.position()) <= 0.25
                && Math.abs(Angles.wrap180(was.yaw() - seen.yaw())) <= 5;
    }
}

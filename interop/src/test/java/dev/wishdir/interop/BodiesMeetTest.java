package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import static java.util.Objects.requireNonNull;

import dev.wishdir.blocks.arena.ArenaText;
import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.blocks.arena.MalformedArenaException;
import dev.wishdir.game.BotController.PlayerInput;
import dev.wishdir.game.Game;
import dev.wishdir.idtech.Bsp38;
import dev.wishdir.idtech.PlaneWorld;
import dev.wishdir.motion.Angles;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.limit.AddressRange;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.net.simulation.SimulatedNetwork.Conditions;
import dev.wishdir.quake3.entity.LevelEntities;
import dev.wishdir.quake3.map.Quake3Map;
import dev.wishdir.quake3.map.Quake3MapCatalog;
import dev.wishdir.quake3.protocol.Protocol;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.BiPredicate;
import java.util.stream.Stream;

/**
 * Bodies of two players, each of any game, on one place: in the Quakes one whom the server moves
 * stops at the other's, as its client foresees it, and gets out of it; all others walk through.
 */
@Tag("slow")
class BodiesMeetTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long TURN = 20_000_000;
    private static final long DELAY = 3_300_000;
    private static final String MOVER = "127.0.0.2";

    /** Metres from the middle of one body to that of the other that stops it, by its game. */
    private static final Map<String, Double> APART =
            Map.of("quake2", 32 / 32.0, "quake3", 30.125 / 32);

    /** Quake III shows others in whole units. */
    private static final double UNIT = 1.01 / 32;

    /** How high the box of one who crouches is, metres, by the game of who sees it. */
    private static final Map<String, Double> CROUCHED =
            Map.of("quake2", 24 / 32.0, "quake3", 40 / 32.0);

    /** Metres. */
    private static final double FAR = 2.5;

    private static final Vec3 ENTRANCE = new Vec3(-8, 8, 0);
    private static final Vec3 EXIT = new Vec3(8, 8, 0);

    private final SimulatedNetwork network = new SimulatedNetwork(3);
    private final Random random = new Random(4);
    private final BlockArena blocks = arena();
    private final FourGames server =
            new FourGames(
                    network, random, 8, "", List.of(AddressRange.parse("127.0.0.0/8")), blocks);

    /** Where each is to go, and whether it is to crouch there. */
    private final Feet standing = new Feet();

    private final Feet moving = new Feet();

    BodiesMeetTest() throws IOException, MalformedArenaException {
        network.conditions(new Conditions(0, 0, DELAY, 0));
    }

    @AfterEach
    void nobodyIsJudged() {
        assertThat(server.laws().verdicts()).isEmpty();
        assertThat(server.counters().get("bedrock.drop.corrected")).isZero();
        server.close();
    }

    /** One place to appear at, for all. */
    private static BlockArena arena() throws MalformedArenaException {
        StringBuilder text = new StringBuilder("wishdir-arena 1\nname meet\nsize 24 24 10\n");
        text.append("ground 1\nblock # stone\nspawn 0 0 0 0\nteleporter -8 8 0 8 8 0 90\n");
        text.append("layer 0\n").append("########################\n".repeat(24));
        text.append("layers 1-9\n").append("........................\n".repeat(24));
        return ArenaText.read(text.toString());
    }

    /** A player's input: to a place, or in a direction for ever. */
    private static final class Feet {
        private static final double NEAR = 0.1;

        private Vec3 goal = Vec3.ZERO;
        private double near = NEAR;
        private boolean jumps;
        private boolean crouches;

        /** Whether it has come to stand there; then nothing moves it any more. */
        private boolean stands;

        /** To a place, and then it stands. */
        void to(Vec3 place) {
            to(place, NEAR);
        }

        void to(Vec3 place, double within) {
            goal = place;
            near = within;
            stands = false;
        }

        PlayerInput steer(Movement self) {
            Vec3 way = goal.minus(self.position());
            boolean there = way.horizontal() < near;
            stands |= there && self.velocity().horizontal() < 0.01;
            double speed = there || stands ? 0 : Math.clamp(way.horizontal(), 0.1, 0.5);
            boolean jump = jumps && self.stance().onGround() && self.position().z() < 0.5;
            return new PlayerInput(Angles.yaw(way.x(), way.y()), 0, speed, 0, jump, crouches);
        }
    }

    private static boolean isMovedByItsServer(Game game) {
        return APART.containsKey(game.name());
    }

    private static Stream<Arguments> pairs(BiPredicate<Game, Game> which) {
        return FourGames.ALL.stream()
                .flatMap(mover ->
                        FourGames.ALL.stream()
                                .filter(stander -> which.test(mover, stander))
                                .map(stander ->
                                        Arguments.of(
                                                Named.of(mover.name(), mover),
                                                Named.of(stander.name(), stander))));
    }

    static Stream<Arguments> movedByTheirServer() {
        return pairs((mover, _) -> isMovedByItsServer(mover));
    }

    /** There is no crouching in Sauerbraten. */
    static Stream<Arguments> withOneWhoCrouches() {
        return pairs((mover, stander) ->
                isMovedByItsServer(mover) && !stander.name().equals("sauerbraten"));
    }

    static Stream<Arguments> movedByThemselves() {
        return pairs((mover, _) -> !isMovedByItsServer(mover));
    }

    static Stream<Arguments> movedByItsServerAndByItself() {
        return pairs((mover, stander) -> isMovedByItsServer(mover) && !isMovedByItsServer(stander));
    }

    private TestClient come(Game game, String name, String from, Feet feet) throws IOException {
        TestClient guest = server.guest(game, from, name, "", (_, self) -> feet.steer(self));
        assertThat(network.runUntil(() -> guest.in() && spawned(name), 30 * SECOND))
                .as(guest::toString)
                .isTrue();
        // Sauerbraten's client chooses where it appears.
        network.run(4 * SECOND);
        return guest;
    }

    private boolean spawned(String name) {
        return server.arena().players().stream()
                .anyMatch(player -> player.name().equals(name) && player.spawned());
    }

    private Vec3 at(String name) {
        return server.position(name);
    }

    /** How far apart the two are on the axis on which they are farther apart. */
    private double apart() {
        Vec3 off = at("mover").minus(at("stander"));
        return Math.max(Math.abs(off.x()), Math.abs(off.y()));
    }

    /** Goes to a place and stays there; gives how near the two came. */
    private double go(Vec3 place, double seconds) {
        moving.to(place);
        double least = Double.MAX_VALUE;
        for (long end = network.now() + (long) (seconds * SECOND); network.now() < end; ) {
            network.run(TURN);
            least = Math.min(least, apart());
        }
        return least;
    }

    private static Vec3 around(Vec3 middle, double degrees, double far) {
        double angle = Math.toRadians(degrees);
        return middle.plus(new Vec3(Math.cos(angle) * far, Math.sin(angle) * far, 0));
    }

    /** What the mover's client foresees. */
    private interface Foresight {
        /** Checks that it was right each time, and often; from now on it may be wrong. */
        void check();
    }

    /** From what goes to and fro between the mover and its server. */
    private Foresight foresight(Game mover) throws IOException {
        return switch (mover.name()) {
            case "quake2" -> quake2();
            case "quake3" -> quake3();
            default -> () -> {};
        };
    }

    private Foresight quake2() throws IOException {
        byte[] map = dev.wishdir.quake2.map.Quake2MapCatalog.generated(blocks).file().toArray();
        PlaneWorld world = Bsp38.read(map).world();
        var ear = new dev.wishdir.quake2.movement.PassiveDecoder(_ -> world, "");
        network.tap((_, from, to, data) -> {
            boolean up = isMover(from.getAddress());
            if ((up || isMover(to.getAddress()))
                    && !dev.wishdir.quake2.netchan.OutOfBand.is(data)) {
                ear.heard(up, data);
            }
        });
        return () -> assertThat(ear.ways()).singleElement().asString().matches("(\\d{3,})/\\1");
    }

    private Foresight quake3() throws IOException {
        Quake3Map level = new Quake3MapCatalog(Optional.empty(), blocks).load("");
        var ear =
                new dev.wishdir.quake3.movement.PassiveDecoder(
                        Protocol.OPENARENA_71,
                        level,
                        5_000,
                        new LevelEntities(level, new Random(5))::touch);
        Deque<byte[]> onTheWay = new ArrayDeque<>();
        Deque<Long> arrivals = new ArrayDeque<>();
        boolean[] over = {false};
        network.tap((now, from, to, data) -> {
            if (over[0]) {
                return;
            }
            while (!arrivals.isEmpty() && arrivals.getFirst() <= now) {
                ear.arrived(arrivals.removeFirst(), onTheWay.removeFirst());
            }
            if (isMover(from.getAddress())) {
                arrivals.add(now + DELAY);
                onTheWay.add(data);
            } else if (isMover(to.getAddress())) {
                ear.sent(data);
            }
        });
        return () -> {
            assertThat(ear.compared()).isGreaterThan(100);
            over[0] = true;
        };
    }

    private static boolean isMover(InetAddress address) {
        return address.getHostAddress().equals(MOVER);
    }

    /** It appears in the other, gets out, and is stopped from each side, as its client foresees. */
    @ParameterizedTest
    @MethodSource("movedByTheirServer")
    void stopsAtOtherPlayer(Game mover, Game stander) throws IOException {
        come(stander, "stander", "127.0.0.1", standing);
        Vec3 stands = at("stander");
        Foresight foresight = foresight(mover);
        TestClient guest = come(mover, "mover", MOVER, moving);
        assertThat(apart()).as("appeared in the other").isLessThan(0.5);
        go(around(stands, 0, FAR), 2);
        assertThat(apart()).as(() -> "came out: " + guest).isGreaterThan(2);

        double box = requireNonNull(APART.get(mover.name()));
        for (int side = 0; side < 8; side++) {
            double nearest = go(around(stands, 45 * side, FAR), 2);
            assertThat(at("mover").distance(around(stands, 45 * side, FAR))).isLessThan(0.5);
            nearest = Math.min(nearest, go(stands, 1.5));
            assertThat(nearest).as("never in the other").isGreaterThan(box - UNIT);
            assertThat(apart()).as("at its box, from %d", 45 * side).isCloseTo(box, within(UNIT));
            assertThat(at("stander")).isEqualTo(stands);
            go(around(stands, 45 * side, FAR), 1);
        }
        foresight.check();
    }

    /** Out of a teleporter it comes into the other, who stands there, and gets out any side. */
    @ParameterizedTest
    @MethodSource("movedByTheirServer")
    void keepsExitsOpen(Game mover, Game stander) throws IOException {
        standing.to(EXIT);
        come(stander, "stander", "127.0.0.1", standing);
        network.run(6 * SECOND);
        Vec3 stands = at("stander");
        assertThat(stands.distance(EXIT)).isLessThan(0.5);
        TestClient guest = come(mover, "mover", MOVER, moving);
        for (int side = 0; side < 4; side++) {
            go(around(EXIT, 90, 3), 4);
            moving.to(ENTRANCE);
            assertThat(network.runUntil(() -> apart() < 0.8, 20 * SECOND))
                    .as(() -> "through the teleporter: " + guest)
                    .isTrue();
            go(around(stands, 20 + 45 * side, 3), 4);
            assertThat(apart()).as(() -> "came out: " + guest).isGreaterThan(2);
            double nearest = go(stands, 3);
            assertThat(nearest).as("never in the other again").isGreaterThan(0.9);
            go(around(stands, 20 + 45 * side, 3), 2);
        }
        assertThat(at("stander")).isEqualTo(stands);
    }

    /** A player under its client's authority is stopped and pushed by no other, and pushes none. */
    @ParameterizedTest
    @MethodSource("movedByThemselves")
    void passesThroughUnderClientAuthority(Game mover, Game stander) throws IOException {
        come(stander, "stander", "127.0.0.1", standing);
        Vec3 stands = at("stander");
        come(mover, "mover", MOVER, moving);
        go(around(stands, 0, 4), 4);
        double nearest = go(around(stands, 180, 4), 6);
        assertThat(nearest).as("walked through").isLessThan(0.3);
        assertThat(at("mover").distance(around(stands, 180, 4))).isLessThan(0.5);
        assertThat(at("stander")).isEqualTo(stands);
    }

    /** A player walked into by a client-authoritative one gets out as it came in. */
    @ParameterizedTest
    @MethodSource("movedByItsServerAndByItself")
    void freesOverlappedPlayer(Game mover, Game stander) throws IOException {
        come(stander, "stander", "127.0.0.1", standing);
        come(mover, "mover", MOVER, moving);
        for (int side = 0; side < 4; side++) {
            Vec3 place = around(Vec3.ZERO, 90 * side, 4);
            go(place, 4);
            Vec3 stood = at("mover");
            assertThat(stood.distance(place)).isLessThan(0.5);
            standing.to(stood.plus(new Vec3(0.2, 0.1, 0)), 0.2);
            assertThat(network.runUntil(() -> apart() < 0.5, 20 * SECOND))
                    .as("walked into")
                    .isTrue();
            network.run(SECOND);
            assertThat(at("mover")).as("pushed by nobody").isEqualTo(stood);
        }
        go(Vec3.ZERO, 4);
        assertThat(at("mover").length()).isLessThan(0.5);
    }

    /** It jumps onto one who crouches, and falls through him when he rises. */
    @ParameterizedTest
    @MethodSource("withOneWhoCrouches")
    void freesPlayersAfterBodyGrows(Game mover, Game stander) throws IOException {
        standing.crouches = true;
        come(stander, "stander", "127.0.0.1", standing);
        Vec3 stands = at("stander");
        Foresight foresight = foresight(mover);
        TestClient guest = come(mover, "mover", MOVER, moving);
        go(around(stands, 0, 2), 3);
        moving.jumps = true;
        double high = requireNonNull(CROUCHED.get(mover.name()));
        moving.to(stands, 0.3);
        assertThat(
                        network.runUntil(
                                () -> Math.abs(at("mover").z() - high) < UNIT && apart() < 0.5,
                                20 * SECOND))
                .as(() -> "on the other: " + guest)
                .isTrue();
        moving.jumps = false;
        network.run(SECOND);
        assertThat(at("mover").z()).as("stands on him").isCloseTo(high, within(UNIT));
        foresight.check();
        standing.crouches = false;
        network.run(2 * SECOND);
        assertThat(at("stander").distance(stands)).isLessThan(0.01);
        go(around(stands, 0, 4), 4);
        assertThat(apart()).as(() -> "came out: " + guest).isGreaterThan(3);
        assertThat(at("mover").z()).isLessThan(0.1);
    }
}

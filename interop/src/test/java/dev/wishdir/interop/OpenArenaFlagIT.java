package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.Team;
import dev.wishdir.arena.flag.FlagRules;
import dev.wishdir.arena.match.MatchRules;
import dev.wishdir.blocks.arena.ArenaCatalog;
import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.blocks.arena.FlagBases;
import dev.wishdir.blocks.reach.BodyReachability;
import dev.wishdir.game.BotController;
import dev.wishdir.game.BotController.PlayerInput;
import dev.wishdir.game.Client;
import dev.wishdir.game.Endpoint;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.game.Game;
import dev.wishdir.game.WaypointController;
import dev.wishdir.game.level.SharedArena;
import dev.wishdir.motion.Angles;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.netty.NettyLoop;
import dev.wishdir.quake2.Quake2Game;
import dev.wishdir.quake3.Quake3Game;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The original client of OpenArena captures the flag in the hall: it takes the blue flag, drops it,
 * sees how our client of its own game returns it, captures it, and sees how our client of Quake II
 * carries the red one. What happens is what the server's events say; what the client shows are the
 * lines of its console and its pictures.
 */
@Timeout(900)
class OpenArenaFlagIT {
    private static final Duration SOON = Duration.ofMinutes(2);
    private static final Duration WALK = Duration.ofMinutes(5);
    private static final Path PICTURES = ScoreBoards.PICTURES;
    private static final BlockArena HALL = ArenaCatalog.shipped("hall");
    private static final FlagBases BASES = HALL.bases().orElseThrow();
    private static final Vec3 RED_HOME = BASES.red().flag();
    private static final Vec3 BLUE_HOME = BASES.blue().flag();

    /** Metres to its way that the hands of a program keep. */
    private static final double NEAR = 0.8;

    private static final double BOT_NEAR = 0.3;

    private final NettyLoop loop = new NettyLoop("flags");
    private final DutyCycle cycle = loop.cycle();
    private final Arena arena = new Arena(Level.of(HALL), 8);
    private final Map<String, Endpoint> endpoints = new HashMap<>();
    private final List<String> changes = new CopyOnWriteArrayList<>();
    private final AtomicReference<Movement> alice = new AtomicReference<>(Movement.ORIGIN);

    /** Our player of a game, which goes where it is sent. */
    private final class Runner {
        private final BodyReachability ways;
        private final AtomicReference<BotController> controller =
                new AtomicReference<>((_, self) -> PlayerInput.look(self.yaw(), 0));
        private final Bot bot;

        Runner(Game game, String name) {
            ways = new BodyReachability(HALL, game.body().orElseThrow());
            bot =
                    new Bot(
                            loop,
                            game,
                            address(game.name()),
                            name,
                            (now, self) -> controller.get().steer(now, self));
            Peer.await(name + " is in", SOON, () -> Bot.on(bot.cycle, bot.client::joined));
        }

        void send(Vec3 place) {
            controller.set(new WaypointController(ways, BOT_NEAR, List.of(place)));
        }

        Client client() {
            return bot.client;
        }
    }

    @BeforeEach
    void open() {
        Peer.need("openarena", Path.of("/usr/games/openarena"));
        Peer.need("openarena-data", Path.of("/usr/share/games/openarena/baseoa/pak0.pk3"));
        Peer.need("xvfb", Path.of("/usr/bin/Xvfb"));
        Peer.need("imagemagick", Path.of("/usr/bin/import"));
        Bot.on(cycle, this::serve);
    }

    private boolean serve() throws IOException {
        arena.setMatchRules(
                MatchRules.of(MatchMode.CTF)
                        .withTimes(Duration.ZERO, Duration.ZERO, Duration.ofSeconds(10))
                        .withFlags(new FlagRules(Duration.ofMinutes(2), true)));
        cycle.add(arena::advance);
        arena.addListener(event -> {
            switch (event) {
                case ArenaEvent.FlagChanged e ->
                        changes.add(
                                e.flag()
                                        + " "
                                        + e.change()
                                        + e.player().map(player -> " " + player.name()).orElse(""));
                case ArenaEvent.Spawned(_, Player who, Movement at) -> follow(who, at);
                case ArenaEvent.Moved(_, Player who, Movement at) -> follow(who, at);
                default -> {}
            }
        });
        SharedArena sharedArena = new SharedArena(cycle, arena, HALL, List.of(HALL));
        for (Game game : List.of(new Quake3Game(), new Quake2Game())) {
            InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
            endpoints.put(
                    game.name(),
                    game.serve(
                            EndpointContext.builder(cycle, any, arena)
                                    .sharedArena(sharedArena)
                                    .random(new Random(1))
                                    .build()));
        }
        return true;
    }

    @AfterEach
    void close() {
        loop.close();
    }

    private void follow(Player player, Movement at) {
        if (player.name().equals("alice")) {
            alice.set(at);
        }
    }

    private InetSocketAddress address(String game) {
        return Objects.requireNonNull(endpoints.get(game)).address();
    }

    private void await(String change) {
        Peer.await(
                () -> change + " after " + changes,
                WALK,
                () -> !changes.isEmpty() && changes.getLast().equals(change));
    }

    private Vec3 place(Team flag) {
        return Bot.on(
                cycle,
                () -> arena.match().flags().place(arena.match().flags().all().get(flag.ordinal())));
    }

    /** Looks at a place, and takes a picture. */
    private void picture(DisplayClient hands, Vec3 place, String name) throws Exception {
        Vec3 way = place.minus(alice.get().position());
        hands.look(Angles.wrap360(Angles.yaw(way.x(), way.y())));
        hands.picture(PICTURES, "flags-openarena-" + name);
    }

    @Test
    void takesDropsAndCapturesAndShowsCarriers(@TempDir Path directory) throws Exception {
        Files.createDirectories(PICTURES);
        Path home = directory.resolve("alice");
        String port = Integer.toString(address("quake3").getPort());
        BodyReachability ways = new BodyReachability(HALL, new Quake3Game().body().orElseThrow());
        try (Peer client = Peer.openArena(home, 37, port, 890);
                DisplayClient hands = DisplayClient.openArena(home, 37, alice::get)) {
            client.awaitLine("joined", SOON);
            hands.prepare();
            Runner bob = new Runner(new Quake3Game(), "bob");
            Runner major = new Runner(new Quake2Game(), "major");
            assertThat(Bot.on(bob.bot.cycle, bob.client()::teams))
                    .containsEntry(Bot.on(bob.bot.cycle, bob.client()::id), "blue");
            Vec3 before = new Vec3(-12, -14, 0);
            Vec3 aside = new Vec3(10, 14, 0);
            walk(hands, ways, before);
            picture(hands, RED_HOME, "home");

            walk(hands, ways, BLUE_HOME);
            await("blue taken alice");
            picture(hands, BLUE_HOME, "taken");
            hands.type("+button2");
            hands.type("-button2");
            await("blue dropped alice");
            // Who stays beside the flag takes it again.
            walk(hands, ways, aside);
            picture(hands, place(Team.BLUE), "dropped");
            bob.send(place(Team.BLUE));
            await("blue returned bob");

            bob.send(new Vec3(9, 5, 0));
            walk(hands, ways, BLUE_HOME);
            await("blue taken alice");
            hands.type("dropflag");
            await("blue dropped alice");
            walk(hands, ways, aside);
            walk(hands, ways, place(Team.BLUE));
            await("blue taken alice");
            walk(hands, ways, RED_HOME);
            await("blue captured alice");

            walk(hands, ways, before);
            bob.send(RED_HOME);
            await("red taken bob");
            bob.send(new Vec3(-16, -10, 0));
            Peer.await(
                    "bob to be aside",
                    SOON,
                    () ->
                            Bot.on(bob.bot.cycle, bob.client()::movement)
                                            .position()
                                            .distance(new Vec3(-16, -10, 0))
                                    < 2 * NEAR);
            picture(hands, new Vec3(-16, -10, 0), "carrier");
            assertThat(Bot.on(major.bot.cycle, major.client()::flags))
                    .anyMatch(flag ->
                            flag.team().equals("red")
                                    && flag.carrier() >= 0
                                    && flag.place().isPresent());
            String console =
                    Files.readString(home.resolve("client.out"), StandardCharsets.ISO_8859_1);
            assertThat(console)
                    .contains(
                            "got the BLUE flag!",
                            "lost the BLUE flag!",
                            "returned the BLUE flag!",
                            "captured the BLUE flag!",
                            "got the RED flag!");
        }
    }

    private static void walk(DisplayClient hands, BodyReachability ways, Vec3 goal)
            throws IOException {
        hands.walk(
                goals -> new WaypointController(ways, NEAR, goals),
                List.of(goal),
                1.5 * NEAR,
                WALK);
    }
}

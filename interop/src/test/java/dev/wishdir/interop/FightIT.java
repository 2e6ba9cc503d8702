package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import static java.util.Objects.requireNonNull;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ArenaEvent;
import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.Level;
import dev.wishdir.arena.MatchMode;
import dev.wishdir.arena.MatchRules;
import dev.wishdir.arena.Player;
import dev.wishdir.arena.Score;
import dev.wishdir.bedrock.BedrockGame;
import dev.wishdir.blocks.ArenaText;
import dev.wishdir.blocks.BlockArena;
import dev.wishdir.blocks.MalformedArenaException;
import dev.wishdir.game.BotController.PlayerInput;
import dev.wishdir.game.Client;
import dev.wishdir.game.ClientConfig;
import dev.wishdir.game.ClientListener;
import dev.wishdir.game.Endpoint;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.game.Game;
import dev.wishdir.game.SharedArena;
import dev.wishdir.motion.Angles;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.Counters;
import dev.wishdir.net.DutyCycle;
import dev.wishdir.net.NettyLoop;
import dev.wishdir.quake2.Quake2Game;
import dev.wishdir.quake3.Quake3Game;
import dev.wishdir.sauerbraten.SauerbratenGame;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;

/**
 * A fight of the original clients of OpenArena and Sauerbraten, Bedrock's from npm and our own of
 * Quake II, each against all: each kills each of the others once. Who died by whose hand is what
 * the server's events say; that the clients were sent it is read on their consoles, on their boards
 * and in their messages.
 */
@Tag("alone")
@Timeout(400)
class FightIT {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final Duration FIGHT = Duration.ofSeconds(40);
    private static final Path PICTURES = Path.of("target", "screenshots").toAbsolutePath();
    private static final long MILLISECOND = 1_000_000;

    /** Of one original weapon: it is taken up and fires once or more. */
    private static final long WEAPON = 1_600 * MILLISECOND;

    private static final double CHEST = 0.9;

    /** A room in which each sees the others. */
    private static final BlockArena RING = ring();

    private static BlockArena ring() {
        int side = 28;
        int height = 8;
        String full = "s".repeat(side) + "\n";
        String wall = "b".repeat(side) + "\n";
        String inner = "b" + ".".repeat(side - 2) + "b\n";
        String text =
                """
                wishdir-arena 1
                name ring
                title A ring
                size %1$d %1$d %2$d
                ground 1
                block s sand
                block b brick
                spawn 4 0 0 180
                spawn 0 4 0 270
                spawn -4 0 0 0
                spawn 0 -4 0 90
                layer 0
                %3$slayers 1-%4$d
                %5$s%6$s%5$s\
                """
                        .formatted(
                                side,
                                height,
                                full.repeat(side),
                                height - 1,
                                wall,
                                inner.repeat(side - 2));
        try {
            return ArenaText.read(text);
        } catch (MalformedArenaException e) {
            throw new IllegalStateException(e);
        }
    }

    private final NettyLoop loop = new NettyLoop("fight");
    private final DutyCycle cycle = loop.cycle();
    private final Arena arena = new Arena(Level.of(RING), 8);
    private final Counters counters = new Counters();
    private final Map<String, Endpoint> endpoints = new HashMap<>();
    private final List<ArenaEvent.Died> deaths = new CopyOnWriteArrayList<>();
    private final List<String> violations = new CopyOnWriteArrayList<>();

    @RegisterExtension private final Npm npm = new Npm("bedrock-protocol");

    /** One of the four. */
    private abstract class Fighter {
        final Game game;
        final String name;

        Fighter(Game game, String name) {
            this.game = game;
            this.name = name;
        }

        /** Goes on to attack another, which lives, as this one does. */
        abstract void attack(Fighter victim) throws IOException;

        /** Attacks none. */
        abstract void rest() throws IOException;

        /** Asks for the next life. */
        abstract void respawn() throws IOException;

        /** What it has read of a death; empty if nothing. */
        abstract boolean knowsOf(Fighter victim, Fighter killer);

        Optional<ArenaPlayer> player() {
            return arena.players().stream()
                    .filter(player -> player.name().equals(name))
                    .findFirst()
                    .flatMap(player -> arena.player(player.id()));
        }

        boolean lives() {
            return Bot.on(
                    cycle,
                    () ->
                            player().filter(it -> it.snapshot().spawned())
                                    .filter(it -> it.combatant().isAlive())
                                    .isPresent());
        }

        Movement movement() {
            return Bot.on(cycle, () -> player().map(it -> it.snapshot().movement()).orElseThrow());
        }

        Score score() {
            return Bot.on(cycle, () -> player().map(it -> it.combatant().score()).orElseThrow());
        }

        double yawTo(Fighter other) {
            Vec3 way = other.movement().position().minus(movement().position());
            return Angles.wrap360(Angles.yaw(way.x(), way.y()));
        }

        @Override
        public String toString() {
            return name;
        }
    }

    /** An original client, whose hands this test has. */
    private final class Original extends Fighter {
        final Path home;
        private final DisplayClient client;

        Original(Game game, String name, Path home, DisplayClient client) {
            super(game, name);
            this.home = home;
            this.client = client;
        }

        @Override
        void attack(Fighter victim) throws IOException {
            client.fire(yawTo(victim));
        }

        @Override
        void rest() throws IOException {
            client.hold(DisplayClient.Button.TRIGGER, false);
        }

        @Override
        void respawn() throws IOException {
            client.hold(DisplayClient.Button.TRIGGER, true);
            LockSupport.parkNanos(100 * MILLISECOND);
            client.hold(DisplayClient.Button.TRIGGER, false);
            LockSupport.parkNanos(100 * MILLISECOND);
        }

        String console() {
            try {
                return Files.readString(home.resolve("client.out"), StandardCharsets.ISO_8859_1);
            } catch (IOException e) {
                return "";
            }
        }

        /** Whether its console has a line about a death, which is in the words of its game. */
        @Override
        boolean knowsOf(Fighter victim, Fighter killer) {
            return console().lines().anyMatch(line -> tells(line, victim, killer));
        }

        private boolean tells(String line, Fighter victim, Fighter killer) {
            if (game instanceof Quake3Game) {
                return line.matches(
                        ".*" + victim + "\\b.* (was|ate|almost|saw|didn't) .*" + killer + ".*");
            }
            String subject = killer == this ? "you" : killer.name;
            String object = victim == this ? "you" : victim.name;
            return victim == this
                    ? line.matches(".*you got fragged by .*" + killer + ".*")
                    : line.matches(".*" + subject + ".* fragged .*" + object + ".*");
        }
    }

    /** Bedrock's client from npm. */
    private final class NpmFighter extends Fighter {
        private final Peer client;
        private long asked = Long.MIN_VALUE;
        private String order = "";

        NpmFighter(String name, Peer client) {
            super(new BedrockGame(), name);
            this.client = client;
        }

        private void order(String line) {
            if (!order.equals(line)) {
                order = line;
                client.type(line);
            }
        }

        @Override
        void attack(Fighter victim) {
            order("fight " + victim);
            LockSupport.parkNanos(50 * MILLISECOND);
        }

        @Override
        void rest() {
            order("rest");
        }

        @Override
        void respawn() {
            order("rest");
            if (asked == Long.MIN_VALUE || System.nanoTime() - asked > 1_000 * MILLISECOND) {
                asked = System.nanoTime();
                client.type("respawn");
            }
        }

        @Override
        boolean knowsOf(Fighter victim, Fighter killer) {
            return Npm.events(client, "recv", "text").stream()
                    .map(Object::toString)
                    .anyMatch(line ->
                            line.matches(
                                    ".*death\\.attack\\..*" + victim + "\".*" + killer + "\".*"));
        }
    }

    /** Our own client of Quake II. */
    private final class Headless extends Fighter implements ClientListener {
        final List<String> lines = new CopyOnWriteArrayList<>();
        private final DutyCycle own = loop.cycle();
        private final Client client;
        private volatile @Nullable Fighter foe;

        Headless(Game game, String name) {
            super(game, name);
            client =
                    Bot.on(
                            own,
                            () ->
                                    game.connect(
                                            ClientConfig.builder(own, address(game))
                                                    .name(name)
                                                    .controller((_, self) -> steer(self))
                                                    .listener(this)
                                                    .random(new Random(5))
                                                    .build()));
        }

        private PlayerInput steer(Movement self) {
            Fighter other = foe;
            if (other != null) {
                client.others().stream()
                        .filter(it -> it.name().endsWith(other.name))
                        .findFirst()
                        .ifPresent(it ->
                                client.shoot(it.movement().position().plus(new Vec3(0, 0, CHEST))));
            }
            return PlayerInput.look(self.yaw(), 0);
        }

        @Override
        public void onChat(Client self, String player, String text) {
            lines.add(text);
        }

        @Override
        void attack(Fighter victim) {
            foe = victim;
            LockSupport.parkNanos(50 * MILLISECOND);
        }

        @Override
        void rest() {
            foe = null;
        }

        /** The client does so by itself. */
        @Override
        void respawn() {
            foe = null;
        }

        @Override
        boolean knowsOf(Fighter victim, Fighter killer) {
            return lines.stream()
                    .anyMatch(line -> line.matches("(?s).*" + victim + "\\b.* .*" + killer + ".*"));
        }
    }

    @BeforeEach
    void open() {
        Peer.need("cube2", Path.of("/usr/lib/cube2/cube2_client"));
        Peer.need("cube2-data", Path.of("/usr/share/games/cube2/data"));
        Peer.need("openarena", Path.of("/usr/games/openarena"));
        Peer.need("xvfb", Path.of("/usr/bin/Xvfb"));
        Peer.need("xdotool", Path.of("/usr/bin/xdotool"));
        Peer.need("imagemagick", Path.of("/usr/bin/import"));
        Bot.on(cycle, this::serve);
    }

    private boolean serve() throws IOException {
        arena.setMatchRules(
                new MatchRules(
                        MatchMode.FFA,
                        Duration.ZERO,
                        0,
                        Duration.ZERO,
                        MatchRules.DEFAULT_INTERMISSION,
                        Map.of()));
        cycle.add(arena::advance);
        arena.addListener(event -> {
            switch (event) {
                case ArenaEvent.Died died -> deaths.add(died);
                case ArenaEvent.MovementViolation violation -> violations.add(violation.toString());
                default -> {}
            }
        });
        SharedArena sharedArena = new SharedArena(cycle, arena, RING, List.of(RING));
        for (Game game :
                List.of(
                        new SauerbratenGame(),
                        new Quake2Game(),
                        new Quake3Game(),
                        new BedrockGame())) {
            boolean quake = game.name().startsWith("quake");
            InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
            endpoints.put(
                    game.name(),
                    game.serve(
                            EndpointContext.builder(cycle, any, arena)
                                    .sharedArena(sharedArena)
                                    .counters(counters)
                                    .options(quake ? Map.of("weapons", "all") : Map.of())
                                    .random(new Random(1))
                                    .build()));
        }
        return true;
    }

    @AfterEach
    void close() {
        loop.close();
    }

    private InetSocketAddress address(Game game) {
        return requireNonNull(endpoints.get(game.name())).address();
    }

    private String port(Game game) {
        return Integer.toString(address(game).getPort());
    }

    @Test
    void eachKillsEachOfTheOthersOnce(@TempDir Path directory) throws Exception {
        Files.createDirectories(PICTURES);
        Path openArena = Files.createDirectories(directory.resolve("alice"));
        Path sauerbraten = Files.createDirectories(directory.resolve("sven"));
        try (Peer alicesGame =
                        Peer.start(
                                openArena,
                                Map.of(
                                        "NAME",
                                        "alice",
                                        "DISPLAY_NUM",
                                        "35",
                                        "ACTIONS",
                                        "390 echo fighting"),
                                Peer.script("openarena-client.sh"),
                                "127.0.0.1:" + port(new Quake3Game()),
                                openArena.toString(),
                                Integer.toString(Npm.freePort()));
                DisplayClient alicesHands =
                        DisplayClient.openArena(openArena, 35, () -> movement("alice"))) {
            alicesGame.awaitLine("joined", SOON);
            Original alice = new Original(new Quake3Game(), "alice", openArena, alicesHands);
            Peer.await("alice to live", SOON, alice::lives);
            alicesHands.prepare();
            firesAllWeapons(alice);
            try (Peer svensGame =
                            Peer.start(
                                    sauerbraten,
                                    Map.of("NAME", "sven", "DISPLAY_NUM", "18", "ACTIONS", "wait"),
                                    Peer.script("sauerbraten-client.sh"),
                                    "127.0.0.1",
                                    port(new SauerbratenGame()),
                                    sauerbraten.toString(),
                                    "390");
                    DisplayClient svensHands =
                            DisplayClient.sauerbraten(sauerbraten, 18, () -> movement("sven"))) {
                NpmFighter steve =
                        new NpmFighter(
                                "steve",
                                npm.node(
                                        "bedrock-fighter.mjs",
                                        "127.0.0.1",
                                        port(new BedrockGame()),
                                        "steve",
                                        "--timeout",
                                        "390000"));
                Headless major = new Headless(new Quake2Game(), "major");
                svensGame.awaitLine("joined", SOON);
                svensHands.prepare();
                Original sven =
                        new Original(new SauerbratenGame(), "sven", sauerbraten, svensHands);
                List<Fighter> all = List.of(alice, sven, steve, major);
                for (Fighter each : all) {
                    Peer.await(each + " to live", SOON, each::lives);
                }
                for (Fighter killer : all) {
                    for (Fighter victim : all) {
                        if (killer != victim) {
                            fight(killer, victim, all);
                        }
                    }
                }
                alicesHands.picture(PICTURES, "fight-openarena");
                svensHands.picture(PICTURES, "fight-sauerbraten");
                alicesHands.hold(DisplayClient.Button.BOARD, true);
                svensHands.hold(DisplayClient.Button.BOARD, true);
                LockSupport.parkNanos(3_000 * MILLISECOND);
                alicesHands.picture(PICTURES, "board-openarena");
                svensHands.picture(PICTURES, "board-sauerbraten");
                System.out.println(
                        "SCORES " + all.stream().map(it -> it + " " + it.score()).toList());
                System.out.println(major.lines);
                steve.client.lines().forEach(System.out::println);
                Files.copy(
                        openArena.resolve("client.out"),
                        PICTURES.resolve("alice.out"),
                        java.nio.file.StandardCopyOption.REPLACE_EXISTING);
                Files.copy(
                        sauerbraten.resolve("client.out"),
                        PICTURES.resolve("sven.out"),
                        java.nio.file.StandardCopyOption.REPLACE_EXISTING);
                System.out.println(counters);
                List<String> unknown = new ArrayList<>();
                for (ArenaEvent.Died died : deaths) {
                    for (Fighter each : all) {
                        Fighter victim = of(died.player(), all);
                        Fighter killer = of(died.killer(), all);
                        if (!each.knowsOf(victim, killer)) {
                            unknown.add(
                                    each + " does not know that " + killer + " killed " + victim);
                        }
                    }
                }
                assertThat(unknown).isEmpty();
                assertThat(violations).isEmpty();
            }
        }
    }

    private static Fighter of(Player player, List<Fighter> all) {
        return all.stream().filter(it -> it.name.equals(player.name())).findFirst().orElseThrow();
    }

    private Movement movement(String name) {
        return Bot.on(
                cycle,
                () ->
                        arena.players().stream()
                                .filter(player -> player.name().equals(name))
                                .findFirst()
                                .orElseThrow()
                                .movement());
    }

    /** With no other player there, as a push by another is not what a client can predict. */
    private void firesAllWeapons(Original alice) throws Exception {
        for (int weapon = 1; weapon <= 9; weapon++) {
            alice.client.type("weapon " + weapon);
            LockSupport.parkNanos(600 * MILLISECOND);
            alice.client.hold(DisplayClient.Button.TRIGGER, true);
            LockSupport.parkNanos(WEAPON);
            alice.client.picture(PICTURES, "weapon" + weapon);
            alice.client.hold(DisplayClient.Button.TRIGGER, false);
        }
        alice.client.type("weapon 2");
        assertThat(alice.console())
                .doesNotContain("Prediction miss", "delta:", "changed predicted");
    }

    private void fight(Fighter killer, Fighter victim, List<Fighter> all) {
        long began = System.nanoTime();
        Peer.await(
                () -> killer + " to kill " + victim + "; " + deaths,
                FIGHT,
                () -> {
                    try {
                        for (Fighter each : all) {
                            if (!each.lives()) {
                                each.respawn();
                            } else if (each == killer && victim.lives()) {
                                each.attack(victim);
                            } else {
                                each.rest();
                            }
                        }
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                    return deaths.stream()
                            .anyMatch(died ->
                                    died.player().name().equals(victim.name)
                                            && died.killer().name().equals(killer.name));
                });
        System.out.println(
                killer
                        + " killed "
                        + victim
                        + " in "
                        + (System.nanoTime() - began) / 1e9
                        + " s "
                        + deaths.getLast().means());
        try {
            killer.rest();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

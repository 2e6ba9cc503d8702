package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import static java.util.Objects.requireNonNull;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.arena.event.Score;
import dev.wishdir.arena.event.ViolationRule;
import dev.wishdir.arena.match.Match;
import dev.wishdir.arena.match.MatchRules;
import dev.wishdir.bedrock.BedrockGame;
import dev.wishdir.blocks.arena.ArenaText;
import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.blocks.arena.MalformedArenaException;
import dev.wishdir.game.BotController.PlayerInput;
import dev.wishdir.game.Client;
import dev.wishdir.game.ClientConfig;
import dev.wishdir.game.ClientListener;
import dev.wishdir.game.Endpoint;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.game.Game;
import dev.wishdir.game.level.SharedArena;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.loop.Counters;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.netty.NettyLoop;
import dev.wishdir.quake2.Quake2Game;
import dev.wishdir.quake2.client.Quake2Client;
import dev.wishdir.quake3.Quake3Game;
import dev.wishdir.quake3.combat.Weapon;
import dev.wishdir.quake3.message.EntityField;
import dev.wishdir.quake3.message.EntityState;
import dev.wishdir.quake3.movement.Quake3Movement;
import dev.wishdir.sauerbraten.SauerbratenGame;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A fight of the original clients of OpenArena and Sauerbraten, Bedrock's from npm and our own of
 * Quake II, each against all. Each kills each of the others, in twelve pairs; then further deaths
 * end the round, and the next one begins. Which player died by which hand is what the server's
 * events say. Of the originals the consoles and the boards on their screens are read, of the other
 * two the messages. OpenArena's client also fires all its weapons and predicts each shot.
 */
@Timeout(900)
class FightIT {
    private static final Duration SOON = Duration.ofMinutes(2);
    private static final Path PICTURES = ScoreBoards.PICTURES;
    private static final int SCORE_LIMIT = 8;
    private static final Duration INTERMISSION = Duration.ofSeconds(6);

    /** Between two wishes for another life, nanoseconds. */
    private static final long ASK = 1_000_000_000;

    private static final int WEAPONS = 9;

    /** Of each weapon of OpenArena. */
    private static final int SHOTS = 3;

    /** Numbers of OpenArena: the event of a shot, and the flag of a pressed trigger. */
    private static final int FIRE_WEAPON = 23;

    private static final int FIRING = 0x100;
    private static final double CHEST = 0.9;

    /** A room in which each sees the others, as an arena file. */
    static final String RING_TEXT = ringText();

    private static final BlockArena RING = ring();

    private static String ringText() {
        int side = 28;
        int height = 8;
        String full = "s".repeat(side) + "\n";
        String wall = "b".repeat(side) + "\n";
        String inner = "b" + ".".repeat(side - 2) + "b\n";
        return """
        wishdir-arena 1
        name ring
        title A ring
        size %1$d %1$d %2$d
        ground 1
        block s slate
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
                        side, height, full.repeat(side), height - 1, wall, inner.repeat(side - 2));
    }

    private static BlockArena ring() {
        try {
            return ArenaText.read(RING_TEXT);
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
    private final AtomicInteger shots = new AtomicInteger();
    private final ArenaView view = new ArenaView();
    private volatile @Nullable EntityState body;

    @RegisterExtension private final Npm npm = new Npm("bedrock-protocol");

    /** The arena of this test. */
    private final class ArenaView implements Fighter.ServerView {
        private Optional<ArenaPlayer> player(String name) {
            return arena.players().stream()
                    .filter(player -> player.name().equals(name))
                    .findFirst()
                    .flatMap(player -> arena.player(player.id()));
        }

        @Override
        public boolean lives(String name) {
            return Bot.on(
                    cycle,
                    () ->
                            player(name)
                                    .filter(it -> it.snapshot().spawned())
                                    .filter(it -> it.combatant().isAlive())
                                    .isPresent());
        }

        @Override
        public Movement movement(String name) {
            return Bot.on(
                    cycle, () -> player(name).map(it -> it.snapshot().movement()).orElseThrow());
        }

        @Override
        public Score score(String name) {
            return Bot.on(
                    cycle, () -> player(name).map(it -> it.combatant().score()).orElseThrow());
        }
    }

    /** Bedrock's client from npm. */
    private final class NpmFighter extends Fighter {
        private final Peer client;
        private long asked = System.nanoTime();
        private String order = "";

        NpmFighter(String name, Peer client) {
            super(new BedrockGame(), name, view);
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
        }

        @Override
        void rest() {
            order("rest");
        }

        @Override
        void respawn() {
            rest();
            if (System.nanoTime() - asked > ASK) {
                asked = System.nanoTime();
                client.type("respawn");
            }
        }

        @Override
        boolean hasReadOf(String victim, String killer) {
            String names = ".*\\b" + victim + "\",\".*\\b" + killer + "\".*";
            return Npm.events(client, "recv", "text").stream()
                    .filter(text -> text.get("message").getAsString().startsWith("death.attack."))
                    .anyMatch(text -> text.get("parameters").toString().matches(names));
        }

        @Override
        boolean hasRead(String line) {
            return Npm.events(client, "recv", "text").toString().contains(line);
        }

        /** The scores of the side bar. */
        Map<String, Integer> frags() {
            Map<Long, JsonObject> rows = new HashMap<>();
            for (JsonObject message : Npm.events(client, "recv", "set_score")) {
                for (JsonElement each : message.getAsJsonArray("entries")) {
                    JsonObject row = each.getAsJsonObject();
                    long id = row.get("scoreboard_id").getAsLong();
                    if (message.get("action").getAsString().equals("remove")) {
                        rows.remove(id);
                    } else if (row.has("custom_name")) {
                        rows.put(id, row);
                    }
                }
            }
            Map<String, Integer> frags = new TreeMap<>();
            rows.values()
                    .forEach(row ->
                            frags.put(
                                    plain(row.get("custom_name").getAsString()),
                                    row.get("score").getAsInt()));
            return frags;
        }
    }

    /** Our own client of Quake II. */
    private final class Headless extends Fighter implements ClientListener {
        final List<String> lines = new CopyOnWriteArrayList<>();
        private final DutyCycle own = loop.cycle();
        private final Quake2Client client;
        private volatile @Nullable Fighter foe;

        Headless(Game game, String name) {
            super(game, name, view);
            client =
                    Bot.on(
                            own,
                            () ->
                                    Quake2Client.connect(
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
        boolean hasReadOf(String victim, String killer) {
            String line = "(.* )?" + victim + " [a-z' ]+ (.* )?" + killer + "('s .*)?";
            return lines.stream().anyMatch(each -> each.strip().matches(line));
        }

        @Override
        boolean hasRead(String line) {
            return lines.stream().anyMatch(each -> each.contains(line));
        }

        /** The scores of the board, which is asked for. */
        Map<String, Integer> frags() {
            return Bot.on(
                    own,
                    () -> {
                        client.command("score");
                        Map<String, Integer> frags = new TreeMap<>();
                        client.frags()
                                .forEach((id, score) -> {
                                    if (id == client.id()) {
                                        frags.put(name, score);
                                    }
                                    client.others().stream()
                                            .filter(other -> other.id() == id)
                                            .forEach(
                                                    other -> frags.put(plain(other.name()), score));
                                });
                        return frags;
                    });
        }
    }

    /** A name without the tag of its game. */
    private static String plain(String name) {
        return name.substring(name.lastIndexOf(' ') + 1);
    }

    @BeforeEach
    void open() {
        Peer.needOriginals();
        Peer.need("imagemagick", Path.of("/usr/bin/import"));
        Bot.on(cycle, this::serve);
    }

    private boolean serve() throws IOException {
        arena.setMatchRules(
                MatchRules.of(MatchMode.FFA)
                        .withTimes(Duration.ZERO, Duration.ZERO, INTERMISSION)
                        .withScoreLimit(SCORE_LIMIT));
        cycle.add(arena::advance);
        arena.addListener(event -> {
            switch (event) {
                case ArenaEvent.Died died -> deaths.add(died);
                case ArenaEvent.Moved moved when moved.player().game().equals("quake3") ->
                        Quake3Movement.state(moved.player().nativeMovement())
                                .ifPresent(this::showBody);
                // A busy machine draws others late: an honest shot may be beside its victim then.
                case ArenaEvent.MovementViolation violation
                        when violation.rule() != ViolationRule.HIT_DISTANCE ->
                        violations.add(violation.toString());
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
    void close() throws IOException {
        loop.close();
        Files.createDirectories(PICTURES);
        Files.write(
                PICTURES.resolve("fight-deaths.txt"),
                deaths.stream()
                        .map(died ->
                                died.player().name()
                                        + " by "
                                        + died.killer().name()
                                        + ", "
                                        + died.means())
                        .toList());
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
        Path openArena = directory.resolve("alice");
        Path sauerbraten = directory.resolve("sven");
        try (Peer alicesGame = Peer.openArena(openArena, 35, port(new Quake3Game()), 890);
                DisplayClient alicesHands =
                        DisplayClient.openArena(openArena, 35, () -> view.movement("alice"))) {
            alicesGame.awaitLine("joined", SOON);
            Original alice = new Original(new Quake3Game(), "alice", view, openArena, alicesHands);
            Peer.await("alice to live", SOON, alice::lives);
            alicesHands.prepare();
            firesAllWeapons(alice);
            try (Peer svensGame =
                            Peer.sauerbraten(sauerbraten, 19, port(new SauerbratenGame()), 890);
                    DisplayClient svensHands =
                            DisplayClient.sauerbraten(
                                    sauerbraten, 19, () -> view.movement("sven"))) {
                NpmFighter steve =
                        new NpmFighter(
                                "steve",
                                npm.node(
                                        "bedrock-fighter.mjs",
                                        "127.0.0.1",
                                        port(new BedrockGame()),
                                        "steve",
                                        "--timeout",
                                        "890000"));
                Headless major = new Headless(new Quake2Game(), "major");
                svensGame.awaitLine("joined", SOON);
                svensHands.prepare();
                Original sven =
                        new Original(new SauerbratenGame(), "sven", view, sauerbraten, svensHands);
                List<Fighter> all = List.of(alice, sven, steve, major);
                for (Fighter each : all) {
                    Peer.await(each + " to live", SOON, each::lives);
                }
                for (Fighter killer : all) {
                    for (Fighter victim : all) {
                        if (!killer.equals(victim)) {
                            fight(killer, victim, all);
                        }
                    }
                }
                alicesHands.picture(PICTURES, "fight-openarena");
                svensHands.picture(PICTURES, "fight-sauerbraten");
                // Quake II's client names those on its board that it sees: not the last victim.
                awaitLives("after the fights", all);
                ScoreBoards.await(alice, sven, () -> frags(all).values());
                Peer.await(
                        () -> "Bedrock's list of " + frags(all) + " to be " + steve.frags(),
                        SOON,
                        () -> steve.frags().equals(frags(all)));
                Peer.await(
                        () -> "Quake II's board of " + frags(all) + " to be " + major.frags(),
                        SOON,
                        () -> major.frags().equals(frags(all)));
                for (ArenaEvent.Died died : deaths) {
                    for (Fighter each : all) {
                        String killer = died.killer().name();
                        String victim = died.player().name();
                        Peer.await(
                                each + " to read that " + killer + " killed " + victim,
                                SOON,
                                () -> each.hasReadOf(victim, killer));
                    }
                }
                endRound(alice, sven, all);
                assertThat(alice.console()).doesNotContain("unknown", "Server disconnected");
                assertThat(sven.console()).doesNotContain("illegal network message");
                for (String bad : List.of("leftover", "error", "kick")) {
                    assertThat(Npm.events(steve.client, bad, "")).isEmpty();
                }
                assertThat(violations).isEmpty();
            }
        }
    }

    /** Further deaths end the round; the next one begins on all screens. */
    private void endRound(Original alice, Original sven, List<Fighter> all) throws Exception {
        // Whoever stands in the way of a shot dies, too: some may have more frags than the others.
        Fighter leader =
                Collections.max(all, Comparator.comparingInt(each -> each.score().frags()));
        Fighter victim = leader.equals(sven) ? alice : sven;
        Fighter.fight(leader, victim, all, () -> phase() == Match.Phase.INTERMISSION);
        for (Fighter each : all) {
            String line = leader + " wins with " + SCORE_LIMIT + " frags.";
            Peer.await(each + " to read " + line, SOON, () -> each.hasRead(line));
        }
        alice.client.picture(PICTURES, "intermission-openarena");
        sven.client.picture(PICTURES, "intermission-sauerbraten");
        Peer.await("the next round", SOON, () -> phase() == Match.Phase.PLAYING);
        awaitLives("in the next round", all);
        ScoreBoards.awaitOwnScore(sven, () -> Score.ZERO);
    }

    private static void awaitLives(String when, List<Fighter> all) {
        Peer.await(
                "all to live " + when,
                SOON,
                () -> {
                    all.stream().filter(each -> !each.lives()).forEach(Fighter::respawn);
                    return all.stream().allMatch(Fighter::lives);
                });
    }

    private static Map<String, Integer> frags(List<Fighter> all) {
        Map<String, Integer> frags = new TreeMap<>();
        all.forEach(each -> frags.put(each.name, each.score().frags()));
        return frags;
    }

    private Match.Phase phase() {
        return Bot.on(cycle, () -> arena.match().phase());
    }

    /**
     * Each weapon fires some times, and the client predicts all of it: it announces only that
     * health above 100 gets less. No other player is there, as a client can't predict the push of
     * another.
     */
    private void firesAllWeapons(Original alice) throws Exception {
        for (int weapon = 1; weapon <= WEAPONS; weapon++) {
            int number = weapon;
            alice.client.type("weapon " + number);
            Peer.await("weapon " + number, SOON, () -> alicesBody(EntityField.WEAPON) == number);
            int before = shots.get();
            alice.client.hold(DisplayClient.Button.TRIGGER, true);
            // A gauntlet that meets no body makes no shot.
            Peer.await(
                    "shots of weapon " + number,
                    SOON,
                    () ->
                            number == Weapon.GAUNTLET.number()
                                    ? (alicesBody(EntityField.E_FLAGS) & FIRING) != 0
                                    : shots.get() >= before + SHOTS);
            alice.client.hold(DisplayClient.Button.TRIGGER, false);
        }
        alice.client.type("weapon 2");
        // The next player may spawn in front of her.
        Peer.await(
                "alice to fire no more",
                SOON,
                () ->
                        alicesBody(EntityField.WEAPON) == 2
                                && (alicesBody(EntityField.E_FLAGS) & FIRING) == 0
                                && Bot.on(cycle, () -> arena.match().missiles().isEmpty()));
        assertThat(alice.console())
                .contains("errorcode 15")
                .doesNotContain("Prediction miss", "delta:", "changed predicted")
                .doesNotContainPattern("errorcode ([1-6]|8|9) ");
    }

    /** Notes what the server shows of alice's body. */
    private void showBody(EntityState state) {
        EntityState before = body;
        int event = state.get(EntityField.EVENT);
        if (before != null
                && event != before.get(EntityField.EVENT)
                && (event & 0xFF) == FIRE_WEAPON) {
            shots.incrementAndGet();
        }
        body = state;
    }

    private int alicesBody(EntityField field) {
        EntityState state = body;
        return state == null ? 0 : state.get(field);
    }

    private void fight(Fighter killer, Fighter victim, List<Fighter> all) {
        Fighter.fight(
                killer,
                victim,
                all,
                () ->
                        deaths.stream()
                                .anyMatch(died ->
                                        died.player().name().equals(victim.name)
                                                && died.killer().name().equals(killer.name)));
    }
}

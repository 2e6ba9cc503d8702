package dev.wishdir.sauerbraten.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import static java.util.Objects.requireNonNull;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.combat.ArmourRule;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.FlagCause;
import dev.wishdir.arena.event.FlagChange;
import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.arena.event.NativeMovement;
import dev.wishdir.arena.event.Team;
import dev.wishdir.arena.event.ViolationRule;
import dev.wishdir.arena.event.Vitals;
import dev.wishdir.arena.match.MatchRules;
import dev.wishdir.enet.EnetNode;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.game.NoOpViewer;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.loop.Counters;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.sauerbraten.inspect.SauerbratenCaptures;
import dev.wishdir.sauerbraten.message.ChatMessage;
import dev.wishdir.sauerbraten.message.EditMessage;
import dev.wishdir.sauerbraten.message.FlagMessage;
import dev.wishdir.sauerbraten.message.LifeMessage;
import dev.wishdir.sauerbraten.message.MatchMessage;
import dev.wishdir.sauerbraten.message.Point;
import dev.wishdir.sauerbraten.message.Pos;
import dev.wishdir.sauerbraten.message.RosterMessage;
import dev.wishdir.sauerbraten.message.SauerbratenMessage;
import dev.wishdir.sauerbraten.movement.SauerbratenMotion;
import dev.wishdir.sauerbraten.protocol.DisconnectReason;
import dev.wishdir.sauerbraten.protocol.SauerbratenCodec;
import dev.wishdir.wire.Bytes;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/**
 * Scripted clients capture the flags of a map of the game. Flag 0 of {@code boxarena} is evil's, at
 * (400, 640), flag 1 is good's, at (500, 640): the first player is evil.
 */
@Tag("slow")
class SauerbratenFlagTest {
    private static final Vec3 EVIL = new Vec3(400, 640, 512);
    private static final Vec3 GOOD = new Vec3(500, 640, 512);
    private static final Vec3 ASIDE = new Vec3(450, 740, 512);

    /** Distance that a body runs in 33 ms. */
    private static final double STEP_UNITS = 3.2;

    private final SimulatedNetwork network = new SimulatedNetwork(4);
    private final DutyCycle cycle = network.cycle();
    private final Counters counters = new Counters();
    private final Arena arena = new Arena(Level.BOX, 400);
    private final List<ArenaEvent.FlagChanged> changes = new ArrayList<>();
    private final List<ViolationRule> violations = new ArrayList<>();
    private @Nullable SauerbratenEndpoint endpoint;
    private int players;

    @TempDir private @Nullable Path directory;

    private void serve(MatchRules rules, Map<String, String> options) throws IOException {
        arena.setMatchRules(rules);
        arena.addListener(event -> {
            switch (event) {
                case ArenaEvent.FlagChanged changed -> changes.add(changed);
                case ArenaEvent.MovementViolation violation -> violations.add(violation.rule());
                default -> {}
            }
        });
        cycle.add(arena::advance);
        endpoint =
                SauerbratenEndpoint.open(
                        EndpointContext.builder(cycle, EnetNode.address("10.0.0.1:28785"), arena)
                                .counters(counters)
                                .options(options)
                                .random(new Random(9))
                                .build());
    }

    private void serveOwnMap(MatchRules rules) throws IOException {
        Path file = requireNonNull(directory).resolve("boxarena.ogz");
        Files.write(file, SauerbratenCaptures.FILES.file("boxarena.ogz").toArray());
        serve(rules, Map.of("map-file", file.toString()));
    }

    private ScriptedPlayer join(String name) {
        return new ScriptedPlayer(network, ++players, requireNonNull(endpoint).address())
                .join(name);
    }

    private static void report(ScriptedPlayer player, Vec3 units) {
        Point at = Point.of(units);
        player.raw(
                0,
                SauerbratenCodec.V260.packet(
                        Pos.of(
                                player.cn,
                                4 | (player.lifeseq & 1) << 3,
                                at.x(),
                                at.y(),
                                at.z(),
                                Pos.LEVEL,
                                0,
                                0,
                                Pos.LEVEL,
                                0,
                                0,
                                false)),
                false);
    }

    /** Runs from one place to another. */
    private static void run(ScriptedPlayer player, Vec3 from, Vec3 to) {
        int steps = (int) Math.ceil(from.distance(to) / STEP_UNITS);
        for (int i = 1; i <= steps; i++) {
            report(player, from.plus(to.minus(from).times((double) i / steps)));
            player.pass(33);
        }
    }

    private static Vec3 near(Vec3 flag, double units) {
        return flag.plus(new Vec3(0, units, 0));
    }

    private static List<SauerbratenMessage> heardOf(ScriptedPlayer player, Class<?>... types) {
        return player.heard.stream()
                .filter(it -> Arrays.stream(types).anyMatch(type -> type.isInstance(it)))
                .toList();
    }

    private static List<FlagMessage> flags(ScriptedPlayer player) {
        return player.heard(FlagMessage.class);
    }

    private static FlagMessage.InitFlags homes(int version) {
        FlagMessage.Status home = FlagMessage.Status.atHome(version);
        return new FlagMessage.InitFlags(0, 0, List.of(home, home));
    }

    @Test
    void sendsChangesAsOriginal() throws Exception {
        serveOwnMap(MatchRules.of(MatchMode.CTF));
        ScriptedPlayer anna = join("anna");
        ScriptedPlayer bob = join("bob");
        assertThat(anna.heard(MatchMessage.MapChange.class).getFirst().mode()).isEqualTo(11);
        assertThat(anna.heard(RosterMessage.SetTeam.class).getLast().team()).isEqualTo("evil");
        assertThat(bob.heard(RosterMessage.SetTeam.class).getLast().team()).isEqualTo("good");
        assertThat(flags(bob)).containsExactly(homes(0));
        report(anna, near(GOOD, 30));
        report(bob, ASIDE);
        anna.pass(100);
        run(anna, near(GOOD, 30), near(GOOD, 4));
        assertThat(flags(bob).getLast()).isEqualTo(new FlagMessage.TakeFlag(anna.cn, 1, 1));

        ScriptedPlayer carl = join("carl");
        assertThat(carl.heard.stream().filter(it -> !(it instanceof Pos)).toList())
                .as("the last message of the welcome")
                .contains(
                        new FlagMessage.InitFlags(
                                0,
                                0,
                                List.of(
                                        FlagMessage.Status.atHome(0),
                                        FlagMessage.Status.carried(1, anna.cn))));
        anna.say(new FlagMessage.TryDropFlag());
        anna.pass(100);
        FlagMessage.DropFlag drop = (FlagMessage.DropFlag) flags(carl).getLast();
        assertThat(drop)
                .isEqualTo(new FlagMessage.DropFlag(anna.cn, 1, 2, Point.of(near(GOOD, 12))));
        run(bob, ASIDE, near(GOOD, 4));
        // The flag comes home where anna stands.
        assertThat(flags(carl))
                .endsWith(
                        new FlagMessage.ReturnFlag(bob.cn, 1, 3),
                        new FlagMessage.TakeFlag(anna.cn, 1, 4));
        run(anna, near(GOOD, 4), near(EVIL, 3));
        for (ScriptedPlayer each : List.of(anna, bob, carl)) {
            assertThat(flags(each).getLast())
                    .isEqualTo(new FlagMessage.ScoreFlag(anna.cn, 1, 5, 0, 1, -1, 2, 1, 1));
        }
        ScriptedPlayer dora = join("dora");
        assertThat(dora.heard(LifeMessage.Resume.class).getFirst().players())
                .filteredOn(it -> it.cn() == anna.cn)
                .extracting(LifeMessage.Score::flags)
                .containsExactly(1);
        assertThat(((FlagMessage.InitFlags) flags(dora).getLast()).score2()).isEqualTo(1);
        assertThat(flags(carl))
                .as("all changes have a message of their own")
                .filteredOn(FlagMessage.InitFlags.class::isInstance)
                .hasSize(1);
        assertThat(violations).isEmpty();
    }

    @Test
    void endsMatchByCapturesAndStartsNextWithNewVersions() throws Exception {
        serveOwnMap(
                MatchRules.of(MatchMode.CTF)
                        .withScoreLimit(1)
                        .withTimes(Duration.ofMinutes(5), Duration.ZERO, Duration.ofSeconds(3)));
        ScriptedPlayer anna = join("anna");
        ScriptedPlayer bob = join("bob");
        report(anna, near(GOOD, 30));
        report(bob, ASIDE);
        anna.pass(100);
        run(anna, near(GOOD, 30), near(GOOD, 4));
        run(anna, near(GOOD, 4), near(EVIL, 4));
        anna.pass(200);
        assertThat(
                        heardOf(
                                bob,
                                FlagMessage.ScoreFlag.class,
                                MatchMessage.TimeUp.class,
                                MatchMessage.MapChange.class))
                .endsWith(
                        new FlagMessage.ScoreFlag(anna.cn, 1, 2, 0, 1, -1, 2, 1, 1),
                        new MatchMessage.TimeUp(0));
        anna.pass(4000);
        assertThat(
                        heardOf(
                                        bob,
                                        FlagMessage.class,
                                        MatchMessage.MapChange.class,
                                        LifeMessage.SpawnState.class)
                                .reversed())
                .element(1)
                .isEqualTo(homes(0));
        assertThat(bob.heard(MatchMessage.MapChange.class)).hasSize(2);
        report(anna.spawn(), near(GOOD, 30));
        anna.pass(100);
        run(anna, near(GOOD, 30), near(GOOD, 4));
        assertThat(flags(bob).getLast()).isEqualTo(new FlagMessage.TakeFlag(anna.cn, 1, 1));
    }

    /**
     * What a carrier does, and the messages in the order of the original server, which lets a
     * carrier die that changes its team.
     */
    @ParameterizedTest
    @CsvSource({
        "dies, 'Died DropFlag'",
        "spectates, 'Died DropFlag Spectator'",
        "leaves, 'DropFlag CDis'",
        "edits, 'DropFlag CDis'",
        "changes, 'DropFlag'",
        "drops, 'DropFlag'"
    })
    @DisplayName("L8, L9: a carrier that edits, dies, watches, leaves or changes its team")
    void dropsBeforeCarrierIsGone(String how, String expected) throws Exception {
        serveOwnMap(MatchRules.of(MatchMode.CTF));
        ScriptedPlayer anna = join("anna");
        ScriptedPlayer bob = join("bob");
        if (how.equals("changes")) {
            join("carl");
        }
        report(anna, near(GOOD, 30));
        anna.pass(100);
        run(anna, near(GOOD, 30), near(GOOD, 4));
        bob.heard.clear();
        switch (how) {
            case "dies" -> anna.say(new LifeMessage.Suicide());
            case "spectates" -> anna.say(new RosterMessage.Spectator(anna.cn, true));
            case "leaves" -> anna.peer.disconnect(0);
            case "edits" -> anna.say(new EditMessage.EditMode(true));
            case "changes" -> anna.say(new RosterMessage.SwitchTeam("good"));
            default -> anna.say(new FlagMessage.TryDropFlag());
        }
        anna.pass(300);
        assertThat(
                        heardOf(
                                bob,
                                LifeMessage.Died.class,
                                FlagMessage.class,
                                RosterMessage.Spectator.class,
                                RosterMessage.CDis.class))
                .extracting(it -> it.getClass().getSimpleName())
                .containsExactly(expected.split(" "));
    }

    @Test
    void bringsDroppedFlagHomeByTime() throws Exception {
        serveOwnMap(MatchRules.of(MatchMode.CTF));
        ScriptedPlayer anna = join("anna");
        report(anna, near(GOOD, 30));
        anna.pass(100);
        run(anna, near(GOOD, 30), near(GOOD, 4));
        run(anna, near(GOOD, 4), ASIDE);
        anna.say(new FlagMessage.TryDropFlag());
        anna.pass(100);
        run(anna, ASIDE, near(ASIDE, 30));
        anna.pass(21_000);
        assertThat(flags(anna).getLast()).isEqualTo(new FlagMessage.ResetFlag(1, 3, -1, 1, 0));
    }

    @Test
    @DisplayName("L1, L2: who claims both flags at once from afar gets none, which is a violation")
    void refusesClaimsFromAfar() throws Exception {
        serveOwnMap(MatchRules.of(MatchMode.CTF));
        ScriptedPlayer eve = join("eve");
        report(eve, ASIDE);
        eve.pass(200);
        eve.say(new FlagMessage.ClientTakeFlag(1, 0), new FlagMessage.ClientTakeFlag(0, 0));
        eve.pass(200);
        assertThat(changes).isEmpty();
        assertThat(violations).containsExactly(ViolationRule.FLAG_DISTANCE);
        assertThat(counters.get("sauerbraten.flag.refused.distance")).isEqualTo(1);
        assertThat(counters.get("sauerbraten.flag.refused.state")).isEqualTo(1);
        assertThat(eve.isGone()).isFalse();
    }

    /** The original's client asks at 16 units, 2 m; the law's reach is 1.5 m. */
    @Test
    void takesFlagWhenClientComesNearerWithoutAskingAgain() throws Exception {
        serveOwnMap(MatchRules.of(MatchMode.CTF));
        ScriptedPlayer anna = join("anna");
        report(anna, near(GOOD, 15.5));
        anna.pass(200);
        anna.say(new FlagMessage.ClientTakeFlag(1, 0));
        anna.pass(200);
        assertThat(changes).isEmpty();
        assertThat(violations).isEmpty();
        run(anna, near(GOOD, 15.5), near(GOOD, 11));
        assertThat(flags(anna).getLast()).isEqualTo(new FlagMessage.TakeFlag(anna.cn, 1, 1));
    }

    @Test
    @DisplayName(
            "L3 claims with wrong numbers and versions are ignored, and limited to 20 a second")
    void ignoresWrongClaims() throws Exception {
        serveOwnMap(MatchRules.of(MatchMode.CTF));
        ScriptedPlayer eve = join("eve");
        report(eve, near(GOOD, 14));
        eve.pass(200);
        for (int number : new int[] {-1, 2, 7, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            eve.say(new FlagMessage.ClientTakeFlag(number, 0));
        }
        for (int version : new int[] {-1, 1, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            eve.say(new FlagMessage.ClientTakeFlag(1, version));
        }
        eve.pass(200);
        assertThat(counters.get("sauerbraten.flag.refused.version")).isEqualTo(9);
        assertThat(violations).isEmpty();
        for (int i = 0; i < 30; i++) {
            eve.say(new FlagMessage.ClientTakeFlag(7, i));
        }
        eve.pass(200);
        assertThat(violations).contains(ViolationRule.FLAG_CLAIMS);
        assertThat(counters.get("sauerbraten.flag.refused.rate")).isGreaterThan(5);
        assertThat(changes).isEmpty();
    }

    @Test
    @DisplayName(
            "L4 flags that a client reports are compared with the map's, and never played with")
    void doesNotBelieveFlagsOfClients() throws Exception {
        serveOwnMap(MatchRules.of(MatchMode.CTF));
        ScriptedPlayer eve = join("eve");
        report(eve, ASIDE);
        eve.pass(200);
        eve.say(
                new FlagMessage.ClientInitFlags(
                        List.of(
                                new FlagMessage.Placed(77, Point.of(ASIDE)),
                                new FlagMessage.Placed(1, Point.of(ASIDE)))));
        eve.say(new FlagMessage.ClientTakeFlag(1, 0));
        eve.pass(1500);
        assertThat(eve.heard(ChatMessage.ServMsg.class))
                .extracting(ChatMessage.ServMsg::text)
                .contains("eve has modified map \"boxarena\"");
        assertThat(changes).isEmpty();
        assertThat(flags(eve)).containsExactly(homes(0));
        assertThat(arena.match().flags().all().get(Team.BLUE.ordinal()).home())
                .isEqualTo(SauerbratenMotion.CENTERED.toCanonical(GOOD));
        // N_INITFLAGS with 65 flags.
        eve.raw(1, Bytes.wrap(new byte[] {86, FlagMessage.MAX_FLAGS + 1}), true);
        assertThat(eve.farewell()).isEqualTo(DisconnectReason.END_OF_PACKET.code());
    }

    @Test
    void playsWithoutFlagsOnMapThatOnlyClientsHave() throws Exception {
        arena.setMatchRules(MatchRules.of(MatchMode.CTF));
        cycle.add(arena::advance);
        endpoint =
                SauerbratenEndpoint.open(
                        EndpointContext.builder(cycle, EnetNode.address("10.0.0.1:28785"), arena)
                                .map("reissen")
                                .random(new Random(9))
                                .build());
        ScriptedPlayer eve = join("eve");
        assertThat(flags(eve)).containsExactly(new FlagMessage.InitFlags(0, 0, List.of()));
        report(eve, ASIDE);
        eve.say(
                new FlagMessage.ClientInitFlags(
                        List.of(
                                new FlagMessage.Placed(2, Point.of(GOOD)),
                                new FlagMessage.Placed(1, Point.of(ASIDE)))));
        eve.say(new FlagMessage.ClientTakeFlag(1, 0), new FlagMessage.TryDropFlag());
        eve.pass(1500);
        assertThat(arena.match().flags().all()).isEmpty();
        assertThat(flags(eve)).hasSize(1);
        assertThat(eve.isGone()).isFalse();
    }

    @Test
    @DisplayName("L5 dropping and taking again: not for 2 s, and not after three times running")
    void refusesJuggling() throws Exception {
        serveOwnMap(MatchRules.of(MatchMode.CTF));
        ScriptedPlayer eve = join("eve");
        report(eve, near(GOOD, 30));
        eve.pass(100);
        run(eve, near(GOOD, 30), near(GOOD, 4));
        for (int i = 0; i < 5; i++) {
            eve.say(new FlagMessage.TryDropFlag());
            eve.pass(1500);
            int newest = flags(eve).size();
            eve.say(new FlagMessage.ClientTakeFlag(1, 2 * i + 2));
            eve.pass(300);
            assertThat(flags(eve)).hasSize(newest);
            eve.pass(1000);
        }
        assertThat(changes)
                .extracting(ArenaEvent.FlagChanged::change)
                .containsExactly(
                        FlagChange.TAKEN,
                        FlagChange.DROPPED,
                        FlagChange.TAKEN,
                        FlagChange.DROPPED,
                        FlagChange.TAKEN,
                        FlagChange.DROPPED);
    }

    @Test
    void showsCarriersOfOtherGames() throws Exception {
        serveOwnMap(MatchRules.of(MatchMode.CTF));
        ScriptedPlayer anna = join("anna");
        ArenaPlayer quaker = stranger("quaker", ASIDE);
        execute(() -> quaker.move(network.now(), at(near(GOOD, 4)), NativeMovement.Stored.NONE));
        anna.pass(200);
        int cn =
                anna.heard(RosterMessage.InitClient.class).stream()
                        .filter(it -> it.name().contains("quaker"))
                        .map(RosterMessage.InitClient::cn)
                        .findFirst()
                        .orElseThrow();
        assertThat(quaker.combatant().team()).contains(Team.BLUE);
        assertThat(changes).isEmpty();
        execute(() -> quaker.move(network.now(), at(near(EVIL, 4)), NativeMovement.Stored.NONE));
        anna.pass(200);
        assertThat(flags(anna).getLast()).isEqualTo(new FlagMessage.TakeFlag(cn, 0, 1));
        execute(() -> quaker.leave(network.now(), LeaveReason.LEFT));
        anna.pass(200);
        assertThat(heardOf(anna, FlagMessage.class, RosterMessage.CDis.class))
                .endsWith(
                        new FlagMessage.DropFlag(cn, 0, 2, Point.of(near(EVIL, 4))),
                        new RosterMessage.CDis(cn));
        assertThat(changes.getLast().cause()).isEqualTo(FlagCause.LEAVE);
    }

    /** A client has 128 numbers: the carrier farthest away has none, and is shown as its flag. */
    @Test
    void showsFlagOfCarrierWithoutNumber() throws Exception {
        serveOwnMap(MatchRules.of(MatchMode.CTF));
        ScriptedPlayer anna = join("anna");
        Vec3 far = new Vec3(900, 640, 512);
        report(anna, far);
        anna.pass(200);
        List<ArenaPlayer> crowd = new ArrayList<>();
        for (int i = 0; i < 140; i++) {
            boolean isAside = i >= 138;
            Vec3 place = isAside ? near(EVIL, 200) : far.plus(new Vec3(-i % 7, i / 7.0, 0));
            ArenaPlayer player = arena.join(network.now(), "quake2", "extra" + i, new NoOpViewer());
            cycle.execute(() -> begin(player, place));
            crowd.add(player);
        }
        anna.pass(500);
        ArenaPlayer carrier =
                crowd.subList(138, 140).stream()
                        .filter(it -> it.combatant().team().equals(Optional.of(Team.BLUE)))
                        .findFirst()
                        .orElseThrow();
        execute(() -> carrier.move(network.now(), at(near(EVIL, 4)), NativeMovement.Stored.NONE));
        anna.pass(200);
        assertThat(changes).hasSize(1);
        FlagMessage.InitFlags shown = (FlagMessage.InitFlags) flags(anna).getLast();
        assertThat(shown.flags().getFirst())
                .isEqualTo(FlagMessage.Status.dropped(1, Point.of(near(EVIL, 4))));
        execute(() -> carrier.move(network.now(), at(near(EVIL, 40)), NativeMovement.Stored.NONE));
        anna.pass(1200);
        shown = (FlagMessage.InitFlags) flags(anna).getLast();
        assertThat(shown.flags().getFirst())
                .isEqualTo(FlagMessage.Status.dropped(1, Point.of(near(EVIL, 40))));
        assertThat(anna.heard(ChatMessage.ServMsg.class))
                .extracting(ChatMessage.ServMsg::text)
                .anyMatch(it -> it.contains("not shown in your game"));
        // The others leave, so that there is a number for it.
        execute(() ->
                crowd.stream()
                        .filter(it -> !it.equals(carrier))
                        .limit(40)
                        .forEach(it -> it.leave(network.now(), LeaveReason.LEFT)));
        anna.pass(1500);
        shown = (FlagMessage.InitFlags) flags(anna).getLast();
        assertThat(shown.flags().getFirst().owner()).isNotNegative();
    }

    private ArenaPlayer stranger(String name, Vec3 units) {
        ArenaPlayer player = arena.join(network.now(), "quake2", name, new NoOpViewer());
        execute(() -> begin(player, units));
        return player;
    }

    private void begin(ArenaPlayer player, Vec3 units) {
        player.combatant().beginLife(network.now(), new Vitals(100, 0, 0), ArmourRule.EXACT);
        player.spawn(network.now(), at(units));
    }

    private void execute(Runnable task) {
        cycle.execute(task);
        network.run(50 * EnetNode.MILLI);
    }

    private static Movement at(Vec3 units) {
        return Movement.at(SauerbratenMotion.CENTERED.toCanonical(units), 0);
    }

    @Test
    void refusesModesOfTheGameThatDoNotFitTheMatch() {
        assertThatThrownBy(() -> serve(MatchRules.of(MatchMode.CTF), Map.of("mode", "2")))
                .hasMessage("option mode must be one of 1, 11, 17 with --match ctf, is 2");
        assertThatThrownBy(() -> serve(MatchRules.of(MatchMode.CTF_INSTA), Map.of("mode", "3")))
                .hasMessage("option mode must be one of 1, 12 with --match ctf-insta, is 3");
        assertThatThrownBy(() -> serve(MatchRules.of(MatchMode.CTF_EFFIC), Map.of("mode", "11")))
                .hasMessage("option mode must be one of 1, 17 with --match ctf-effic, is 11");
        assertThatThrownBy(() -> serve(MatchRules.of(MatchMode.TEAM), Map.of("mode", "11")))
                .hasMessageContaining("is 11");
        assertThatThrownBy(() -> serve(MatchRules.of(MatchMode.CTF), Map.of("mode", "13")))
                .hasMessageStartingWith("option mode must be 0 to 8, 11, 12 or 17, is '13'; ")
                .hasMessageContaining("only one game has their rules");
    }
}

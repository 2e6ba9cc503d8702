package dev.wishdir.sauerbraten.server;

import static dev.wishdir.enet.EnetNode.MILLI;
import static dev.wishdir.enet.EnetNode.SECOND;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import static java.util.Objects.requireNonNull;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.DamageMeans;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.arena.event.Score;
import dev.wishdir.arena.event.Team;
import dev.wishdir.arena.match.Match;
import dev.wishdir.arena.match.MatchRules;
import dev.wishdir.enet.EnetNode;
import dev.wishdir.game.BotController.PlayerInput;
import dev.wishdir.game.ClientConfig;
import dev.wishdir.game.ClientListener;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.loop.Counters;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.net.simulation.SimulatedNetwork.Conditions;
import dev.wishdir.sauerbraten.client.SauerbratenClient;
import dev.wishdir.sauerbraten.message.ChatMessage;
import dev.wishdir.sauerbraten.message.EditMessage;
import dev.wishdir.sauerbraten.message.LifeMessage;
import dev.wishdir.sauerbraten.message.RosterMessage;
import dev.wishdir.sauerbraten.message.State;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Headless clients of this game fight on a server, in virtual time. */
@Tag("slow")
class SauerbratenFightTest {
    /** A client that shoots at the nearest other player whenever its gun is ready. */
    private static final class Hunter implements ClientListener {
        final SauerbratenClient client;
        private final Random random;
        private boolean fights = true;

        Hunter(SimulatedNetwork network, SauerbratenEndpoint to, String name, int seed)
                throws IOException {
            random = new Random(seed);
            client =
                    SauerbratenClient.connect(
                            ClientConfig.builder(network.cycle(), to.address())
                                    .name(name)
                                    .controller((_, self) -> steer(self.yaw()))
                                    .listener(this)
                                    .random(random)
                                    .build());
        }

        private PlayerInput steer(double yaw) {
            client.others().stream()
                    .min(
                            Comparator.comparingDouble(other ->
                                    other.movement()
                                            .position()
                                            .distance(client.movement().position())))
                    .filter(_ -> fights)
                    .ifPresent(other ->
                            client.shoot(other.movement().position().plus(new Vec3(0, 0, 0.94))));
            return PlayerInput.walk(yaw + random.nextDouble(-40, 40), yaw, 0);
        }
    }

    private final SimulatedNetwork network = new SimulatedNetwork(4);
    private final Counters counters = new Counters();
    private final Arena arena = new Arena(Level.BOX, 16);
    private final List<ArenaEvent> events = new ArrayList<>();
    private @Nullable SauerbratenEndpoint endpoint;

    private void serve(MatchRules rules, Map<String, String> options) throws IOException {
        arena.setMatchRules(rules);
        arena.addListener(event -> {
            if (!(event instanceof ArenaEvent.Moved)) {
                events.add(event);
            }
        });
        DutyCycle cycle = network.cycle();
        cycle.add(arena::advance);
        endpoint =
                SauerbratenEndpoint.open(
                        EndpointContext.builder(cycle, EnetNode.address("10.0.0.1:28785"), arena)
                                .counters(counters)
                                .options(options)
                                .random(new Random(9))
                                .build());
    }

    private static MatchRules rounds(int seconds, int intermission) {
        return MatchRules.of(MatchMode.FFA)
                .withTimes(
                        Duration.ofSeconds(seconds),
                        Duration.ZERO,
                        Duration.ofSeconds(intermission));
    }

    private <E> List<E> events(Class<E> type) {
        return events.stream().filter(type::isInstance).map(type::cast).toList();
    }

    private Hunter hunter(String name, int seed) throws IOException {
        return new Hunter(network, requireNonNull(endpoint), name, seed);
    }

    @Test
    void honestHitsCountDespiteTheNetwork() throws Exception {
        serve(rounds(600, 10), Map.of("mode", "5"));
        network.conditions(new Conditions(0.05, 0, 150 * MILLI, 20 * MILLI));
        hunter("anna", 1);
        hunter("bob", 2);
        network.run(120 * SECOND);
        int hits = events(ArenaEvent.Hit.class).size();
        long refused = counters.get("sauerbraten.shot.refused");
        assertThat(hits).isGreaterThan(50);
        assertThat(refused)
                .as("of %s hits, with 300 ms round trip and 5 %% loss", hits)
                .isLessThan(hits / 10);
    }

    @Test
    void roundsBeginAndEndOnEachScreen() throws Exception {
        serve(rounds(30, 5), Map.of());
        Hunter anna = hunter("anna", 1);
        Hunter bob = hunter("bob", 2);
        network.run(29 * SECOND);
        assertThat(arena.match().phase()).isEqualTo(Match.Phase.PLAYING);
        network.run(3 * SECOND);
        assertThat(arena.match().phase()).isEqualTo(Match.Phase.INTERMISSION);
        int hits = events(ArenaEvent.Hit.class).size();
        assertThat(hits).isPositive();
        Vec3 place = anna.client.movement().position();
        network.run(2 * SECOND);
        assertThat(events(ArenaEvent.Hit.class)).hasSize(hits);
        assertThat(anna.client.movement().position()).as("nobody moves").isEqualTo(place);
        network.run(6 * SECOND);
        assertThat(events(ArenaEvent.RoundStarted.class)).hasSize(2);
        assertThat(events(ArenaEvent.RoundEnded.class)).hasSize(1);
        network.run(10 * SECOND);
        assertThat(events(ArenaEvent.Hit.class)).hasSizeGreaterThan(hits);
        assertThat(anna.client.health()).isPresent();
        assertThat(bob.client.frags().values())
                .as("scores are of this round")
                .allSatisfy(frags -> assertThat(frags).isBetween(-9, 9));
    }

    @Test
    @DisplayName("J13 a client that edits in coop edit dies, and is put out of the edit mode")
    void killsEditors() throws Exception {
        serve(rounds(600, 10), Map.of());
        ScriptedPlayer eve =
                new ScriptedPlayer(network, 9, requireNonNull(endpoint).address()).join("eve");
        eve.move(8192);
        eve.pass(200);
        eve.say(new EditMessage.EditMode(true));
        eve.pass(200);
        assertThat(eve.heard(LifeMessage.ForceDeath.class)).hasSize(1);
        assertThat(events(ArenaEvent.Died.class)).hasSize(1);
        assertThat(arena.match().standings().getFirst().score()).isEqualTo(new Score(-1, 1));
        assertThat(eve.isGone()).isFalse();
    }

    private static String teams(Hunter hunter, Hunter... all) {
        return Stream.of(all)
                .map(each -> hunter.client.teams().get(each.client.id()))
                .collect(Collectors.joining(" "));
    }

    /** Teamplay of the game, and coop edit, in which clients show no teams. */
    @ParameterizedTest
    @ValueSource(strings = {"2", "1"})
    void teammatesDoNotHurtEachOther(String mode) throws Exception {
        serve(MatchRules.of(MatchMode.TEAM), Map.of("mode", mode));
        Hunter anna = hunter("anna", 1);
        Hunter bob = hunter("bob", 2);
        Hunter eve = hunter("eve", 3);
        network.run(120 * SECOND);
        for (Hunter each : List.of(anna, bob, eve)) {
            each.fights = false;
        }
        network.run(5 * SECOND);
        assertThat(counters.get("sauerbraten.shot.no-effect"))
                .as("mates were shot at")
                .isPositive();
        List<ArenaEvent.Hit> hits = events(ArenaEvent.Hit.class);
        assertThat(hits).hasSizeGreaterThan(10);
        Match match = arena.match();
        assertThat(hits)
                .allSatisfy(hit ->
                        assertThat(match.team(hit.attacker().id()))
                                .isNotEqualTo(match.team(hit.id())));
        Map<String, Integer> frags =
                Map.of("red", match.frags(Team.RED), "blue", match.frags(Team.BLUE));
        assertThat(frags.values()).anyMatch(it -> it > 0);
        for (Hunter each : List.of(anna, bob, eve)) {
            assertThat(teams(each, anna, bob, eve)).isEqualTo("red blue red");
            assertThat(frags).containsAllEntriesOf(each.client.teamFrags());
            assertThat(each.client.teamFrags()).isNotEmpty();
        }
        Hunter dan = hunter("dan", 4);
        // It would score, too.
        dan.fights = false;
        network.run(5 * SECOND);
        assertThat(teams(dan, anna, dan)).as("one that comes later").isEqualTo("red blue");
        if (mode.equals("2")) {
            assertThat(dan.client.teamFrags()).isEqualTo(frags);
        }
    }

    @Test
    @DisplayName("J22 a client that changes its team spawns again, without a death or a score")
    void changesTeams() throws Exception {
        serve(MatchRules.of(MatchMode.TEAM), Map.of("mode", "2"));
        ScriptedPlayer anna =
                new ScriptedPlayer(network, 8, requireNonNull(endpoint).address()).join("anna");
        ScriptedPlayer eve =
                new ScriptedPlayer(network, 9, requireNonNull(endpoint).address()).join("eve");
        anna.move(8192);
        eve.move(8192);
        eve.pass(200);
        assertThat(texts(eve)).contains("You are in the blue team.");
        eve.say(new RosterMessage.SwitchTeam("red"));
        eve.pass(200);
        assertThat(texts(eve)).contains("That team has enough players: the teams would be uneven.");
        anna.peer.disconnect(0);
        anna.pass(200);
        int lives = eve.heard(LifeMessage.SpawnState.class).size();
        for (int i = 0; i < 3; i++) {
            eve.say(new RosterMessage.SwitchTeam("red"));
            eve.pass(200);
        }
        assertThat(eve.heard(RosterMessage.SetTeam.class).getLast())
                .isEqualTo(new RosterMessage.SetTeam(eve.cn, "red", 0));
        assertThat(texts(eve))
                .contains("You are in the red team.", "You are in this team already.");
        assertThat(eve.heard(LifeMessage.SpawnState.class)).hasSize(lives + 1);
        assertThat(events(ArenaEvent.Died.class)).isEmpty();
        assertThat(events(ArenaEvent.Scored.class)).isEmpty();
        eve.say(new RosterMessage.SwitchTeam("good"));
        eve.pass(200);
        assertThat(texts(eve)).contains("The teams are red and blue.");
    }

    private static List<String> texts(ScriptedPlayer player) {
        return player.heard(ChatMessage.ServMsg.class).stream()
                .map(ChatMessage.ServMsg::text)
                .toList();
    }

    /** Arenas are played in coop edit, and yet all spawn as in instagib: as in combat-insta. */
    @Test
    void eachShotKillsInInstagib() throws Exception {
        serve(MatchRules.of(MatchMode.INSTA), Map.of());
        ScriptedPlayer eve =
                new ScriptedPlayer(network, 9, requireNonNull(endpoint).address()).join("eve");
        assertThat(eve.heard(LifeMessage.SpawnState.class).getLast().state())
                .isEqualTo(new State(0, 1, 100, 0, 0, 4, List.of(0, 0, 0, 100, 0, 0)));
        hunter("anna", 1);
        hunter("bob", 2);
        network.run(60 * SECOND);
        List<ArenaEvent.Hit> hits = events(ArenaEvent.Hit.class);
        assertThat(hits).hasSizeGreaterThan(5);
        assertThat(events(ArenaEvent.Died.class)).hasSameSizeAs(hits);
        assertThat(hits).allSatisfy(hit -> assertThat(hit.means()).isEqualTo(DamageMeans.RIFLE));
    }

    @Test
    void refusesModesOfTheGameThatDoNotFitTheMatch() {
        assertThatThrownBy(() -> serve(MatchRules.of(MatchMode.INSTA), Map.of("mode", "5")))
                .hasMessage("option mode must be one of 1, 3 with --match insta, is 5");
    }

    @Test
    void withoutAMatchShotsHurtNobody() throws Exception {
        serve(MatchRules.NONE, Map.of());
        Hunter anna = hunter("anna", 1);
        hunter("bob", 2);
        network.run(30 * SECOND);
        assertThat(events(ArenaEvent.ActionPerformed.class)).isNotEmpty();
        assertThat(events(ArenaEvent.OfFight.class)).isEmpty();
        assertThat(anna.client.health()).hasValue(100);
    }
}

package dev.wishdir.sauerbraten.server;

import static dev.wishdir.enet.EnetNode.MILLI;
import static dev.wishdir.enet.EnetNode.SECOND;

import static org.assertj.core.api.Assertions.assertThat;

import static java.util.Objects.requireNonNull;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.FlagCause;
import dev.wishdir.arena.event.FlagChange;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.Team;
import dev.wishdir.arena.flag.Flag;
import dev.wishdir.arena.match.MatchRules;
import dev.wishdir.blocks.arena.ArenaCatalog;
import dev.wishdir.blocks.arena.ArenaText;
import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.enet.EnetNode;
import dev.wishdir.game.BotController.PlayerInput;
import dev.wishdir.game.Client;
import dev.wishdir.game.ClientConfig;
import dev.wishdir.game.ClientListener;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.game.RemoteFlag;
import dev.wishdir.game.level.SharedArena;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.loop.Counters;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.net.simulation.SimulatedNetwork.Conditions;
import dev.wishdir.sauerbraten.client.SauerbratenClient;
import dev.wishdir.sauerbraten.combat.FlagMark;
import dev.wishdir.sauerbraten.inspect.SauerbratenCaptures;
import dev.wishdir.sauerbraten.map.Ogz;
import dev.wishdir.sauerbraten.map.OgzCompiler;
import dev.wishdir.sauerbraten.message.ChatMessage;
import dev.wishdir.sauerbraten.message.EditMessage;
import dev.wishdir.sauerbraten.message.FlagMessage;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/** Headless clients of this game capture flags, in virtual time and on a bad network. */
@Tag("slow")
class SauerbratenFlagGameTest {
    /** A client that runs to the other team's flag, and with it to its own. */
    private static final class Runner implements ClientListener {
        final SauerbratenClient client;
        final List<String> heard = new ArrayList<>();
        private boolean runs = true;

        Runner(
                SimulatedNetwork network,
                SauerbratenEndpoint to,
                String name,
                Map<String, String> options)
                throws IOException {
            client =
                    SauerbratenClient.connect(
                            ClientConfig.builder(network.cycle(), to.address())
                                    .name(name)
                                    .controller((_, self) -> steer(self))
                                    .listener(this)
                                    .options(options)
                                    .random(new Random(name.hashCode()))
                                    .build());
        }

        private Optional<RemoteFlag> flag(boolean own) {
            String team = client.teams().getOrDefault(client.id(), "");
            return client.flags().stream()
                    .filter(flag -> flag.team().equals(team) == own)
                    .findFirst();
        }

        boolean carries() {
            return flag(false).filter(it -> it.carrier() == client.id()).isPresent();
        }

        private PlayerInput steer(Movement self) {
            Optional<Vec3> goal =
                    carries()
                            ? flag(true).flatMap(RemoteFlag::home)
                            : flag(false).flatMap(RemoteFlag::place);
            if (!runs || goal.isEmpty()) {
                return PlayerInput.look(self.yaw(), 0);
            }
            Vec3 way = goal.get().minus(self.position());
            double yaw = Math.toDegrees(Math.atan2(way.y(), way.x()));
            return way.horizontal() < 0.3
                    ? PlayerInput.look(self.yaw(), 0)
                    : PlayerInput.walk(yaw, yaw, 0);
        }

        @Override
        public void onChat(Client self, String name, String text) {
            heard.add(name + ": " + text);
        }
    }

    private final SimulatedNetwork network = new SimulatedNetwork(4);
    private final DutyCycle cycle = network.cycle();
    private final Counters counters = new Counters();
    private final List<ArenaEvent.FlagChanged> changes = new ArrayList<>();
    private final List<String> violations = new ArrayList<>();
    private Arena arena = new Arena(Level.BOX, 16);
    private @Nullable SauerbratenEndpoint endpoint;

    @TempDir private @Nullable Path directory;

    private EndpointContext.Builder serve(MatchRules rules) {
        arena.setMatchRules(rules);
        arena.addListener(event -> {
            switch (event) {
                case ArenaEvent.FlagChanged changed -> changes.add(changed);
                case ArenaEvent.MovementViolation violation ->
                        violations.add(violation.player().name() + " " + violation.rule());
                default -> {}
            }
        });
        cycle.add(now -> arena.advance(now));
        return EndpointContext.builder(cycle, EnetNode.address("10.0.0.1:28785"), arena)
                .counters(counters)
                .random(new Random(9));
    }

    private Runner runner(String name, Map<String, String> options) throws IOException {
        return new Runner(network, requireNonNull(endpoint), name, options);
    }

    private long captures(String name) {
        return changes.stream()
                .filter(it -> it.change() == FlagChange.CAPTURED)
                .flatMap(it -> it.player().stream())
                .filter(player -> player.name().equals(name))
                .count();
    }

    private static String state(Runner of) {
        return of.client.flags().stream()
                .map(it -> it.team() + " " + it.state())
                .sorted()
                .toList()
                .toString();
    }

    @Test
    void clientsCaptureFlagsOfOwnMapDespiteNetwork() throws Exception {
        Path file = requireNonNull(directory).resolve("boxarena.ogz");
        Files.write(file, SauerbratenCaptures.FILES.file("boxarena.ogz").toArray());
        Map<String, String> options = Map.of("map-file", file.toString());
        endpoint =
                SauerbratenEndpoint.open(
                        serve(
                                        MatchRules.of(MatchMode.CTF)
                                                .withScoreLimit(4)
                                                .withTimes(
                                                        Duration.ofMinutes(10),
                                                        Duration.ZERO,
                                                        Duration.ofSeconds(5)))
                                .options(Map.of("map-file", file.toString(), "mode", "17"))
                                .build());
        network.conditions(new Conditions(0.03, 0, 40 * MILLI, 60 * MILLI));
        Runner anna = runner("anna", options);
        network.run(5 * SECOND);
        Runner bob = runner("bob", options);
        Runner watcher = runner("watcher", Map.of());
        bob.runs = false;
        watcher.runs = false;
        network.run(60 * SECOND);
        assertThat(captures("anna")).as("rounds end by captures").isGreaterThan(4);
        bob.runs = true;
        network.run(60 * SECOND);
        assertThat(captures("bob")).isPositive();
        assertThat(violations).isEmpty();
        assertThat(counters.get("sauerbraten.flag.refused.version"))
                .as("the server sees touches before clients ask")
                .isLessThan(changes.size() + 10L);
        anna.runs = false;
        bob.runs = false;
        network.run(30 * SECOND);
        Runner late = runner("late", options);
        late.runs = false;
        network.run(3 * SECOND);
        for (Runner each : List.of(anna, bob, late)) {
            assertThat(state(each)).isEqualTo(state(arena.match().flags().all()));
            for (RemoteFlag flag : each.client.flags()) {
                Flag there = flag(flag.team().equals("evil") ? Team.RED : Team.BLUE);
                Vec3 place = arena.match().flags().place(there);
                assertThat(flag.place().orElseThrow().distance(place)).isLessThan(1);
            }
        }
    }

    private Flag flag(Team team) {
        return arena.match().flags().all().get(team.ordinal());
    }

    private static String state(List<Flag> flags) {
        return flags.stream()
                .map(it ->
                        (it.team() == Team.RED ? "evil " : "good ")
                                + (it.isHome()
                                        ? "HOME"
                                        : it.carrier().isPresent() ? "CARRIED" : "DROPPED"))
                .sorted()
                .toList()
                .toString();
    }

    private static BlockArena hall() throws Exception {
        String floor = "#".repeat(60) + "\n";
        String air = ".".repeat(60) + "\n";
        return ArenaText.read(
                "wishdir-arena 3\nname t\nsize 60 12 10\nground 1\nblock # stone\n"
                        + "spawn -26 3 0 0\nspawn -26 -3 0 0\nspawn 26 3 0 180\n"
                        + "spawn 26 -3 0 180\nflag red -20 0 0\nflag blue 20 0 0\n"
                        + "layer 0\n"
                        + floor.repeat(12)
                        + "layers 1-9\n"
                        + air.repeat(12));
    }

    private void serveHall() throws Exception {
        BlockArena blocks = hall();
        arena = new Arena(Level.of(blocks), 16);
        endpoint =
                SauerbratenEndpoint.open(
                        serve(MatchRules.of(MatchMode.CTF).withScoreLimit(0))
                                .blocks(blocks)
                                .build());
    }

    @Test
    void clientsCaptureFlagsOfArenaByItsMarks() throws Exception {
        serveHall();
        network.conditions(new Conditions(0.03, 0, 40 * MILLI, 60 * MILLI));
        Runner anna = runner("anna", Map.of());
        network.run(3 * SECOND);
        Runner bob = runner("bob", Map.of());
        bob.runs = false;
        Map<String, Vec3> starts = new HashMap<>();
        arena.addListener(event -> {
            if (event instanceof ArenaEvent.Spawned(_, Player player, Movement movement)) {
                starts.put(player.name(), movement.position());
            }
        });
        network.run(40 * SECOND);
        arena.players()
                .forEach(player -> {
                    if (player.name().equals("anna")) {
                        arena.player(player.id()).orElseThrow().combatant().die(network.now());
                    }
                });
        network.run(6 * SECOND);
        assertThat(requireNonNull(starts.get("anna")).x())
                .as("red, which has the half to the west")
                .isNegative();
        assertThat(requireNonNull(starts.get("bob")).x()).isPositive();
        assertThat(captures("anna")).isGreaterThan(1);
        assertThat(anna.heard).contains(": You captured the blue flag: red 1, blue 0.");
        assertThat(bob.heard)
                .contains(": anna took the blue flag.")
                .contains(": anna captured the blue flag: red 1, blue 0.")
                .anyMatch(it -> it.startsWith(": Flags: red at home, blue "));
        network.runUntil(anna::carries, 20 * SECOND);
        anna.runs = false;
        network.run(SECOND);
        assertThat(state(bob)).isEqualTo("[blue CARRIED, red HOME]");
        anna.client.dropFlag();
        network.run(SECOND);
        assertThat(state(bob)).isEqualTo("[blue DROPPED, red HOME]");
        assertThat(bob.heard)
                .doesNotContain("anna: !drop")
                .contains(": anna dropped the blue flag.");
        assertThat(changes.getLast().cause()).isEqualTo(FlagCause.KEY);
        anna.client.close();
        network.run(30 * SECOND);
        assertThat(state(bob)).isEqualTo("[blue HOME, red HOME]");
        assertThat(violations).isEmpty();
    }

    private static List<Vec3> homes(Runner of) {
        return of.client.flags().stream()
                .sorted(Comparator.comparing(RemoteFlag::team).reversed())
                .map(flag -> flag.home().orElseThrow())
                .toList();
    }

    private void assertShowsHomes(Runner to) {
        List<Vec3> shown = homes(to);
        List<Flag> flags = arena.match().flags().all();
        assertThat(shown).hasSameSizeAs(flags);
        for (int i = 0; i < flags.size(); i++) {
            assertThat(shown.get(i).distance(flags.get(i).home())).isLessThan(0.1);
        }
    }

    @Test
    void movesMarksToNextArena() throws Exception {
        BlockArena first = ArenaCatalog.shipped("hall");
        arena = new Arena(Level.of(first), 16);
        SharedArena shared =
                new SharedArena(cycle, arena, first, List.of(ArenaCatalog.shipped("hills")));
        endpoint =
                SauerbratenEndpoint.open(
                        serve(MatchRules.of(MatchMode.CTF)).sharedArena(shared).build());
        Runner anna = runner("anna", Map.of());
        anna.runs = false;
        network.run(4 * SECOND);
        assertShowsHomes(anna);
        List<Vec3> before = homes(anna);
        cycle.execute(() -> shared.change(network.now(), "hills"));
        network.run(15 * SECOND);
        assertShowsHomes(anna);
        assertThat(homes(anna)).isNotEqualTo(before);
    }

    @Test
    void drawsMarksOfArena() throws Exception {
        serveHall();
        Runner anna = runner("anna", Map.of());
        anna.runs = false;
        network.run(2 * SECOND);
        int crc = Ogz.read(OgzCompiler.build(hall()).file()).crc();
        ScriptedPlayer eve =
                new ScriptedPlayer(network, 9, requireNonNull(endpoint).address())
                        .join("eve")
                        .load(crc);
        eve.pass(600);
        assertThat(marks(eve)).containsOnlyKeys(1300, 1301, 1302, 1303);
        assertThat(marks(eve).get(1300))
                .satisfies(mark -> {
                    assertThat(List.of(mark.type(), mark.a1(), mark.a2(), mark.a3()))
                            .containsExactly(5, 3, 1, 0xF00);
                    assertThat(FlagMark.isBall(mark)).isTrue();
                });
        assertThat(mark(eve, 1301).type()).isZero();
        assertThat(eve.heard(FlagMessage.class)).as("clients in coop edit know none").isEmpty();
        anna.runs = true;
        network.runUntil(anna::carries, 20 * SECOND);
        eve.pass(300);
        EditMessage.EditEnt carried = mark(eve, 1302);
        assertThat(List.of(carried.a1(), carried.a2(), carried.a3(), carried.a4()))
                .containsExactly(6, 100, 0x00F, 0x00F);
        long before = edits(eve);
        eve.pass(1000);
        assertThat(edits(eve) - before).as("moves of a second").isBetween(8L, 11L);
        anna.client.close();
        eve.pass(1000);
        assertThat(marks(eve).get(1302)).matches(FlagMark::isBall);
        int percent = mark(eve, 1303).a2();
        assertThat(percent).isBetween(90, 100);
        eve.pass(10_000);
        assertThat(mark(eve, 1303).a2()).isBetween(40, 55);
        eve.pass(12_000);
        assertThat(mark(eve, 1303).type()).isZero();
        int texts = eve.heard(ChatMessage.ServMsg.class).size();
        eve.pass(35_000);
        assertThat(eve.heard(ChatMessage.ServMsg.class).size() - texts).isBetween(1, 2);
    }

    private static long edits(ScriptedPlayer player) {
        return player.edits.stream().filter(it -> it.ent() == 1302).count();
    }

    /** The newest of each. */
    private static EditMessage.EditEnt mark(ScriptedPlayer player, int number) {
        return requireNonNull(marks(player).get(number));
    }

    private static Map<Integer, EditMessage.EditEnt> marks(ScriptedPlayer player) {
        Map<Integer, EditMessage.EditEnt> marks = new HashMap<>();
        player.edits.stream().filter(it -> it.ent() >= 1300).forEach(it -> marks.put(it.ent(), it));
        return marks;
    }
}

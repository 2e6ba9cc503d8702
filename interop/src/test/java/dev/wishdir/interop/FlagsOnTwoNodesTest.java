package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.app.bot.ArenaPaths;
import dev.wishdir.app.bot.BotFight;
import dev.wishdir.app.bot.FightingBot;
import dev.wishdir.app.command.Games;
import dev.wishdir.app.serve.DamageFactors;
import dev.wishdir.app.serve.SimulatedServer;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.FlagChange;
import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.event.Team;
import dev.wishdir.arena.flag.Flag;
import dev.wishdir.arena.match.MatchRules;
import dev.wishdir.blocks.arena.ArenaCatalog;
import dev.wishdir.blocks.arena.ArenaText;
import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.blocks.reach.BodyReachability;
import dev.wishdir.cluster.Node;
import dev.wishdir.cluster.bus.MemoryBroker;
import dev.wishdir.cluster.message.NodeBan;
import dev.wishdir.cluster.message.NodeEvent;
import dev.wishdir.cluster.message.NodeListener;
import dev.wishdir.cluster.publish.NodeSettings;
import dev.wishdir.game.BotController.PlayerInput;
import dev.wishdir.game.Client;
import dev.wishdir.game.Game;
import dev.wishdir.game.RemoteFlag;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.limit.AddressRange;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.wire.TestEffort;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;

/**
 * Bots of four games on two nodes, 80 ms from each other, play capture the flag; then the node is
 * killed that decides about the flags, and those of the other one play on.
 */
@Tag("slow")
class FlagsOnTwoNodesTest {
    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000 * MILLI;
    private static final long STEP = 5 * MILLI;
    private static final int BOTS_OF_NODE = 8;
    private static final int TAKES = TestEffort.times(3);
    private static final int MAX_SECONDS = 300 * TAKES;

    private final MemoryBroker broker = new MemoryBroker(5);

    /** A level 40 m long, with nothing between the flags. */
    private static final String STRIP =
            "wishdir-arena 3\nname strip\nsize 40 12 10\nground 1\nblock # stone\n"
                    + "spawn -14 0 0 0\nspawn 14 0 0 180\nflag red -10 0 0\nflag blue 10 0 0\n"
                    + "layer 0\n"
                    + ("#".repeat(40) + "\n").repeat(12)
                    + "layers 1-9\n"
                    + (".".repeat(40) + "\n").repeat(12);

    private BlockArena level = ArenaCatalog.shipped("hall");
    private final BodyReachability paths = ArenaPaths.of(level);
    private final MatchRules rules =
            MatchRules.of(MatchMode.CTF)
                    .withTimes(Duration.ZERO, Duration.ZERO, MatchRules.DEFAULT_INTERMISSION)
                    .withScoreLimit(0)
                    .withDamageFactors(DamageFactors.of(Games.ALL));
    private final List<TestNode> nodes = new ArrayList<>();

    private final class TestNode implements NodeListener {
        final SimulatedNetwork network;
        final Random random;
        final FourGames server;
        final MemoryBroker.MemoryBus bus = broker.connect();
        final Node node;
        final List<FightingBot> bots = new ArrayList<>();

        /** Changes of flags, by what they are and the name of their player. */
        final Map<String, Integer> changes = new TreeMap<>();

        TestNode(int seed) throws IOException {
            network = new SimulatedNetwork(seed);
            random = new Random(seed);
            server =
                    new FourGames(
                            network,
                            random,
                            BOTS_OF_NODE + 8,
                            "",
                            List.of(AddressRange.parse("127.0.0.1")),
                            rules,
                            level);
            node =
                    new Node(
                            server.arena(),
                            bus,
                            new NodeSettings("arena", "host" + seed, "1"),
                            level.name(),
                            this,
                            new Random(seed));
            server.arena()
                    .addListener(event -> {
                        if (event instanceof ArenaEvent.FlagChanged e) {
                            String by = e.player().map(Player::name).orElse("");
                            changes.merge(e.flag() + " " + e.change() + " " + by, 1, Integer::sum);
                        }
                    });
        }

        void join(String name, int number) throws IOException {
            Game game = FourGames.ALL.get(number / 2 % FourGames.ALL.size());
            bots.add(
                    new FightingBot(
                            network.cycle(),
                            server.address(game.name()),
                            game,
                            name + number,
                            BotFight.DEFAULT_SKILL,
                            random,
                            () -> Optional.of(paths)));
        }

        void step() {
            network.run(STEP);
            node.advance(network.now());
        }

        Optional<PlayerId> carrier(Team team) {
            return flag(team)
                    .carrier()
                    .map(by -> by.node() == 0 ? new PlayerId(node.number(), by.number()) : by);
        }

        Flag flag(Team team) {
            return server.arena().match().flags().all().get(team.ordinal());
        }

        int captures() {
            return count(FlagChange.CAPTURED);
        }

        int count(FlagChange change) {
            return changes.entrySet().stream()
                    .filter(it -> it.getKey().contains(" " + change + " "))
                    .mapToInt(Map.Entry::getValue)
                    .sum();
        }

        @Override
        public boolean onLevelWanted(long now, String name) {
            return false;
        }

        @Override
        public void onBan(long now, NodeBan ban) {}

        @Override
        public void onEvent(NodeEvent event) {}
    }

    private void run(long nanos) {
        for (long passed = 0; passed < nanos; passed += STEP) {
            broker.advance(STEP);
            nodes.forEach(TestNode::step);
            for (Team team : Team.values()) {
                Map<Integer, Optional<PlayerId>> carriers = new HashMap<>();
                for (TestNode each : nodes) {
                    Optional<PlayerId> carrier = each.carrier(team);
                    assertThat(carriers.getOrDefault(each.flag(team).version(), carrier))
                            .isEqualTo(carrier);
                    carriers.put(each.flag(team).version(), carrier);
                }
            }
        }
    }

    private void assertAgreed() {
        TestNode first = nodes.getFirst();
        for (TestNode each : nodes) {
            assertThat(each.node.faults()).isEmpty();
            assertThat(each.server.laws().broken()).isEmpty();
            assertThat(each.changes).isEqualTo(first.changes);
            for (Team team : Team.values()) {
                assertThat(each.flag(team).version()).isEqualTo(first.flag(team).version());
                assertThat(each.carrier(team)).isEqualTo(first.carrier(team));
                assertThat(each.server.arena().match().frags(team))
                        .isEqualTo(first.server.arena().match().frags(team));
            }
        }
    }

    @Test
    void playsOnWhenNodeThatDecidesIsKilled() throws IOException {
        broker.conditions(new MemoryBroker.Conditions(0, 0, 80 * MILLI, 5 * MILLI));
        TestNode deciding = new TestNode(5);
        nodes.add(deciding);
        deciding.join("near", 0);
        run(2 * SECOND);
        TestNode other = new TestNode(6);
        nodes.add(other);
        other.join("far", 0);
        run(SECOND);
        // By turns, so that both nodes have players of both teams.
        for (int i = 1; i < BOTS_OF_NODE; i++) {
            (i % 2 == 0 ? deciding : other).join("first", i);
            run(SECOND / 2);
            (i % 2 == 0 ? other : deciding).join("second", i);
            run(SECOND / 2);
        }
        playUntilTaken(other);
        // Until no flag has changed for a moment.
        for (int i = 0; i < 100 && !deciding.changes.equals(other.changes); i++) {
            run(100 * MILLI);
        }
        assertAgreed();
        System.out.println(other.changes);
        nodes.remove(deciding);
        deciding.bus.close();
        playUntilTaken(other);
        System.out.println(other.changes);
        assertThat(
                        other.server.arena().match().frags(Team.RED)
                                + other.server.arena().match().frags(Team.BLUE))
                .isLessThanOrEqualTo(other.captures());
        deciding.server.close();
        other.server.close();
    }

    /** Plays until flags have been taken some times more. */
    private void playUntilTaken(TestNode seen) {
        int enough = seen.count(FlagChange.TAKEN) + TAKES;
        for (int i = 0; i < MAX_SECONDS && seen.count(FlagChange.TAKEN) < enough; i++) {
            run(SECOND);
        }
        assertThat(seen.count(FlagChange.TAKEN)).isGreaterThanOrEqualTo(enough);
    }

    /** Runs with the other team's flag to its own one. */
    private static PlayerInput steer(Client client, Movement self) {
        String team = client.teams().getOrDefault(client.id(), "");
        Optional<RemoteFlag> own = flag(client, it -> it.team().equals(team));
        Optional<RemoteFlag> other = flag(client, it -> !it.team().equals(team));
        boolean carries = other.filter(it -> it.carrier() == client.id()).isPresent();
        Optional<Vec3> goal =
                carries ? own.flatMap(RemoteFlag::home) : other.flatMap(RemoteFlag::place);
        return goal.map(at -> at.minus(self.position()))
                .map(way -> Math.toDegrees(Math.atan2(way.y(), way.x())))
                .map(yaw -> PlayerInput.walk(yaw, yaw, 0))
                .orElseGet(() -> PlayerInput.look(self.yaw(), 0));
    }

    private static Optional<RemoteFlag> flag(Client client, Predicate<RemoteFlag> which) {
        return client.flags().stream().filter(which).findFirst();
    }

    @Test
    void showsCapturesToClientsOfBothNodes() throws IOException {
        level = ArenaText.read(STRIP);
        TestNode deciding = new TestNode(5);
        nodes.add(deciding);
        AtomicReference<@Nullable Client> runner = new AtomicReference<>();
        TestClient anna =
                deciding.server.guest(
                        SimulatedServer.game("quake3"),
                        "anna",
                        (_, self) ->
                                Optional.ofNullable(runner.get())
                                        .map(client -> steer(client, self))
                                        .orElseGet(() -> PlayerInput.look(0, 0)));
        run(2 * SECOND);
        TestNode other = new TestNode(6);
        nodes.add(other);
        List<TestClient> guests = new ArrayList<>();
        for (TestNode each : nodes) {
            for (Game game : FourGames.ALL) {
                guests.add(each.server.guest(game, game.name(), (_, _) -> PlayerInput.look(0, 0)));
                run(SECOND);
            }
        }
        String team = anna.client.teams().get(anna.client.id());
        runner.set(anna.client);
        for (int i = 0; i < 100 && other.captures() == 0; i++) {
            run(SECOND / 2);
        }
        runner.set(null);
        // Sauerbraten's clients are told the score of a team with a death.
        deciding.server.execute(() ->
                deciding.server.arena().players().stream()
                        .filter(player -> player.name().equals("anna"))
                        .findFirst()
                        .flatMap(player -> deciding.server.arena().player(player.id()))
                        .ifPresent(player -> player.combatant().die(deciding.server.now())));
        run(3 * SECOND);
        assertThat(other.captures()).isPositive();
        assertThat(guests)
                .allSatisfy(guest ->
                        assertThat(guest.client.teamFrags())
                                .as(guest.game.name())
                                .containsEntry(team, other.captures()));
        deciding.server.close();
        other.server.close();
    }
}

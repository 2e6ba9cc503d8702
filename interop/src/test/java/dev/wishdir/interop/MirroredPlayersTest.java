package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import static java.util.Objects.requireNonNull;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.ArenaListener;
import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.NativeMovement;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerAction;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.game.BotController.PlayerInput;
import dev.wishdir.game.Client;
import dev.wishdir.game.Game;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.net.simulation.SimulatedNetwork.Conditions;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;

/**
 * Two servers mirror each other's players: clients of all four games see those of the other server
 * as they see their own.
 */
@Tag("slow")
class MirroredPlayersTest {
    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000 * MILLI;

    /** What one server collects for the other. */
    private static final long INTERVAL = 10 * MILLI;

    /** By which a position of the own game is rounded, metres. */
    private static final Map<String, Double> QUANTUM =
            Map.of(
                    "sauerbraten", 1.0 / 128,
                    "quake2", 1.0 / 256,
                    "quake3", 1.0 / 32,
                    "bedrock", 1.0 / 1024);

    /** Tolerance of other games, metres on each axis. */
    private static final double OTHERS = 0.02;

    /** How long ago the newest movement that a client has may have been made. */
    private static final long MAX_AGE = 300 * MILLI;

    private record Made(long time, Movement movement) {}

    /** A server, and the players of the other one in its arena. */
    private static final class Node implements ArenaListener {
        final int number;
        final SimulatedNetwork network;
        final FourGames server;
        final List<TestClient> clients = new ArrayList<>();
        final Map<PlayerId, ArenaPlayer> mirrored = new HashMap<>();
        final Map<String, List<Made>> made = new HashMap<>();

        /** What has happened to its own players, for the other server. */
        final Queue<ArenaEvent.OfPlayer> events = new ArrayDeque<>();

        Node(int number, int seed) throws IOException {
            this.number = number;
            network = new SimulatedNetwork(seed);
            network.conditions(new Conditions(0, 0, 5 * MILLI, 0));
            server = new FourGames(network, new Random(seed), FourGames.ALL.size());
            server.arena().addListener(this);
        }

        @Override
        public void onEvent(ArenaEvent event) {
            if (event instanceof ArenaEvent.OfPlayer of
                    && !of.id().isMirrored()
                    && !(event instanceof ArenaEvent.ToPlayer)) {
                events.add(of);
                if (event instanceof ArenaEvent.Moved moved) {
                    made.computeIfAbsent(moved.player().name(), _ -> new ArrayList<>())
                            .add(new Made(moved.time(), moved.movement()));
                }
            }
        }

        /** The id of one of its players in the arena of the other. */
        private PlayerId id(Player own) {
            return new PlayerId(number, own.id().number());
        }

        private void add(long now, Node from, Player player) {
            PlayerId id = from.id(player);
            ArenaPlayer added = server.arena().mirror(now, id, player.game(), player.name());
            mirrored.put(id, added);
            settleName(now, added);
            if (player.spawned()) {
                added.spawn(now, player.movement());
                move(now, added, player);
            }
        }

        /** Takes the other's players as they are now, as after a gap. */
        void takeRoster(Node from) {
            from.events.clear();
            from.server.arena().players().stream()
                    .filter(player -> !player.id().isMirrored())
                    .forEach(player -> add(network.now(), from, player));
        }

        void removeAll() {
            mirrored.values()
                    .forEach(player -> player.leave(network.now(), LeaveReason.SERVER_LOST));
            mirrored.clear();
        }

        /**
         * Of two equal names the one of the lower node stays, the other's own server changes it.
         */
        private void settleName(long now, ArenaPlayer other) {
            for (ArenaPlayer namesake : other.namesakes()) {
                if (!namesake.id().isMirrored() && other.id().node() < number) {
                    namesake.forceRename(now, namesake.name());
                }
            }
        }

        private static void move(long now, ArenaPlayer mirrored, Player player) {
            NativeMovement form = player.nativeMovement();
            mirrored.move(
                    now, player.movement(), new NativeMovement.Stored(form.form(), form.bytes()));
        }

        void takeEvents(Node from) {
            long now = network.now();
            while (!from.events.isEmpty()) {
                ArenaEvent.OfPlayer event = from.events.remove();
                Player player = event.player();
                if (event instanceof ArenaEvent.Joined) {
                    add(now, from, player);
                    continue;
                }
                ArenaPlayer other = mirrored.get(from.id(player));
                if (other == null) {
                    continue;
                }
                switch (event) {
                    case ArenaEvent.Left e -> {
                        other.leave(now, e.reason());
                        mirrored.remove(other.id());
                    }
                    case ArenaEvent.Spawned e -> other.spawn(now, e.movement());
                    case ArenaEvent.Despawned _ -> other.despawn(now);
                    case ArenaEvent.Moved _ -> move(now, other, player);
                    case ArenaEvent.Teleported e -> other.teleport(now, e.movement());
                    case ArenaEvent.ActionPerformed e -> other.performAction(now, e.action());
                    case ArenaEvent.Chat e -> other.say(now, e.text());
                    case ArenaEvent.Renamed e -> {
                        other.rename(now, e.name());
                        settleName(now, other);
                    }
                    case ArenaEvent.AppearanceChanged _ -> other.reportAppearanceChange(now);
                    case ArenaEvent.Joined _,
                            ArenaEvent.MovementViolation _,
                            ArenaEvent.Proved _,
                            ArenaEvent.OfFight _,
                            ArenaEvent.ItemTaken _,
                            ArenaEvent.ToPlayer _ -> {}
                }
            }
        }

        List<String> names() {
            return server.arena().players().stream().map(Player::name).sorted().toList();
        }

        Arena arena() {
            return server.arena();
        }
    }

    private final Node near;
    private final Node far;

    MirroredPlayersTest() throws IOException {
        near = new Node(7, 3);
        far = new Node(PlayerId.MAX_NODE, 4);
    }

    /** Four walk at one server; four stand at the other, which is full by that. */
    @BeforeEach
    void join() throws IOException {
        for (int i = 0; i < FourGames.ALL.size(); i++) {
            double turn = 90 * i;
            Game game = FourGames.ALL.get(i);
            near.clients.add(
                    near.server.guest(
                            game,
                            "walk" + i,
                            (now, _) -> PlayerInput.walk(now / 2e7 + turn, now / 4e7, 10)));
            far.clients.add(far.server.guest(game, "still" + i, (_, _) -> PlayerInput.look(0, 0)));
        }
        near.server.await(near.clients);
        far.server.await(far.clients);
        far.takeRoster(near);
        near.takeRoster(far);
    }

    @AfterEach
    void close() {
        for (Node node : List.of(near, far)) {
            assertThat(node.server.laws().broken()).isEmpty();
            node.server.close();
        }
    }

    private void run(long nanos) {
        for (long passed = 0; passed < nanos; passed += INTERVAL) {
            near.network.run(INTERVAL);
            far.network.run(INTERVAL);
            far.takeEvents(near);
            near.takeEvents(far);
        }
    }

    /** Checks what the clients of the far server see of those who walk at the near one. */
    private int check() {
        int compared = 0;
        for (TestClient watcher : far.clients) {
            for (Client.RemotePlayer other : watcher.client.others()) {
                int mark = other.name().indexOf("walk");
                if (mark >= 0) {
                    compared++;
                    compare(watcher.game.name(), other.name().substring(mark), other.movement());
                }
            }
        }
        return compared;
    }

    private void compare(String game, String name, Movement seen) {
        String own = near.server.player(name).game();
        double least = Double.MAX_VALUE;
        for (Made each : near.made.getOrDefault(name, List.of()).reversed()) {
            Vec3 apart = each.movement.position().minus(seen.position());
            double most =
                    Math.max(
                            Math.abs(apart.x()),
                            Math.max(Math.abs(apart.y()), Math.abs(apart.z())));
            least = Math.min(least, most);
            if (each.time < near.network.now() - MAX_AGE) {
                break;
            }
        }
        assertThat(least)
                .as("%s sees %s at %s", game, name, seen.position())
                .isLessThanOrEqualTo(game.equals(own) ? QUANTUM.getOrDefault(own, 0.0) : OTHERS);
    }

    @Test
    void showsPlayersOfAnotherServer() {
        int compared = 0;
        run(SECOND);
        for (int i = 0; i < 250; i++) {
            run(4 * INTERVAL);
            compared += check();
        }
        // Four walkers, seen by four clients, every 40 ms.
        assertThat(compared).isEqualTo(250 * 16);
        for (TestClient walker : near.clients) {
            assertThat(walker.client.others()).hasSize(7);
        }
        near.clients.getFirst().client.say("hello");
        far.clients.getLast().client.say("welcome");
        near.clients.getFirst().client.act(PlayerAction.TAUNT);
        run(SECOND);
        for (TestClient watcher : far.clients) {
            assertThat(watcher.heard).containsEntry("hello", 1);
        }
        for (TestClient walker : near.clients) {
            assertThat(walker.heard).containsEntry("welcome", 1);
        }
        assertThat(far.arena().playerCount()).isEqualTo(8);
        assertThat(far.arena().maxPlayerCount()).isEqualTo(8);
        assertThat(far.arena().isFull()).isTrue();
        assertThat(far.names()).isEqualTo(near.names());
    }

    @Test
    void showsNativeBytesOfItsOwnGame() {
        run(2 * SECOND);
        for (Player walker : near.arena().players()) {
            if (!walker.id().isMirrored()) {
                ArenaPlayer there = requireNonNull(far.mirrored.get(near.id(walker)));
                NativeMovement form = walker.nativeMovement();
                assertThat(there.snapshot().nativeMovement())
                        .isEqualTo(new NativeMovement.Stored(form.form(), form.bytes()));
                assertThat(form.form()).startsWith(walker.game() + "/");
                assertThat(there.snapshot().movement()).isEqualTo(walker.movement());
            }
        }
    }

    @Test
    void losesAndFindsPlayersOfAnotherServer() {
        run(SECOND);
        assertThat(check()).isEqualTo(16);
        far.removeAll();
        far.network.run(SECOND);
        for (TestClient watcher : far.clients) {
            assertThat(watcher.client.others()).as("%s", watcher).hasSize(3);
            assertThat(watcher.vanished).as("%s", watcher).isEqualTo(4);
        }
        near.network.run(SECOND);
        far.takeRoster(near);
        run(SECOND);
        assertThat(check()).as("the same ids again").isEqualTo(16);
    }

    @Test
    void settlesNamesAlikeAtBothServers() throws IOException {
        near.clients.getFirst().client.close();
        far.clients.getFirst().client.close();
        run(SECOND);
        TestClient anna = near.server.guest(FourGames.ALL.get(2), "anna");
        TestClient other = far.server.guest(FourGames.ALL.get(1), "Anna");
        for (int i = 0; i < 500 && !(anna.in() && other.in()); i++) {
            run(INTERVAL);
        }
        run(SECOND);
        assertThat(far.names()).isEqualTo(near.names()).contains("anna", "Anna(2)");
        for (Node node : List.of(near, far)) {
            for (Player player : node.arena().players()) {
                assertThat(node.arena().player(player.id()).orElseThrow().namesakes()).isEmpty();
            }
        }
    }
}

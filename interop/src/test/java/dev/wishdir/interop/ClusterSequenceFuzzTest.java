package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import static java.util.Objects.requireNonNull;

import com.google.protobuf.InvalidProtocolBufferException;

import dev.wishdir.app.cluster.ServerNode;
import dev.wishdir.app.cluster.SimulatedNode;
import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.combat.ArmourRule;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.DamageMeans;
import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.arena.event.NativeMovement;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.event.Vitals;
import dev.wishdir.arena.item.Item;
import dev.wishdir.arena.match.Match;
import dev.wishdir.arena.match.MatchRules;
import dev.wishdir.arena.match.RoundState;
import dev.wishdir.arena.race.Race;
import dev.wishdir.arena.race.RaceTimes;
import dev.wishdir.blocks.arena.ArenaCatalog;
import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.blocks.arena.ItemKind;
import dev.wishdir.blocks.arena.PlacedItem;
import dev.wishdir.blocks.arena.RaceCourse;
import dev.wishdir.blocks.grid.BlockGrid;
import dev.wishdir.blocks.grid.Material;
import dev.wishdir.cluster.bus.BusEvent;
import dev.wishdir.cluster.bus.MemoryBroker;
import dev.wishdir.cluster.publish.NodeSettings;
import dev.wishdir.cluster.v1.Batch;
import dev.wishdir.cluster.v1.PlayedLevel;
import dev.wishdir.game.MisbehavingClient;
import dev.wishdir.game.NoOpViewer;
import dev.wishdir.game.operator.OperatorConsole;
import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.loop.Duty;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.net.simulation.SimulatedNetwork.Conditions;
import dev.wishdir.wire.TestEffort;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Four servers of all four games are one arena. On each, clients do at random what they may and
 * what they nearly may, over a bad network; the bus between the servers loses, delays and splits,
 * operators change the map, one server is killed, one comes late, and any may stand still. Then all
 * clients of all servers agree on who is here and play the same map, and all servers on where they
 * are, their scores, their items and the round of their match. By every third seed it is a race,
 * without items, but with times in the round and best times.
 */
@Tag("slow")
class ClusterSequenceFuzzTest {
    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000 * MILLI;
    private static final int SERVERS = 4;
    private static final int CLIENTS_PER_SERVER = 6;
    private static final int CAPACITY = 64 + CLIENTS_PER_SERVER;
    private static final int STEPS = TestEffort.times(2_700);

    /** Every such seed is a race. */
    private static final int RACE_SEEDS = 3;

    /** How many others the client of a game shows; any number of another game. */
    private static final Map<String, Integer> MAX_OTHERS =
            Map.of("sauerbraten", 127, "quake2", 255, "quake3", 63);

    /** How long a server makes the maps of another arena. */
    private static final long MAX_PREPARE_NANOS = SECOND / 2;

    /** Rounds that end and begin many times in a run. */
    private static MatchRules rules(MatchMode mode) {
        return MatchRules.of(mode)
                .withTimes(Duration.ofSeconds(12), Duration.ofSeconds(1), Duration.ofSeconds(2));
    }

    /** Players that spawn in the east of the ring of spawn points walk to its middle. */
    private static final RaceCourse COURSE =
            new RaceCourse(part(11.4, 32), List.of(), part(-32, 11));

    private static Bounds part(double west, double east) {
        return new Bounds(new Vec3(west, -32, 0), new Vec3(east, 32, 8));
    }

    private static final int ITEM_ROWS = 9;
    private static final int ITEM_STEP_METRES = 4;

    /**
     * Items that players meet wherever they walk, and that return within a run. Every second is of
     * use to nearly all.
     */
    private static final List<PlacedItem> ITEMS =
            IntStream.range(0, ITEM_ROWS * ITEM_ROWS)
                    .mapToObj(i ->
                            new PlacedItem(
                                    i % 2 == 0
                                            ? ItemKind.ARMOUR_SHARD
                                            : ItemKind.values()[i / 2 % ItemKind.values().length],
                                    new Vec3(
                                            fromMiddle(i % ITEM_ROWS),
                                            fromMiddle(i / ITEM_ROWS),
                                            0),
                                    Duration.ofSeconds(5),
                                    ""))
                    .toList();

    private static double fromMiddle(int row) {
        return (row - (ITEM_ROWS - 1) / 2.0) * ITEM_STEP_METRES;
    }

    private static final int COURT_METRES = 24;
    private static final int COURT_LAYERS = 9;

    /** What operators choose from, and what is played in turn. */
    private static final List<BlockArena> ARENAS =
            Stream.of(court("stone", Material.STONE), court("brick", Material.BRICK))
                    .map(it -> it.withItems(ITEMS).withCourse(Optional.of(COURSE)))
                    .toList();

    /** An even room, smaller than the shipped ones, so that its maps are made at once. */
    private static BlockArena court(String name, Material material) {
        BlockGrid.Builder blocks =
                new BlockGrid.Builder(2 * COURT_METRES, 2 * COURT_METRES, COURT_LAYERS, 1);
        for (int x = -COURT_METRES; x < COURT_METRES; x++) {
            for (int y = -COURT_METRES; y < COURT_METRES; y++) {
                boolean isWall =
                        Math.max(Math.max(x, -1 - x), Math.max(y, -1 - y)) == COURT_METRES - 1;
                for (int z = -1; z < (isWall ? COURT_LAYERS - 1 : 0); z++) {
                    blocks.set(x, y, z, material, false);
                }
            }
        }
        return new BlockArena(
                name, name, BlockArena.Sun.USUAL, blocks.build(), ArenaCatalog.FLAT.spawns());
    }

    private static final String RUNNER = "runner";
    private static final Duration MAX_APART = Duration.ofMillis(300);

    /** How far a player runs while its movement is under way to another server. */
    private static final double MAX_METRES_APART = 1;

    /** How often a node takes what came, as the bus in memory wakes no thread. */
    private static final long TURN_NANOS = 5 * MILLI;

    @TestFactory
    Stream<DynamicTest> sequences() {
        return TestEffort.given(LongStream.of(2, 3))
                .mapToObj(seed ->
                        DynamicTest.dynamicTest(
                                "seed " + seed + ", " + STEPS + " steps",
                                () -> new Run(seed).run()));
    }

    /** A server, whose operator changes the map for all. */
    private static final class Server {
        final SimulatedNetwork network;
        final FourGames games;
        final MemoryBroker.MemoryBus bus;
        final int number;
        final ServerNode node;
        final List<String> offered = new ArrayList<>();
        final List<MisbehavingClient> clients = new ArrayList<>();
        private boolean dead;

        /** Hits between a player of this server and one of another. */
        int foreignHits;

        /** Items that players of other servers took. */
        int foreignItems;

        Server(MemoryBroker broker, Random random, MatchMode mode) throws IOException {
            network = new SimulatedNetwork(random.nextLong());
            games = new FourGames(network, random, CAPACITY, ARENAS.toArray(new BlockArena[0]));
            network.offloading(random.nextLong(MAX_PREPARE_NANOS));
            games.arena().setMatchRules(rules(mode));
            // Each server shows the best run on it.
            games.arena().match().race().setGhost(false);
            games.arena()
                    .addListener(event -> {
                        if (event instanceof ArenaEvent.Hit hit
                                && hit.player().id().isMirrored()
                                        != hit.attacker().id().isMirrored()) {
                            foreignHits++;
                        } else if (event instanceof ArenaEvent.ItemTaken taken
                                && taken.player().id().isMirrored()) {
                            foreignItems++;
                        }
                    });
            bus = broker.connect(random.nextLong(1_000) * SECOND);
            number = random.nextInt(PlayerId.MIN_OTHER_NODE, PlayerId.MAX_NODE + 1);
            node =
                    SimulatedNode.join(
                            games,
                            bus,
                            new NodeSettings(
                                    "fuzz", number, NodeSettings.DEFAULT_INTERVAL_NANOS, "", ""),
                            random);
            games.add(now -> dead ? Duty.NEVER : Math.min(node.advance(now), now + TURN_NANOS));
        }

        /** The process is killed: it says nothing any more. */
        void kill() {
            dead = true;
            bus.close();
        }

        /** The identity of a player in the cluster. */
        PlayerId id(Player player) {
            return player.id().isMirrored()
                    ? player.id()
                    : new PlayerId(number, player.id().number());
        }

        BlockArena blocks() {
            return games.sharedArena().blocks();
        }

        /** What its clients are to show: who is here, as many as they can, of their choice. */
        Map<String, List<String>> shown() {
            Map<String, List<String>> views = SequenceFuzzTest.views(clients);
            Map<String, List<String>> truth = SequenceFuzzTest.truth(games);
            truth.replaceAll((name, all) ->
                    shown(
                            all,
                            views.getOrDefault(name, List.of()),
                            MAX_OTHERS.getOrDefault(games.player(name).game(), Integer.MAX_VALUE)));
            return truth;
        }

        private static List<String> shown(List<String> all, List<String> view, int most) {
            List<String> others = new ArrayList<>(view);
            Map<Boolean, List<String>> chosen =
                    all.stream().collect(Collectors.partitioningBy(others::remove));
            return Stream.of(true, false)
                    .flatMap(isShown -> requireNonNull(chosen.get(isShown)).stream())
                    .limit(most)
                    .sorted()
                    .toList();
        }

        /** Clients that show another map than the one of the server. */
        List<MisbehavingClient> elsewhere() {
            return clients.stream()
                    .filter(client -> client.isIn() && !client.plays(blocks()))
                    .toList();
        }

        /** Names of all players that it shows, by identity in the cluster. */
        Map<PlayerId, String> players() {
            return games.arena().players().stream()
                    .collect(Collectors.toMap(this::id, Player::name));
        }

        /** Where all players with bodies are, by identity in the cluster. */
        Map<PlayerId, Vec3> places() {
            return games.arena().players().stream()
                    .filter(Player::spawned)
                    .collect(Collectors.toMap(this::id, player -> player.movement().position()));
        }

        /** The times in the round of a race, by identity in the cluster. */
        Map<PlayerId, Integer> roundTimes() {
            return race().roundTimes().stream()
                    .collect(Collectors.toMap(time -> id(time.player()), Race.RoundTime::millis));
        }

        Set<RaceTimes.Time> bestTimes() {
            return Set.copyOf(race().bestTimes(Integer.MAX_VALUE));
        }

        private Race race() {
            return games.arena().match().race();
        }

        RoundState round() {
            return games.arena().match().shared().round(games.now()).orElseThrow();
        }

        /** Which items are there, in the level that all games share. */
        List<Boolean> items() {
            return games.arena().match().items().of("quake3").stream()
                    .map(Item::isPresent)
                    .toList();
        }
    }

    /** What the batches of each node say that it plays. */
    private static final class Levels {
        private final MemoryBroker.MemoryBus bus;
        private final Map<Integer, PlayedLevel> byNode = new HashMap<>();

        Levels(MemoryBroker broker) {
            bus = broker.connect();
            bus.subscribe("wishdir.fuzz.move.*");
        }

        /** The newest of each of the servers, each once. */
        Set<PlayedLevel> of(List<Server> servers) {
            for (BusEvent event = bus.poll(); event != null; event = bus.poll()) {
                if (event instanceof BusEvent.Received message) {
                    try {
                        Batch batch = Batch.parseFrom(message.data());
                        byNode.put(batch.getHeader().getNode(), batch.getLevel());
                    } catch (InvalidProtocolBufferException e) {
                        throw new AssertionError(e);
                    }
                }
            }
            return servers.stream()
                    .map(server ->
                            byNode.getOrDefault(server.number, PlayedLevel.getDefaultInstance()))
                    .collect(Collectors.toSet());
        }
    }

    /** One run from its seed. */
    private static final class Run {
        private final Random random;
        private final MemoryBroker broker;
        private final MatchMode mode;
        private final List<Server> servers = new ArrayList<>();
        private int made;

        Run(long seed) throws IOException {
            random = new Random(seed);
            broker = new MemoryBroker(seed);
            mode = seed % RACE_SEEDS == 0 ? MatchMode.RACE : MatchMode.FFA;
            for (int i = 0; i < SERVERS; i++) {
                start();
            }
        }

        private void start() throws IOException {
            Server server = new Server(broker, random, mode);
            servers.add(server);
            for (int i = 0; i < CLIENTS_PER_SERVER; i++) {
                server.offered.add(FourGames.GAMES.get(i % FourGames.GAMES.size()));
                server.clients.add(join(server, server.offered.get(i)));
            }
        }

        private MisbehavingClient join(Server server, String game) throws IOException {
            return requireNonNull(SequenceFuzzTest.MAKERS.get(game))
                    .join(server.network.cycle(), server.games.address(game), "r" + made++, random);
        }

        void run() throws Exception {
            try (LoggedErrors errors = new LoggedErrors()) {
                for (int step = 0; step < STEPS; step++) {
                    act(servers.get(random.nextInt(servers.size())));
                    if (random.nextInt(100) == 0) {
                        disturb(servers.get(random.nextInt(servers.size())));
                    }
                    advance(random.nextLong(4 * MILLI));
                    assertThat(errors.lines()).as("step %d", step).isEmpty();
                    if (step == STEPS / 3) {
                        servers.remove(random.nextInt(SERVERS)).kill();
                    } else if (step == STEPS / 2) {
                        start();
                    }
                }
                settle();
                if (mode == MatchMode.RACE) {
                    assertThat(isRaced()).isTrue();
                } else {
                    assertThat(servers).anyMatch(server -> server.foreignHits > 0);
                    assertThat(servers).anyMatch(server -> server.foreignItems > 0);
                }
                assertThat(errors.lines()).isEmpty();
                for (Server server : servers) {
                    assertThat(server.games.laws().broken()).isEmpty();
                }
            }
        }

        /** A player of the server hits any player that it sees, as if its client had aimed well. */
        private void hit(Server server) {
            Arena arena = server.games.arena();
            List<Player> players = arena.players();
            if (players.isEmpty()) {
                return;
            }
            Player victim = players.get(random.nextInt(players.size()));
            Player by = players.get(random.nextInt(players.size()));
            arena.player(by.id())
                    .filter(it -> !it.id().isMirrored())
                    .ifPresent(it ->
                            it.combatant()
                                    .hit(
                                            server.games.now(),
                                            victim.id(),
                                            DamageMeans.ROCKET,
                                            60,
                                            Vec3.ZERO,
                                            victim.movement().position()));
        }

        private void act(Server server) throws IOException {
            if (random.nextInt(5) == 0) {
                server.games.execute(() -> hit(server));
            }
            int index = random.nextInt(CLIENTS_PER_SERVER);
            if (!server.clients.get(index).isOver()) {
                server.clients.get(index).act();
            } else if (random.nextInt(50) == 0) {
                server.clients.set(index, join(server, server.offered.get(index)));
            }
        }

        /** The operator of a server changes the map, or starts the same again. */
        private void changeMap(Server server) {
            OperatorConsole console = server.games.operations();
            console.execute(
                    server.games.now(),
                    console.author("console"),
                    "map " + ARENAS.get(random.nextInt(ARENAS.size())).name());
        }

        /** An operator's command for the match. */
        private void command(Server server) {
            Match match = server.games.arena().match();
            long now = server.games.now();
            switch (random.nextInt(3)) {
                case 0 -> match.begin(now);
                case 1 -> match.skipRound(now);
                default -> match.setPaused(now, !match.isPaused());
            }
        }

        private void disturb(Server server) {
            switch (random.nextInt(11)) {
                case 10 -> server.games.execute(() -> changeMap(server));
                case 9 -> server.games.execute(() -> command(server));
                case 0 ->
                        server.network.conditions(
                                SequenceFuzzTest.WEATHER.get(
                                        random.nextInt(SequenceFuzzTest.WEATHER.size())));
                case 1 -> server.bus.moveTo(1);
                case 2 -> servers.forEach(each -> each.bus.moveTo(0));
                case 3 -> server.bus.disconnect();
                case 4, 5 -> servers.forEach(each -> each.bus.reconnect());
                case 6 -> server.games.stall(random.nextLong(3 * SECOND));
                case 7 ->
                        broker.conditions(
                                new MemoryBroker.Conditions(
                                        random.nextInt(20) / 100.0,
                                        random.nextInt(20) / 100.0,
                                        random.nextInt(50) * MILLI,
                                        (1 + random.nextInt(50)) * MILLI));
                default -> broker.conditions(MemoryBroker.Conditions.PERFECT);
            }
        }

        private void advance(long nanos) {
            broker.advance(nanos);
            servers.forEach(server -> server.network.run(nanos));
        }

        private void settle() {
            broker.conditions(MemoryBroker.Conditions.PERFECT);
            Levels levels = new Levels(broker);
            for (Server server : servers) {
                server.network.conditions(Conditions.PERFECT);
                server.bus.moveTo(0);
                server.bus.reconnect();
                server.clients.forEach(MisbehavingClient::behave);
            }
            for (long passed = 0; passed < 150 * SECOND && !isOver(levels); passed += SECOND) {
                if (mode == MatchMode.RACE && !isRaced()) {
                    race(servers.getLast());
                }
                for (long nanos = 0; nanos < SECOND; nanos += TURN_NANOS) {
                    advance(TURN_NANOS);
                }
            }
            assertThat(levels.of(servers))
                    .singleElement()
                    .satisfies(level -> {
                        assertThat(level.getName()).isEqualTo(servers.getFirst().blocks().name());
                        assertThat(level.getCount()).isPositive();
                    });
            Map<PlayerId, String> players = servers.getFirst().players();
            Set<String> names = new TreeSet<>();
            for (Server server : servers) {
                assertThat(server.players()).isEqualTo(players);
                assertThat(server.items())
                        .hasSize(mode == MatchMode.RACE ? 0 : ITEMS.size())
                        .isEqualTo(servers.getFirst().items());
                assertThat(areNear(server.places(), servers.getFirst().places())).isTrue();
                assertThat(server.roundTimes()).isEqualTo(servers.getFirst().roundTimes());
                assertThat(server.bestTimes()).isEqualTo(servers.getFirst().bestTimes());
                assertThat(server.round())
                        .matches(it -> isSame(it, servers.getFirst().round()), "the same round");
                Map<String, List<String>> own = SequenceFuzzTest.views(server.clients);
                assertThat(own).isEqualTo(server.shown());
                names.addAll(own.keySet());
                assertThat(server.blocks()).isEqualTo(servers.getFirst().blocks());
                assertThat(server.elsewhere()).isEmpty();
            }
            for (Server home : servers) {
                for (Player player : home.games.arena().players()) {
                    if (!player.id().isMirrored()) {
                        PlayerId id = home.id(player);
                        assertThat(servers)
                                .filteredOn(it -> it != home)
                                .allSatisfy(it ->
                                        assertThat(it.games.arena().match().score(id))
                                                .isEqualTo(
                                                        home.games
                                                                .arena()
                                                                .match()
                                                                .score(player.id())));
                    }
                }
            }
            // No ghost, and no name twice: each player has its client.
            assertThat(players.values()).doesNotHaveDuplicates();
            assertThat(names).hasSize(players.size());
        }

        private static boolean areNear(Map<PlayerId, Vec3> a, Map<PlayerId, Vec3> b) {
            return a.keySet().equals(b.keySet())
                    && a.entrySet().stream()
                            .allMatch(it ->
                                    it.getValue().distance(requireNonNull(b.get(it.getKey())))
                                            < MAX_METRES_APART);
        }

        private static boolean isSame(RoundState a, RoundState b) {
            long apart =
                    a.left().orElse(Duration.ZERO).minus(b.left().orElse(Duration.ZERO)).toMillis();
            return a.round() == b.round()
                    && a.stage() == b.stage()
                    && a.paused() == b.paused()
                    && Math.abs(apart) < MAX_APART.toMillis();
        }

        /** A player comes, runs and leaves, as clients that walk at random hardly finish a run. */
        private void race(Server server) {
            Arena arena = server.games.arena();
            List<ArenaPlayer> runner = new ArrayList<>();
            server.games.execute(() -> {
                arena.match().setPaused(server.games.now(), false);
                runner.add(arena.join(server.games.now(), "quake3", RUNNER, new NoOpViewer()));
                runner.getFirst()
                        .combatant()
                        .beginLife(server.games.now(), new Vitals(100, 0, 0), ArmourRule.EXACT);
                runner.getFirst().spawn(server.games.now(), Movement.at(new Vec3(12, 0, 0), 0));
            });
            for (int step = 0; step < 8; step++) {
                Movement at = Movement.at(new Vec3(12 - step / 4.0, 0, 0), 0);
                // By its client's clock, as the server may stand still.
                long own = step * 2L * TURN_NANOS;
                server.games.execute(() ->
                        runner.getFirst()
                                .move(server.games.now(), at, NativeMovement.Stored.NONE, own));
                advance(2 * TURN_NANOS);
            }
            server.games.execute(
                    () -> runner.getFirst().leave(server.games.now(), LeaveReason.LEFT));
        }

        private boolean isRaced() {
            return servers.getFirst().bestTimes().stream()
                    .anyMatch(time -> time.name().equals(RUNNER));
        }

        private boolean isOver(Levels levels) {
            return (mode != MatchMode.RACE || isRaced())
                    && levels.of(servers).size() == 1
                    && agree();
        }

        private boolean agree() {
            Map<PlayerId, String> players = servers.getFirst().players();
            return servers.stream()
                    .allMatch(server ->
                            server.players().equals(players)
                                    && server.blocks().equals(servers.getFirst().blocks())
                                    && server.items().equals(servers.getFirst().items())
                                    && areNear(server.places(), servers.getFirst().places())
                                    && server.roundTimes().equals(servers.getFirst().roundTimes())
                                    && server.bestTimes().equals(servers.getFirst().bestTimes())
                                    && isSame(server.round(), servers.getFirst().round())
                                    && SequenceFuzzTest.views(server.clients).equals(server.shown())
                                    && server.elsewhere().isEmpty());
        }
    }
}

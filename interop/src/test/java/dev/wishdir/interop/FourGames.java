package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import static java.util.Objects.requireNonNull;

import dev.wishdir.app.replay.ArenaReplay;
import dev.wishdir.arena.Arena;
import dev.wishdir.arena.Level;
import dev.wishdir.arena.MatchRules;
import dev.wishdir.arena.Player;
import dev.wishdir.bedrock.BedrockGame;
import dev.wishdir.blocks.ArenaCatalog;
import dev.wishdir.blocks.BlockArena;
import dev.wishdir.game.Bans;
import dev.wishdir.game.BotController;
import dev.wishdir.game.Endpoint;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.game.Game;
import dev.wishdir.game.OperatorConsole;
import dev.wishdir.game.SharedArena;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.AddressLimits;
import dev.wishdir.net.AddressRange;
import dev.wishdir.net.Counters;
import dev.wishdir.net.DatagramHandler;
import dev.wishdir.net.Duty;
import dev.wishdir.net.DutyCycle;
import dev.wishdir.net.ForwardingCycle;
import dev.wishdir.net.LoopMeter;
import dev.wishdir.net.MemoryBudget;
import dev.wishdir.net.SimulatedNetwork;
import dev.wishdir.quake2.Quake2Game;
import dev.wishdir.quake3.Quake3Game;
import dev.wishdir.sauerbraten.SauerbratenGame;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.random.RandomGenerator;

/** A server of all four games in virtual time. */
final class FourGames implements AutoCloseable {
    static final List<Game> ALL =
            List.of(new SauerbratenGame(), new Quake2Game(), new Quake3Game(), new BedrockGame());

    static final List<String> GAMES = ALL.stream().map(Game::name).toList();

    /** The game of a name. */
    static Game game(String name) {
        return ALL.get(GAMES.indexOf(name));
    }

    /** What gives the rights of an operator. */
    static final String ADMIN = "orchid";

    private static final long SECOND = 1_000_000_000;
    private static final String HERE = "127.0.0.1";

    private final SimulatedNetwork network;
    private final RandomGenerator random;
    private final DutyCycle own;
    private final Counters counters = new Counters();
    private final MemoryBudget memoryBudget = new MemoryBudget(64 << 20, counters);
    private final ArenaLaws laws = new ArenaLaws();
    private final Arena arena;
    private final OperatorConsole console;
    private final Map<String, Endpoint> endpoints = new LinkedHashMap<>();
    private final List<String> keys = new ArrayList<>();
    private ToLongFunction<InetSocketAddress> costs = _ -> 0;
    private Duty replay = _ -> Duty.NEVER;

    /**
     * One that trusts 127.0.0.1, from where any number may join.
     *
     * @param arenas that may be played, the first at first; the flat one if there are none
     */
    FourGames(SimulatedNetwork network, RandomGenerator random, int capacity, BlockArena... arenas)
            throws IOException {
        this(network, random, capacity, "", List.of(AddressRange.parse(HERE)), arenas);
    }

    /**
     * @param capacity of the arena, and of each game
     * @param password what players must give, empty for none
     * @param trusted from where any number may join
     * @param arenas that may be played, the first at first; the flat one if there are none
     */
    FourGames(
            SimulatedNetwork network,
            RandomGenerator random,
            int capacity,
            String password,
            List<AddressRange> trusted,
            BlockArena... arenas)
            throws IOException {
        this(network, random, capacity, password, trusted, MatchRules.NONE, arenas);
    }

    /**
     * @param rules of the match that all games play
     */
    FourGames(
            SimulatedNetwork network,
            RandomGenerator random,
            int capacity,
            String password,
            List<AddressRange> trusted,
            MatchRules rules,
            BlockArena... arenas)
            throws IOException {
        this.network = network;
        this.random = random;
        List<BlockArena> played = arenas.length == 0 ? List.of(ArenaCatalog.FLAT) : List.of(arenas);
        own = network.cycle();
        AddressLimits addressLimits = AddressLimits.trusting(trusted, random.nextLong());
        LoopMeter meter =
                new LoopMeter(LoopMeter.DEFAULT_SHARE_PERCENT, addressLimits::isTrusted, counters);
        DutyCycle cycle = new CostlyCycle(meter.around(own), own);
        arena = new Arena(Level.of(played.getFirst()), capacity);
        arena.setMatchRules(rules);
        SharedArena sharedArena = new SharedArena(cycle, arena, played.getFirst(), played);
        console = new OperatorConsole(arena, sharedArena, Bans.none(), password);
        arena.addListener(laws);
        cycle.add(now -> Math.min(replay.advance(now), arena.advance(now)));
        cycle.add(memoryBudget);
        for (Game game : ALL) {
            endpoints.put(
                    game.name(),
                    game.serve(
                            EndpointContext.builder(
                                            cycle,
                                            new InetSocketAddress(
                                                    InetAddress.getLoopbackAddress(), game.port()),
                                            arena)
                                    .sharedArena(sharedArena)
                                    .operatorConsole(console)
                                    .adminPassword(ADMIN)
                                    .addressLimits(addressLimits)
                                    .memoryBudget(memoryBudget)
                                    .counters(counters)
                                    .keys(keys::add)
                                    .random(random)
                                    .build()));
        }
    }

    /** Where each datagram costs the loop's time. */
    private final class CostlyCycle extends ForwardingCycle {
        private final DutyCycle own;

        CostlyCycle(DutyCycle cycle, DutyCycle own) {
            super(cycle);
            this.own = own;
        }

        @Override
        protected void received(
                DatagramHandler handler, long now, InetSocketAddress from, byte[] data) {
            super.received(handler, now, from, data);
            long cost = costs.applyAsLong(from);
            if (cost > 0) {
                network.work(own, cost);
            }
        }
    }

    /**
     * From now on the loop takes time for each datagram, as if it asked for something.
     *
     * @param costs nanoseconds, by where a datagram comes from
     */
    void costs(ToLongFunction<InetSocketAddress> costs) {
        this.costs = costs;
    }

    /** From now on a recording is replayed in the arena. */
    void replay(ArenaReplay recording) {
        replay = recording;
        console.onReplay(recording);
        own.execute(() -> {});
    }

    /** Runs a duty on the server's thread, after all others. */
    void add(Duty duty) {
        own.add(duty);
    }

    Arena arena() {
        return arena;
    }

    OperatorConsole operations() {
        return console;
    }

    ArenaLaws laws() {
        return laws;
    }

    MemoryBudget memory() {
        return memoryBudget;
    }

    Counters counters() {
        return counters;
    }

    /** By which dissectors read the sessions that were encrypted so far, a line each. */
    List<String> keys() {
        return keys;
    }

    /** A client from 127.0.0.1 joins and will walk in circles. */
    TestClient guest(Game game, String name) throws IOException {
        return guest(game, name, TestClient.CIRCLES);
    }

    /** A client from 127.0.0.1 joins. */
    TestClient guest(Game game, String name, BotController controller) throws IOException {
        return guest(game, HERE, name, "", controller);
    }

    /**
     * A client joins.
     *
     * @param from the address that it comes from
     * @param password that it gives
     */
    TestClient guest(Game game, String from, String name, String password, BotController controller)
            throws IOException {
        return new TestClient(
                network, random, this, game, from, name, password, Map.of(), controller);
    }

    /** A client from 127.0.0.1 joins and will walk in circles. */
    TestClient guest(GamePort port, String name) throws IOException {
        return guest(port, HERE, name);
    }

    /** A client from an address joins and will walk in circles. */
    TestClient guest(GamePort port, String from, String name) throws IOException {
        return guest(port, from, name, "");
    }

    /** A client from an address joins with a password and will walk in circles. */
    TestClient guest(GamePort port, String from, String name, String password) throws IOException {
        return new TestClient(
                network,
                random,
                this,
                port.game(),
                from,
                name,
                password,
                port.options(),
                TestClient.CIRCLES);
    }

    /** A Bedrock player from 127.0.0.1 comes over NetherNet. */
    TestClient nethernetGuest(String name, BotController controller) throws IOException {
        return new TestClient(
                network,
                random,
                this,
                ALL.getLast(),
                HERE,
                name,
                "",
                Map.of("transport", "nethernet"),
                controller);
    }

    /** The server's thread stands still for a while, and goes on with all that has come. */
    void stall(long nanos) {
        network.stall(own, nanos);
    }

    /** The servers' own clock, which does not count stalls. */
    long now() {
        return own.now();
    }

    /** Does something on the servers' thread, after a stall if one is under way. */
    void execute(Runnable action) {
        own.execute(action);
    }

    /** All of them come in, within half a minute. */
    void await(List<TestClient> guests) {
        assertThat(network.runUntil(() -> guests.stream().allMatch(TestClient::in), 30 * SECOND))
                .as("%s", guests)
                .isTrue();
    }

    /** The player of a name. */
    Player player(String name) {
        return arena.players().stream()
                .filter(player -> player.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** Where the player of a name is. */
    Vec3 position(String name) {
        return player(name).movement().position();
    }

    InetSocketAddress address(String game) {
        return requireNonNull(endpoints.get(game)).address();
    }

    @Override
    public void close() {
        endpoints.values().forEach(Endpoint::close);
    }
}

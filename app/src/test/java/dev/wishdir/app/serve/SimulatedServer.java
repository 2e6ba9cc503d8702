package dev.wishdir.app.serve;

import static java.util.Objects.requireNonNull;

import dev.wishdir.app.command.Games;
import dev.wishdir.app.replay.ArenaReplay;
import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.match.MatchRules;
import dev.wishdir.blocks.arena.ArenaCatalog;
import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.game.Endpoint;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.game.Game;
import dev.wishdir.game.level.SharedArena;
import dev.wishdir.game.operator.Bans;
import dev.wishdir.game.operator.OperatorConsole;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.limit.AddressLimits;
import dev.wishdir.net.limit.AddressRange;
import dev.wishdir.net.loop.Counters;
import dev.wishdir.net.loop.DatagramHandler;
import dev.wishdir.net.loop.Duty;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.loop.ForwardingCycle;
import dev.wishdir.net.loop.LoopMeter;
import dev.wishdir.net.loop.MemoryBudget;
import dev.wishdir.net.simulation.SimulatedNetwork;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.random.RandomGenerator;

/**
 * A server of all four games in virtual time, for the tests and measurements of several modules.
 */
public class SimulatedServer implements AutoCloseable {
    /** The games that it serves. */
    public static final List<Game> ALL = Games.ALL;

    public static final List<String> GAMES = ALL.stream().map(Game::name).toList();

    /** What gives the rights of an operator. */
    public static final String ADMIN = "orchid";

    private final SimulatedNetwork network;
    private final DutyCycle own;
    private final Counters counters = new Counters();
    private final MemoryBudget memoryBudget = new MemoryBudget(64 << 20, counters);
    private final Arena arena;
    private final SharedArena sharedArena;
    private final OperatorConsole console;
    private final Map<String, Endpoint> endpoints = new LinkedHashMap<>();
    private final List<String> keys = new ArrayList<>();
    private ToLongFunction<InetSocketAddress> costs = _ -> 0;
    private Duty replay = _ -> Duty.NEVER;

    /** The game of a name. */
    public static Game game(String name) {
        return ALL.get(GAMES.indexOf(name));
    }

    /**
     * @param capacity of the arena, and of each game
     * @param password what players must give, empty for none
     * @param trusted from where any number may join
     * @param rules of the match that all games play
     * @param arenas that may be played, the first at first; the flat one if there are none
     */
    public SimulatedServer(
            SimulatedNetwork network,
            RandomGenerator random,
            int capacity,
            String password,
            List<AddressRange> trusted,
            MatchRules rules,
            BlockArena... arenas)
            throws IOException {
        this.network = network;
        List<BlockArena> played = arenas.length == 0 ? List.of(ArenaCatalog.FLAT) : List.of(arenas);
        own = network.cycle();
        AddressLimits addressLimits = AddressLimits.trusting(trusted, random.nextLong());
        LoopMeter meter =
                new LoopMeter(LoopMeter.DEFAULT_SHARE_PERCENT, addressLimits::isTrusted, counters);
        DutyCycle cycle = new CostlyCycle(meter.around(own), own);
        arena = new Arena(Level.of(played.getFirst()), capacity);
        arena.setMatchRules(rules);
        sharedArena = new SharedArena(cycle, arena, played.getFirst(), played);
        console = new OperatorConsole(arena, sharedArena, Bans.none(), password);
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
    public void costs(ToLongFunction<InetSocketAddress> costs) {
        this.costs = costs;
    }

    /** From now on a recording is replayed in the arena. */
    public void replay(ArenaReplay recording) {
        replay = recording;
        console.onReplay(recording);
        own.execute(() -> {});
    }

    /** Runs a duty on the server's thread, after all others. */
    public void add(Duty duty) {
        own.add(duty);
    }

    public Arena arena() {
        return arena;
    }

    public SharedArena sharedArena() {
        return sharedArena;
    }

    public OperatorConsole operations() {
        return console;
    }

    public MemoryBudget memory() {
        return memoryBudget;
    }

    public Counters counters() {
        return counters;
    }

    /** By which dissectors read the sessions that were encrypted so far, a line each. */
    public List<String> keys() {
        return keys;
    }

    /** The server's thread stands still for a while, and goes on with all that has come. */
    public void stall(long nanos) {
        network.stall(own, nanos);
    }

    /** The server's thread gets no time for a while, and its clock goes on. */
    public void holdUp(long nanos) {
        own.execute(() -> network.holdUp(own, nanos));
    }

    /** The servers' own clock, which does not count stalls. */
    public long now() {
        return own.now();
    }

    /** Does something on the servers' thread, after a stall if one is under way. */
    public void execute(Runnable action) {
        own.execute(action);
    }

    /** The player of a name. */
    public Player player(String name) {
        return arena.players().stream()
                .filter(player -> player.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** Where the player of a name is. */
    public Vec3 position(String name) {
        return player(name).movement().position();
    }

    public InetSocketAddress address(String game) {
        return requireNonNull(endpoints.get(game)).address();
    }

    @Override
    public void close() {
        endpoints.values().forEach(Endpoint::close);
    }
}

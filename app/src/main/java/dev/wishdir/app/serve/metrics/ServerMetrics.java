package dev.wishdir.app.serve.metrics;

import dev.wishdir.app.machine.DatagramCounters;
import dev.wishdir.app.machine.MeteredDutyCycle;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.ArenaListener;
import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.relay.ConnectionStats;
import dev.wishdir.net.loop.Counters;
import dev.wishdir.net.loop.Duty;
import dev.wishdir.net.loop.DutyCycle;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The measurements of a server. They are cheap, so that they are always taken. The arena's thread
 * writes; any thread may read.
 */
public final class ServerMetrics implements ArenaListener {
    /** The loop hangs if no cycle ends for this time; normally one ends at least every second. */
    private static final long HANG_TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(5);

    private static final long SAMPLE_INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Map<String, DatagramCounters> counters = new ConcurrentHashMap<>();
    private final Counters joins = new Counters();
    private final Counters refusals = new Counters();
    private final Counters lost = new Counters();
    private final Counters hits = new Counters();
    private final Counters deaths = new Counters();
    private final FlagMetrics flags = new FlagMetrics();
    private final DurationHistogram cycles = new DurationHistogram();
    private final DurationHistogram relayDelays = new DurationHistogram();
    private final DurationHistogram clusterAges = new DurationHistogram();
    private final LongSupplier nanos;
    private volatile List<Player> players = List.of();
    private volatile long lastCycleEnd;
    private Map<PlayerId, ConnectionStats> lastStats = Map.of();
    private long nextSample = Long.MIN_VALUE;

    /**
     * @param nanos the machine's clock, in nanoseconds
     */
    public ServerMetrics(LongSupplier nanos) {
        this.nanos = nanos;
        lastCycleEnd = nanos.getAsLong();
    }

    /** A duty cycle that counts the datagrams of a game's sockets. */
    public DutyCycle counted(String game, DutyCycle cycle) {
        return new MeteredDutyCycle(
                cycle,
                Optional.empty(),
                counters.computeIfAbsent(game, _ -> new DatagramCounters()));
    }

    /**
     * A duty that samples the players with a connection and their lost packets once a second, for
     * readers on other threads.
     */
    public Duty sampler(
            Supplier<List<Player>> connected, Supplier<Map<PlayerId, ConnectionStats>> lines) {
        return now -> {
            if (now >= nextSample) {
                nextSample = now + SAMPLE_INTERVAL_NANOS;
                players =
                        connected.get().stream()
                                .filter(player -> !player.id().isMirrored())
                                .toList();
                lost(lines.get());
            }
            return nextSample;
        };
    }

    private void lost(Map<PlayerId, ConnectionStats> now) {
        for (Player player : players) {
            ConnectionStats stats = now.getOrDefault(player.id(), ConnectionStats.UNKNOWN);
            ConnectionStats since =
                    stats.since(lastStats.getOrDefault(player.id(), ConnectionStats.UNKNOWN));
            lost.add(player.game() + " in", since.lostIn());
            lost.add(player.game() + " out", since.lostOut());
        }
        lastStats = now;
    }

    /** Records that a cycle of the loop has ended after the given time, in nanoseconds. */
    public void recordCycle(long duration) {
        cycles.record(duration);
        lastCycleEnd = nanos.getAsLong();
    }

    /** Records the time from a movement's arrival to its relay, in nanoseconds. */
    public void recordRelayDelay(long delay) {
        relayDelays.record(delay);
    }

    @Override
    public void onEvent(ArenaEvent event) {
        switch (event) {
            case ArenaEvent.Joined e when !e.id().isMirrored() -> joins.count(e.player().game());
            case ArenaEvent.JoinRefused e -> refusals.count(refused(e.game(), e.reason().code()));
            case ArenaEvent.Hit e -> hits.count(e.attacker().game());
            case ArenaEvent.Died e -> deaths.count(e.player().game());
            case ArenaEvent.FlagChanged e -> flags.onChanged(e);
            case ArenaEvent.RoundStarted _, ArenaEvent.RoundEnded _ -> flags.onRound();
            case ArenaEvent.OfPlayer _,
                    ArenaEvent.Announcement _,
                    ArenaEvent.ItemVanished _,
                    ArenaEvent.ItemReturned _,
                    ArenaEvent.LevelChanged _ -> {}
        }
    }

    private static String refused(String game, LeaveReason.Code why) {
        return game + " " + why;
    }

    Map<String, DatagramCounters> traffic() {
        return counters;
    }

    /** The players that were connected at the last sample. */
    List<Player> players() {
        return players;
    }

    /**
     * Number of lost packets of a game's players, as far as the transport knows.
     *
     * @param direction {@code in} from the players, {@code out} to them
     */
    long lost(String game, String direction) {
        return lost.get(game + " " + direction);
    }

    long joins(String game) {
        return joins.get(game);
    }

    /** Hits by players of a game that took effect. */
    long hits(String game) {
        return hits.get(game);
    }

    /** Deaths of players of a game. */
    long deaths(String game) {
        return deaths.get(game);
    }

    long refusals(String game, LeaveReason.Code why) {
        return refusals.get(refused(game, why));
    }

    /** The flags of a match that has any. */
    FlagMetrics flags() {
        return flags;
    }

    DurationHistogram cycles() {
        return cycles;
    }

    DurationHistogram relayDelays() {
        return relayDelays;
    }

    /** Delays of the batches of other nodes over the fastest ones. */
    public DurationHistogram clusterAges() {
        return clusterAges;
    }

    /** Nanoseconds since the last cycle ended. */
    long silence() {
        return nanos.getAsLong() - lastCycleEnd;
    }

    /** Whether the loop runs: whether a cycle ended recently. */
    public boolean isRunning() {
        return silence() < HANG_TIMEOUT_NANOS;
    }
}

package dev.wishdir.app;

import dev.wishdir.arena.ArenaEvent;
import dev.wishdir.arena.ArenaListener;
import dev.wishdir.arena.ConnectionStats;
import dev.wishdir.arena.LeaveReason;
import dev.wishdir.arena.Player;
import dev.wishdir.arena.PlayerId;
import dev.wishdir.net.Counters;
import dev.wishdir.net.Duty;
import dev.wishdir.net.DutyCycle;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * What a server does, in numbers: cheap to keep, so it is kept whether anybody asks or not. The
 * arena's thread writes, any may read.
 */
final class ServerMetrics implements ArenaListener {
    /** Nanoseconds without a turn, which there is one of each second, that say that all hangs. */
    private static final long HANGS_NANOS = TimeUnit.SECONDS.toNanos(5);

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final Map<String, DatagramCounters> counters = new ConcurrentHashMap<>();
    private final Counters joins = new Counters();
    private final Counters refusals = new Counters();
    private final Counters lost = new Counters();
    private final DurationHistogram turns = new DurationHistogram();
    private final DurationHistogram relays = new DurationHistogram();
    private final LongSupplier nanos;
    private volatile List<Player> players = List.of();
    private volatile long turned;
    private Map<PlayerId, ConnectionStats> links = Map.of();
    private long nextLook = Long.MIN_VALUE;

    /**
     * @param nanos the machine's clock, nanoseconds
     */
    ServerMetrics(LongSupplier nanos) {
        this.nanos = nanos;
        turned = nanos.getAsLong();
    }

    /** A cycle for a game's sockets, whose datagrams are counted as the game's. */
    DutyCycle counted(String game, DutyCycle cycle) {
        return new MeteredDutyCycle(
                cycle,
                Optional.empty(),
                counters.computeIfAbsent(game, _ -> new DatagramCounters()));
    }

    /**
     * Looks once a second who is here, and at what went lost on the way to and from them, for those
     * who ask on other threads.
     */
    Duty attendance(Supplier<List<Player>> here, Supplier<Map<PlayerId, ConnectionStats>> lines) {
        return now -> {
            if (now >= nextLook) {
                nextLook = now + SECOND;
                players = here.get();
                lost(lines.get());
            }
            return nextLook;
        };
    }

    private void lost(Map<PlayerId, ConnectionStats> now) {
        for (Player player : players) {
            ConnectionStats stats = now.getOrDefault(player.id(), ConnectionStats.UNKNOWN);
            ConnectionStats since =
                    stats.since(links.getOrDefault(player.id(), ConnectionStats.UNKNOWN));
            lost.add(player.game() + " in", since.lostIn());
            lost.add(player.game() + " out", since.lostOut());
        }
        links = now;
    }

    /** A turn of the server took so long, nanoseconds, and has ended. */
    void turn(long took) {
        turns.record(took);
        turned = nanos.getAsLong();
    }

    /** What a movement has waited for the relay that shows it, nanoseconds. */
    void relay(long waited) {
        relays.record(waited);
    }

    @Override
    public void onEvent(ArenaEvent event) {
        switch (event) {
            case ArenaEvent.Joined e -> joins.count(e.player().game());
            case ArenaEvent.JoinRefused e -> refusals.count(refused(e.game(), e.why().code()));
            case ArenaEvent.OfPlayer _, ArenaEvent.Announcement _, ArenaEvent.LevelChanged _ -> {}
        }
    }

    private static String refused(String game, LeaveReason.Code why) {
        return game + " " + why;
    }

    Map<String, DatagramCounters> traffic() {
        return counters;
    }

    /** Who was here within the last second. */
    List<Player> players() {
        return players;
    }

    /**
     * What of a game's players went lost on the way, as far as the transport finds out.
     *
     * @param direction {@code in} from them, {@code out} to them
     */
    long lost(String game, String direction) {
        return lost.get(game + " " + direction);
    }

    long joins(String game) {
        return joins.get(game);
    }

    long refusals(String game, LeaveReason.Code why) {
        return refusals.get(refused(game, why));
    }

    DurationHistogram turns() {
        return turns;
    }

    DurationHistogram relays() {
        return relays;
    }

    /** Nanoseconds since the last turn ended. */
    long silence() {
        return nanos.getAsLong() - turned;
    }

    /** Whether the loop turns, as it does at least once a second. */
    boolean isTurning() {
        return silence() < HANGS_NANOS;
    }
}

package dev.wishdir.cluster.publish;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.match.SharedMatch;
import dev.wishdir.cluster.message.MessageReader;
import dev.wishdir.cluster.v1.Credit;
import dev.wishdir.cluster.v1.Fights;
import dev.wishdir.cluster.v1.RemoteHit;
import dev.wishdir.record.message.MessageEncoder;
import dev.wishdir.record.v1.Event;
import dev.wishdir.wire.EvictingMap;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

/**
 * Fights between the own players and those of other nodes in this run, so that each hit and each
 * frag counts once: hits have numbers, frags are sums, and both are kept by the run of the other
 * node, also when that node seems to be gone.
 */
public final class OwnFights implements SharedMatch.Listener {
    /** A hit that arrives later has no effect; bodies of a node vanish after as long a silence. */
    public static final long MAX_HIT_AGE_NANOS = 2_000_000_000L;

    /** Maximum number of recent hits that are kept for rosters. */
    private static final int MAX_RECENT_HITS = 1024;

    /** Maximum number of runs of other nodes that are kept: those that were used last. */
    private static final int MAX_RUNS = 256;

    /** Maximum number of players of one run that are kept. */
    private static final int MAX_PLAYERS = MessageReader.MAX_PLAYERS;

    /** Exchange with one run of another node. */
    private static final class Exchange {
        long lastHit;

        /** Hits of each own player on players of that node. */
        final Map<Integer, Long> hits = EvictingMap.leastRecentlyUsed(MAX_PLAYERS);

        /** Frags of each own player, as that node reports them. */
        final Map<Integer, Long> received = EvictingMap.leastRecentlyUsed(MAX_PLAYERS);

        /** Frags of each player of that node among the own players. */
        final Map<Integer, Long> given = EvictingMap.leastRecentlyUsed(MAX_PLAYERS);
    }

    private final MessageEncoder messages;
    private final IntFunction<OptionalLong> epochs;
    private final LongSupplier clock;
    private final IntSupplier maxFragsOfHit;
    private final Consumer<RemoteHit> publisher;
    private final Map<Long, Exchange> exchanges = EvictingMap.leastRecentlyUsed(MAX_RUNS);
    private final Deque<RemoteHit> recent = new ArrayDeque<>();
    private long hits;

    /**
     * @param epochs the run of another node that is heard
     * @param clock of the bus, nanoseconds
     * @param maxFragsOfHit maximum number of frags for one hit
     */
    OwnFights(
            MessageEncoder messages,
            IntFunction<OptionalLong> epochs,
            LongSupplier clock,
            IntSupplier maxFragsOfHit,
            Consumer<RemoteHit> publisher) {
        this.messages = messages;
        this.epochs = epochs;
        this.clock = clock;
        this.maxFragsOfHit = maxFragsOfHit;
        this.publisher = publisher;
    }

    private Exchange exchange(long epoch) {
        return exchanges.computeIfAbsent(epoch, _ -> new Exchange());
    }

    @Override
    public void onHit(ArenaEvent.Hit hit) {
        OptionalLong epoch = epochs.apply(hit.id().node());
        Event event = messages.event(hit).orElseThrow();
        if (epoch.isEmpty()) {
            return;
        }
        exchange(epoch.getAsLong()).hits.merge(hit.attacker().id().number(), 1L, Long::sum);
        RemoteHit message =
                RemoteHit.newBuilder()
                        .setNumber(++hits)
                        .setMadeNs(clock.getAsLong())
                        .setVictimEpoch(epoch.getAsLong())
                        .setEvent(event)
                        .build();
        recent.add(message);
        forget();
        publisher.accept(message);
    }

    private void forget() {
        long since = clock.getAsLong() - MAX_HIT_AGE_NANOS;
        while (!recent.isEmpty()
                && (recent.size() > MAX_RECENT_HITS || recent.getFirst().getMadeNs() < since)) {
            recent.removeFirst();
        }
    }

    @Override
    public void onFrags(PlayerId killer, int frags) {
        epochs.apply(killer.node())
                .ifPresent(epoch ->
                        exchange(epoch).given.merge(killer.number(), (long) frags, Long::sum));
    }

    /** Credit of a player of another node for the own players; null if there is none. */
    @Nullable Credit credit(PlayerId killer) {
        OptionalLong epoch = epochs.apply(killer.node());
        Exchange known = epoch.isEmpty() ? null : exchanges.get(epoch.getAsLong());
        Long frags = known == null ? null : known.given.get(killer.number());
        return frags == null || epoch.isEmpty()
                ? null
                : credit(killer.node(), killer.number(), epoch.getAsLong(), frags);
    }

    private static Credit credit(int node, int player, long epoch, long frags) {
        return Credit.newBuilder()
                .setKiller(
                        dev.wishdir.record.v1.PlayerId.newBuilder().setNode(node).setNumber(player))
                .setKillerEpoch(epoch)
                .setFrags(frags)
                .build();
    }

    /** Adds to a roster what another node may have missed. */
    void addTo(Fights.Builder fights, int other) {
        forget();
        recent.stream()
                .filter(hit -> hit.getEvent().getId().getNode() == other)
                .forEach(fights::addHits);
        epochs.apply(other)
                .ifPresent(epoch -> {
                    Exchange known = exchanges.get(epoch);
                    if (known != null) {
                        known.given.forEach((player, frags) ->
                                fights.addCredits(credit(other, player, epoch, frags)));
                    }
                });
    }

    /** Whether a hit of a run is new; its number counts as used from now on. */
    public boolean take(long epoch, long number) {
        Exchange known = exchange(epoch);
        if (number <= known.lastHit) {
            return false;
        }
        known.lastHit = number;
        return true;
    }

    /**
     * Another node reports all frags that an own player has there.
     *
     * @return what is new of them; empty if the player has not hit that often
     */
    public OptionalLong takeCredit(long epoch, int player, long frags) {
        Exchange known = exchange(epoch);
        long most = known.hits.getOrDefault(player, 0L) * maxFragsOfHit.getAsInt();
        if (frags > most || frags < -most) {
            return OptionalLong.empty();
        }
        Long before = known.received.put(player, frags);
        return OptionalLong.of(frags - (before == null ? 0 : before));
    }
}

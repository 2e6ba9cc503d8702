package dev.wishdir.game;

import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** The ban list of a server, for all games. Used only on the thread of the duty cycle. */
public final class Bans {
    /** Maximum number of bans; with more, ban ranges. */
    public static final int MAX_BANS = 10_000;

    /** Maximum number of unshared bans; a further one replaces the oldest. */
    static final int MAX_UNSHARED = 1_000;

    /** How long an unshared ban is kept. */
    static final Duration MAX_UNSHARED_TIME = Duration.ofDays(30);

    /** How long an ended ban is kept, as the clock may have been ahead when it ended. */
    private static final Duration KEPT_AFTER_END = Duration.ofDays(1);

    private final InstantSource clock;
    private final Consumer<BanList> onChange;

    /** Ended ones included. */
    private final List<Ban> bans;

    /** By target and game, oldest first. */
    private final Map<String, UnsharedBan> unshared = new LinkedHashMap<>();

    /** Since when a ban has been seen as ended, without a break. */
    private final Map<Ban, Instant> endedSince = new HashMap<>();

    /**
     * @param clock by which bans end
     * @param initial from the ban file
     * @param onChange receives the list after each change; must not block
     */
    public Bans(InstantSource clock, BanList initial, Consumer<BanList> onChange) {
        this.clock = clock;
        this.onChange = onChange;
        bans = new ArrayList<>(initial.bans());
        initial.unshared().forEach(this::put);
    }

    /** An empty list that is kept only in memory. */
    public static Bans none() {
        return new Bans(InstantSource.system(), BanList.EMPTY, _ -> {});
    }

    Instant now() {
        return clock.instant();
    }

    /** All bans that have not ended, oldest first. */
    public List<Ban> all() {
        Instant now = clock.instant();
        return bans.stream().filter(ban -> !ban.hasEnded(now)).toList();
    }

    /**
     * The ban of a client with a proven address.
     *
     * @param game that it joins
     * @param account verified by a third party; empty for none
     */
    public Optional<Ban> find(String game, InetAddress address, String account) {
        Instant now = clock.instant();
        return bans.stream()
                .filter(ban -> ban.appliesTo(game, address, account) && !ban.hasEnded(now))
                .findFirst();
    }

    /**
     * Adds a ban; it replaces one of the same addresses, accounts and game.
     *
     * @return false if the list is full
     */
    boolean add(Ban ban) {
        removeEnded();
        List<Ban> others =
                new ArrayList<>(bans.stream().filter(other -> !other.isSame(ban)).toList());
        if (others.size() >= MAX_BANS) {
            return false;
        }
        others.add(ban);
        update(others);
        return true;
    }

    void remove(List<Ban> removed) {
        removeEnded();
        List<Ban> left = new ArrayList<>(bans);
        left.removeAll(removed);
        update(left);
    }

    /** Replaces the list, as with that of a ban file that was read again. */
    void replace(BanList others) {
        bans.clear();
        bans.addAll(others.bans());
        endedSince.clear();
        unshared.clear();
        others.unshared().forEach(this::put);
    }

    /**
     * What an operator of this server changed, and the other servers of its cluster may not have,
     * oldest first.
     */
    public List<UnsharedBan> unshared() {
        Instant oldest = clock.instant().minus(MAX_UNSHARED_TIME);
        return unshared.values().stream().filter(it -> it.since().isAfter(oldest)).toList();
    }

    /** Keeps, also for the next start, that the other servers are to get a change of a ban. */
    public void addUnshared(Ban ban) {
        put(UnsharedBan.of(ban, clock.instant().truncatedTo(ChronoUnit.MILLIS)));
        if (unshared.size() > MAX_UNSHARED) {
            unshared.remove(unshared.keySet().iterator().next());
        }
        notifyChange();
    }

    /** The other servers have a change of a ban, or can get it without this server. */
    public void removeUnshared(String targets, String game) {
        if (unshared.remove(key(targets, game)) != null) {
            notifyChange();
        }
    }

    private void put(UnsharedBan ban) {
        unshared.remove(key(ban.targets(), ban.game()));
        unshared.put(key(ban.targets(), ban.game()), ban);
    }

    private static String key(String targets, String game) {
        return game + " " + targets;
    }

    /**
     * Removes bans that have been ended for a day, as one wrong reading of the clock must not end a
     * ban; or, if the list is full, the oldest ended ban.
     */
    private void removeEnded() {
        Instant now = clock.instant();
        endedSince.keySet().retainAll(new HashSet<>(bans));
        endedSince.keySet().removeIf(ban -> !ban.hasEnded(now));
        for (Ban ban : bans) {
            if (ban.hasEnded(now)) {
                endedSince.putIfAbsent(ban, now);
            }
        }
        bans.removeIf(ban -> {
            Instant since = endedSince.get(ban);
            return since != null && !now.isBefore(since.plus(KEPT_AFTER_END));
        });
        if (bans.size() >= MAX_BANS) {
            bans.stream().filter(ban -> ban.hasEnded(now)).findFirst().ifPresent(bans::remove);
        }
    }

    private void update(List<Ban> others) {
        bans.clear();
        bans.addAll(others);
        notifyChange();
    }

    private void notifyChange() {
        onChange.accept(new BanList(bans, unshared()));
    }
}

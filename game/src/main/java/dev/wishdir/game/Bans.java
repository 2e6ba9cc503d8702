package dev.wishdir.game;

import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Who is not let in, by any game of a server. Used on the thread of the duty cycle alone. */
public final class Bans {
    /** The most that are kept: who needs more bans ranges. */
    public static final int MAX_BANS = 10_000;

    /** An ended ban is kept for so long: the clock may have been ahead when it ended. */
    private static final Duration KEPT_AFTER_END = Duration.ofDays(1);

    private final InstantSource clock;
    private final Consumer<List<Ban>> keeping;

    /** Those that are over among them. */
    private final List<Ban> bans;

    /** When a ban was over at first, of those that were over at each look since. */
    private final Map<Ban, Instant> ended = new HashMap<>();

    /**
     * @param clock tells when a ban is over
     * @param known from before
     * @param keeping is told of all whenever they change; it must not block
     */
    public Bans(InstantSource clock, List<Ban> known, Consumer<List<Ban>> keeping) {
        this.clock = clock;
        this.keeping = keeping;
        bans = new ArrayList<>(known);
    }

    /** Nobody is banned, and who will be is forgotten when the server ends. */
    public static Bans none() {
        return new Bans(InstantSource.system(), List.of(), _ -> {});
    }

    Instant now() {
        return clock.instant();
    }

    /** All that are not over, in the order of their making. */
    public List<Ban> all() {
        Instant now = clock.instant();
        return bans.stream().filter(ban -> !ban.isOver(now)).toList();
    }

    /**
     * The ban of a client that has proved its address.
     *
     * @param game that it joins
     * @param account that somebody else vouches for; empty for none
     */
    public Optional<Ban> of(String game, InetAddress address, String account) {
        Instant now = clock.instant();
        return bans.stream()
                .filter(ban -> ban.isOf(game, address, account) && !ban.isOver(now))
                .findFirst();
    }

    /**
     * One more; it takes the place of another of the same addresses and accounts.
     *
     * @return whether there was room for it
     */
    boolean add(Ban ban) {
        forgetEnded();
        List<Ban> others =
                new ArrayList<>(bans.stream().filter(other -> !other.isSame(ban)).toList());
        if (others.size() >= MAX_BANS) {
            return false;
        }
        others.add(ban);
        become(others);
        return true;
    }

    void remove(List<Ban> which) {
        forgetEnded();
        List<Ban> left = new ArrayList<>(bans);
        left.removeAll(which);
        become(left);
    }

    /** Puts others in the place of all, as those of a file that was read again. */
    void replace(List<Ban> others) {
        bans.clear();
        bans.addAll(others);
        ended.clear();
    }

    /**
     * One reading of the clock ends no ban for good: only what was over at each look for a day is
     * forgotten, or the oldest of those that are over where there is no room for another.
     */
    private void forgetEnded() {
        Instant now = clock.instant();
        ended.keySet().retainAll(new HashSet<>(bans));
        ended.keySet().removeIf(ban -> !ban.isOver(now));
        for (Ban ban : bans) {
            if (ban.isOver(now)) {
                ended.putIfAbsent(ban, now);
            }
        }
        bans.removeIf(ban -> {
            Instant since = ended.get(ban);
            return since != null && !now.isBefore(since.plus(KEPT_AFTER_END));
        });
        if (bans.size() >= MAX_BANS) {
            bans.stream().filter(ban -> ban.isOver(now)).findFirst().ifPresent(bans::remove);
        }
    }

    private void become(List<Ban> others) {
        bans.clear();
        bans.addAll(others);
        keeping.accept(List.copyOf(bans));
    }
}

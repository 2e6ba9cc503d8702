package dev.wishdir.game;

import java.net.InetAddress;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Who is not let in, by any game of a server. Used on the thread of the duty cycle alone. */
public final class Bans {
    /** The most that are kept: who needs more bans ranges. */
    public static final int MOST = 10_000;

    private final InstantSource clock;
    private final Consumer<List<Ban>> keeping;
    private final List<Ban> bans;

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
        bans.removeIf(ban -> ban.isOver(now));
        return List.copyOf(bans);
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
        List<Ban> others =
                new ArrayList<>(all().stream().filter(other -> !other.isSame(ban)).toList());
        if (others.size() >= MOST) {
            return false;
        }
        others.add(ban);
        become(others);
        return true;
    }

    void remove(List<Ban> which) {
        List<Ban> left = new ArrayList<>(all());
        left.removeAll(which);
        become(left);
    }

    private void become(List<Ban> others) {
        bans.clear();
        bans.addAll(others);
        keeping.accept(List.copyOf(bans));
    }
}

package dev.wishdir.net;

import org.jspecify.annotations.Nullable;

import java.net.InetAddress;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.function.Predicate;

/**
 * Peers that have begun something and have not finished it: that have not proved yet that they
 * receive at their address, or not sent a whole request. At most so many in all, and of each prefix
 * of addresses. Where there is no room the oldest goes, of the narrowest prefix that is full: so a
 * newcomer always gets a place, and a peer that finishes soon keeps it. Not for several threads.
 *
 * @param <T> what is kept of one of them; compared by {@link Object#equals}
 */
public final class HalfOpenTable<T> {
    private final int most;
    private final PrefixLimits limits;
    private final Predicate<InetAddress> trusted;
    private final SequencedMap<T, List<Prefix>> all = new LinkedHashMap<>();
    private final Map<Prefix, SequencedSet<T>> prefixes = new HashMap<>();

    /**
     * @param most in all
     * @param limits of one prefix
     * @param trusted addresses that are free of these limits
     */
    public HalfOpenTable(int most, PrefixLimits limits, Predicate<InetAddress> trusted) {
        if (most < 1) {
            throw new IllegalArgumentException("at least one must have a place");
        }
        this.most = most;
        this.limits = limits;
        this.trusted = trusted;
    }

    /**
     * Gives a peer a place as the newest.
     *
     * @return the peer that had to go for it and is no longer here, or null; the caller forgets it
     * @throws IllegalArgumentException if it has a place already
     */
    public @Nullable T add(InetAddress from, T peer) {
        if (all.containsKey(peer)) {
            throw new IllegalArgumentException("has a place already");
        }
        List<Prefix> of = Prefix.all(from);
        T gone = trusted.test(from) ? null : oldestOfFull(of);
        if (gone == null && all.size() >= most) {
            gone = all.firstEntry().getKey();
        }
        if (gone != null) {
            remove(gone);
        }
        all.put(peer, of);
        for (Prefix prefix : of) {
            prefixes.computeIfAbsent(prefix, _ -> new LinkedHashSet<>()).add(peer);
        }
        return gone;
    }

    private @Nullable T oldestOfFull(List<Prefix> of) {
        for (Prefix prefix : of) {
            SequencedSet<T> same = prefixes.get(prefix);
            if (same != null && same.size() >= limits.of(prefix)) {
                return same.getFirst();
            }
        }
        return null;
    }

    /** Frees a place: the peer has finished, or went. False if it had none. */
    public boolean remove(T peer) {
        List<Prefix> of = all.remove(peer);
        if (of == null) {
            return false;
        }
        for (Prefix prefix : of) {
            prefixes.computeIfPresent(
                    prefix,
                    (_, same) -> {
                        same.remove(peer);
                        return same.isEmpty() ? null : same;
                    });
        }
        return true;
    }

    /** Whether a peer has a place. */
    public boolean contains(T peer) {
        return all.containsKey(peer);
    }

    /** All peers that have a place, the oldest first. */
    public Collection<T> peers() {
        return Collections.unmodifiableCollection(all.sequencedKeySet());
    }

    /** How many there are. */
    public int size() {
        return all.size();
    }
}

package dev.wishdir.net.limit;

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
 * Half-open peers, bounded in total and by address prefix: their address is unproven or their
 * request incomplete. Where a limit is reached the oldest is evicted, of the narrowest full prefix:
 * so a newcomer always gets a place, and a peer that finishes soon keeps it. Not thread-safe.
 *
 * @param <T> a peer; compared by {@link Object#equals}
 */
public final class HalfOpenTable<T> {
    private final int maxPeers;
    private final PrefixLimits limits;
    private final Predicate<InetAddress> trusted;
    private final SequencedMap<T, List<Prefix>> all = new LinkedHashMap<>();
    private final Map<Prefix, SequencedSet<T>> prefixes = new HashMap<>();

    /**
     * @param maxPeers maximum in all
     * @param limits maximum by prefix
     * @param trusted addresses that are exempt from the limits by prefix
     */
    public HalfOpenTable(int maxPeers, PrefixLimits limits, Predicate<InetAddress> trusted) {
        if (maxPeers < 1) {
            throw new IllegalArgumentException(
                    "table of half-open peers has " + maxPeers + " places: must be at least 1");
        }
        this.maxPeers = maxPeers;
        this.limits = limits;
        this.trusted = trusted;
    }

    /**
     * Adds a peer as the newest.
     *
     * @return the peer that was evicted for it, for the caller to forget; null if none
     * @throws IllegalArgumentException if it is in the table already
     */
    public @Nullable T add(InetAddress from, T peer) {
        if (all.containsKey(peer)) {
            throw new IllegalArgumentException("is in the table already: " + peer);
        }
        List<Prefix> peerPrefixes = Prefix.all(from);
        T evicted = trusted.test(from) ? null : oldestOfFullPrefix(peerPrefixes);
        if (evicted == null && all.size() >= maxPeers) {
            evicted = all.firstEntry().getKey();
        }
        if (evicted != null) {
            remove(evicted);
        }
        all.put(peer, peerPrefixes);
        for (Prefix prefix : peerPrefixes) {
            prefixes.computeIfAbsent(prefix, _ -> new LinkedHashSet<>()).add(peer);
        }
        return evicted;
    }

    private @Nullable T oldestOfFullPrefix(List<Prefix> peerPrefixes) {
        for (Prefix prefix : peerPrefixes) {
            SequencedSet<T> samePrefix = prefixes.get(prefix);
            if (samePrefix != null && samePrefix.size() >= limits.of(prefix)) {
                return samePrefix.getFirst();
            }
        }
        return null;
    }

    /** Removes a peer that has finished or left; false if it was not in the table. */
    public boolean remove(T peer) {
        List<Prefix> peerPrefixes = all.remove(peer);
        if (peerPrefixes == null) {
            return false;
        }
        for (Prefix prefix : peerPrefixes) {
            prefixes.computeIfPresent(
                    prefix,
                    (_, samePrefix) -> {
                        samePrefix.remove(peer);
                        return samePrefix.isEmpty() ? null : samePrefix;
                    });
        }
        return true;
    }

    /** Whether a peer is in the table. */
    public boolean contains(T peer) {
        return all.containsKey(peer);
    }

    /** All peers, the oldest first. */
    public Collection<T> peers() {
        return Collections.unmodifiableCollection(all.sequencedKeySet());
    }

    public int size() {
        return all.size();
    }
}

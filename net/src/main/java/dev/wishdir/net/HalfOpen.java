package dev.wishdir.net;

import org.jspecify.annotations.Nullable;

import java.net.InetAddress;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.function.Predicate;

/**
 * Those who have begun to connect and have not proved yet that they receive at their address: at
 * most so many in all, and of each /24 or /64. Where there is no room the oldest goes, of the same
 * network if that is full: so a newcomer always gets a place, and who answers soon keeps it. Made
 * by {@link Addresses#halfOpen}.
 *
 * @param <T> what is kept of one of them; told apart by {@link Object#equals}
 */
public final class HalfOpen<T> {
    private final int most;
    private final int mostOfNetwork;
    private final Predicate<InetAddress> trusted;
    private final SequencedMap<T, Prefix> all = new LinkedHashMap<>();
    private final Map<Prefix, SequencedSet<T>> networks = new HashMap<>();

    HalfOpen(int most, int mostOfNetwork, Predicate<InetAddress> trusted) {
        if (most < 1 || mostOfNetwork < 1) {
            throw new IllegalArgumentException("at least one must have a place");
        }
        this.most = most;
        this.mostOfNetwork = mostOfNetwork;
        this.trusted = trusted;
    }

    /**
     * Gives one a place as the newest.
     *
     * @return who had to go for it and is no longer here, or null; the caller forgets it
     * @throws IllegalArgumentException if it has a place already
     */
    public @Nullable T add(InetAddress from, T peer) {
        if (all.containsKey(peer)) {
            throw new IllegalArgumentException("has a place already");
        }
        Prefix network = Prefix.network(from);
        SequencedSet<T> same = networks.get(network);
        T gone = null;
        if (same != null && same.size() >= mostOfNetwork && !trusted.test(from)) {
            gone = same.getFirst();
        } else if (all.size() >= most) {
            gone = all.firstEntry().getKey();
        }
        if (gone != null) {
            remove(gone);
        }
        all.put(peer, network);
        networks.computeIfAbsent(network, _ -> new LinkedHashSet<>()).add(peer);
        return gone;
    }

    /** Frees a place: the peer has proved itself, or went. False if it had none. */
    public boolean remove(T peer) {
        Prefix network = all.remove(peer);
        if (network == null) {
            return false;
        }
        networks.computeIfPresent(
                network,
                (_, same) -> {
                    same.remove(peer);
                    return same.isEmpty() ? null : same;
                });
        return true;
    }

    /** How many there are. */
    public int size() {
        return all.size();
    }
}

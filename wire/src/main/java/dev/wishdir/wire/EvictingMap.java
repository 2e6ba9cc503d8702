package dev.wishdir.wire;

import java.util.LinkedHashMap;
import java.util.Map;

/** A map of bounded size: a further entry evicts the oldest. */
public final class EvictingMap<K, V> extends LinkedHashMap<K, V> {
    private static final long serialVersionUID = 1;

    private final int maxEntries;

    private EvictingMap(int most, boolean byUse) {
        super(16, 0.75f, byUse);
        this.maxEntries = most;
    }

    /** A map that evicts the entry that was inserted first. */
    public EvictingMap(int most) {
        this(most, false);
    }

    /** A map that evicts the least recently used entry. */
    public static <K, V> EvictingMap<K, V> leastRecentlyUsed(int most) {
        return new EvictingMap<>(most, true);
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
        return size() > maxEntries;
    }
}

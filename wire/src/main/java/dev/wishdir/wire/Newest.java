package dev.wishdir.wire;

import java.util.LinkedHashMap;
import java.util.Map;

/** A map that holds so many entries at the most: for one more, the oldest is forgotten. */
public final class Newest<K, V> extends LinkedHashMap<K, V> {
    private static final long serialVersionUID = 1;

    private final int most;

    private Newest(int most, boolean byUse) {
        super(16, 0.75f, byUse);
        this.most = most;
    }

    /** One whose oldest entry is the one that was put first. */
    public Newest(int most) {
        this(most, false);
    }

    /** One whose oldest entry is the one that was not used for longest. */
    public static <K, V> Newest<K, V> byUse(int most) {
        return new Newest<>(most, true);
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
        return size() > most;
    }
}

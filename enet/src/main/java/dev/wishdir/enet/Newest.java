package dev.wishdir.enet;

import java.util.LinkedHashMap;
import java.util.Map;

/** A map that forgets what was put first when it is full. */
final class Newest<K, V> extends LinkedHashMap<K, V> {
    private static final long serialVersionUID = 1;

    private final int most;

    Newest(int most) {
        this.most = most;
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
        return size() > most;
    }
}

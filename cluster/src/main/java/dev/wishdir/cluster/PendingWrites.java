package dev.wishdir.cluster;

import org.jspecify.annotations.Nullable;

import java.util.LinkedHashMap;

/**
 * Changes that wait to be stored in a bucket: the newest of each key, oldest first. Thread-safe.
 */
final class PendingWrites {
    /** Maximum number of keys. */
    static final int MAX_KEYS = 16_384;

    /**
     * A change.
     *
     * @param value null to delete the key
     */
    @SuppressWarnings("ArrayRecordComponent") // It goes to the bucket without a copy.
    record Write(String key, byte @Nullable [] value) {}

    private final LinkedHashMap<String, Write> writes = new LinkedHashMap<>();

    synchronized void add(Write write) {
        writes.remove(write.key());
        if (writes.size() < MAX_KEYS) {
            writes.put(write.key(), write);
        }
    }

    synchronized boolean contains(String key) {
        return writes.containsKey(key);
    }

    /** The oldest; null if there is none. */
    synchronized @Nullable Write first() {
        return writes.isEmpty() ? null : writes.firstEntry().getValue();
    }

    /** A change is stored; a newer one of the same key still waits. */
    synchronized void remove(Write stored) {
        writes.remove(stored.key(), stored);
    }
}

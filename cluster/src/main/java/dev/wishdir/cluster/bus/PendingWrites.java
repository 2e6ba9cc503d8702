package dev.wishdir.cluster.bus;

import org.jspecify.annotations.Nullable;

import java.util.LinkedHashMap;

/**
 * Changes that wait to be stored in a bucket: the newest of each key, oldest first. Thread-safe.
 */
public final class PendingWrites {
    /** Maximum number of keys. */
    static final int MAX_KEYS = 65_536;

    /**
     * A change.
     *
     * @param value null to delete the key
     * @param ifAbsent whether it counts less than any change that the bucket has of the key
     */
    @SuppressWarnings("ArrayRecordComponent") // It goes to the bucket without a copy.
    public record Write(String key, byte @Nullable [] value, boolean ifAbsent) {
        /** A change that replaces what the bucket has. */
        public Write(String key, byte @Nullable [] value) {
            this(key, value, false);
        }
    }

    private final LinkedHashMap<String, Write> writes = new LinkedHashMap<>();

    /** Adds a change; returns false if it is dropped, as too many wait. */
    public synchronized boolean add(Write write) {
        if (writes.size() >= MAX_KEYS && !writes.containsKey(write.key())) {
            return false;
        }
        if (!write.ifAbsent() || !writes.containsKey(write.key())) {
            writes.putLast(write.key(), write);
        }
        return true;
    }

    /** Whether a change waits that replaces what the bucket has of a key. */
    public synchronized boolean contains(String key) {
        Write write = writes.get(key);
        return write != null && !write.ifAbsent();
    }

    /** The oldest; null if there is none. */
    public synchronized @Nullable Write first() {
        return writes.isEmpty() ? null : writes.firstEntry().getValue();
    }

    /** A change is stored; a newer one of the same key still waits. */
    public synchronized void remove(Write stored) {
        writes.remove(stored.key(), stored);
    }
}

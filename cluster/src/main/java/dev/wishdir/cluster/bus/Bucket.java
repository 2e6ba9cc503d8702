package dev.wishdir.cluster.bus;

import org.jspecify.annotations.Nullable;

/**
 * Values by key that all nodes share, and that outlive them. The last change of a key that reaches
 * the bucket counts. It may be away at any time, also for good: changes of this node wait then, and
 * those of others are not seen.
 *
 * <p>All methods belong to one thread, that of the node, and none waits.
 */
public interface Bucket {
    /** Changes of others are seen within this time. */
    long POLL_INTERVAL_NANOS = 2_000_000_000L;

    /** Maximum length of a value, bytes. */
    int MAX_VALUE_BYTES = 8192;

    /** Maximum number of entries, deleted ones included; a bucket with more is not read. */
    int MAX_ENTRIES = 65_536;

    /**
     * Stores a value. Until then it replaces a change of the key that waits.
     *
     * @param key 1 to 64 of A-Z, a-z, 0-9, -, _ and dots
     * @param value not to be changed afterwards
     * @return false if {@value PendingWrites#MAX_KEYS} changes of other keys wait, so that this one
     *     is dropped
     */
    boolean put(String key, byte[] value);

    /**
     * Stores a value unless the bucket has one of the key, or a mark that it was deleted, at the
     * time at which it is stored. Such a value does not {@linkplain #isPending wait as a change}.
     *
     * @return as {@link #put}
     */
    boolean putIfAbsent(String key, byte[] value);

    /** Deletes a value, as {@link #put} stores one. */
    boolean delete(String key);

    /** Whether a change of this node waits to be stored. */
    boolean isPending(String key);

    /** Delivers all entries again, as {@link BucketEvent.Loaded}. */
    void reload();

    /** The next event; null if there is none. No key with a pending change is among them. */
    @Nullable BucketEvent poll();
}

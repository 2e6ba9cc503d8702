package dev.wishdir.cluster.bus;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The bucket of a {@link MemoryBroker}. */
final class MemoryStorage {
    private record Stored(long revision, BucketEvent.Entry entry) {}

    private static final long NANOS_PER_MILLI = 1_000_000;

    private final Map<String, Stored> entries = new LinkedHashMap<>();
    private boolean available = true;
    private long generation;
    private long revision;

    boolean isAvailable() {
        return available;
    }

    void setAvailable(boolean available) {
        this.available = available;
    }

    /** All is lost, and an empty bucket is in its place. */
    void clear() {
        entries.clear();
        revision = 0;
        generation++;
    }

    /** Grows when the bucket is created again. */
    long generation() {
        return generation;
    }

    /** Number of the last change. */
    long revision() {
        return revision;
    }

    /**
     * @param nanos the virtual time, from 1970
     */
    void write(long nanos, PendingWrites.Write write) {
        if (write.ifAbsent() && entries.containsKey(write.key())) {
            return;
        }
        revision++;
        entries.remove(write.key());
        entries.put(
                write.key(),
                new Stored(
                        revision,
                        new BucketEvent.Entry(
                                write.key(), write.value(), nanos / NANOS_PER_MILLI)));
    }

    /** Entries that changed after a revision, oldest first. */
    List<BucketEvent.Entry> since(long known) {
        return entries.values().stream()
                .filter(stored -> stored.revision() > known)
                .map(Stored::entry)
                .toList();
    }
}

package dev.wishdir.cluster.bus;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/** A bucket in the memory of a {@link MemoryBroker}, as one of its buses reaches it. */
final class MemoryBucket implements Bucket {
    private final MemoryStorage storage;
    private final LongSupplier clock;
    private final BooleanSupplier connected;
    private final PendingWrites pending = new PendingWrites();
    private final Queue<BucketEvent> events = new ArrayDeque<>();
    private long next = Long.MIN_VALUE;
    private long generation = -1;
    private long revision;
    private boolean reload;
    private boolean available;
    private boolean reported;

    /**
     * @param connected whether the storage is reached
     */
    MemoryBucket(MemoryStorage storage, LongSupplier clock, BooleanSupplier connected) {
        this.storage = storage;
        this.clock = clock;
        this.connected = connected;
    }

    @Override
    public boolean put(String key, byte[] value) {
        return add(new PendingWrites.Write(key, value));
    }

    @Override
    public boolean putIfAbsent(String key, byte[] value) {
        return add(new PendingWrites.Write(key, value, true));
    }

    @Override
    public boolean delete(String key) {
        return add(new PendingWrites.Write(key, null));
    }

    private boolean add(PendingWrites.Write write) {
        if (available) {
            next = Long.MIN_VALUE;
        }
        return pending.add(write);
    }

    @Override
    public boolean isPending(String key) {
        return pending.contains(key);
    }

    @Override
    public void reload() {
        reload = true;
    }

    @Override
    public @Nullable BucketEvent poll() {
        if (events.isEmpty() && connected.getAsBoolean() && clock.getAsLong() >= next) {
            next = clock.getAsLong() + POLL_INTERVAL_NANOS;
            synchronize();
        }
        return events.poll();
    }

    private void synchronize() {
        if (available != storage.isAvailable() || !reported) {
            reported = true;
            available = storage.isAvailable();
            events.add(
                    available
                            ? new BucketEvent.Available()
                            : new BucketEvent.Unavailable("switched off"));
        }
        if (!available) {
            return;
        }
        boolean all = reload || generation != storage.generation();
        generation = storage.generation();
        reload = false;
        List<BucketEvent.Entry> changed = new ArrayList<>(storage.since(all ? 0 : revision));
        changed.removeIf(entry -> pending.contains(entry.key()));
        revision = storage.revision();
        if (all) {
            events.add(new BucketEvent.Loaded(changed));
        } else {
            changed.forEach(entry -> events.add(new BucketEvent.Changed(entry)));
        }
        for (PendingWrites.Write write = pending.first(); write != null; write = pending.first()) {
            storage.write(clock.getAsLong(), write);
            pending.remove(write);
        }
    }
}

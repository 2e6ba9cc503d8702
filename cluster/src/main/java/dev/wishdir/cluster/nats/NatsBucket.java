package dev.wishdir.cluster.nats;

import dev.wishdir.cluster.bus.Bucket;
import dev.wishdir.cluster.bus.BucketEvent;
import dev.wishdir.cluster.bus.PendingWrites;

import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.KeyValue;
import io.nats.client.KeyValueManagement;
import io.nats.client.KeyValueOptions;
import io.nats.client.api.KeyValueConfiguration;
import io.nats.client.api.KeyValueEntry;
import io.nats.client.api.KeyValueOperation;
import io.nats.client.api.KeyValuePurgeOptions;
import io.nats.client.api.KeyValueStatus;
import io.nats.client.api.KeyValueWatcher;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamInfo;
import io.nats.client.impl.NatsKeyValueWatchSubscription;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * A key-value bucket of NATS' JetStream with file storage, made with the first change. A thread of
 * its own waits for JetStream, which answers within milliseconds, or without a leader not for
 * seconds.
 *
 * <p>It asks every 2 s for the number of the last change, and then for what changed: a watch that
 * stays open does not survive the loss of its leader.
 */
final class NatsBucket implements Bucket {
    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(2);
    private static final Duration FETCH_TIMEOUT = Duration.ofSeconds(10);

    /** Replicas of a bucket in a cluster of NATS servers. */
    private static final int REPLICAS = 3;

    /**
     * Marks of deleted entries that are younger are not removed: a node that was away needs them.
     */
    private static final Duration MIN_MARKER_AGE = Duration.ofDays(1);

    private static final long MAX_BUCKET_BYTES = 64L << 20;

    /** Maximum length of all values that are read at once. */
    private static final int MAX_FETCH_BYTES = 32 << 20;

    private static final int STREAM_NOT_FOUND = 10059;

    /** The bucket has a change of the key already; the codes of servers before and from 2.12. */
    private static final Set<Integer> WRONG_LAST_SEQUENCE = Set.of(10071, 10164);

    private final String name;
    private final Supplier<@Nullable Connection> connection;
    private final PendingWrites pending = new PendingWrites();
    private final Queue<BucketEvent> events = new ConcurrentLinkedQueue<>();
    private final Thread thread;

    /** Creation time of the bucket whose entries were delivered; null if none were. */
    private @Nullable ZonedDateTime created;

    /** Whether it was delivered that there is no bucket. */
    private boolean missing;

    private long revision;
    private boolean available;
    private String cause = "";
    private volatile boolean reload;
    private volatile boolean closed;

    private NatsBucket(String name, Supplier<@Nullable Connection> connection) {
        this.name = name;
        this.connection = connection;
        thread = Thread.ofVirtual().name("bucket").unstarted(this::run);
    }

    /**
     * Opens a bucket.
     *
     * @param connection null while there is none
     */
    static NatsBucket open(String name, Supplier<@Nullable Connection> connection) {
        NatsBucket bucket = new NatsBucket(name, connection);
        bucket.thread.start();
        return bucket;
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
        boolean added = pending.add(write);
        wake();
        return added;
    }

    @Override
    public boolean isPending(String key) {
        return pending.contains(key);
    }

    @Override
    public void reload() {
        reload = true;
        wake();
    }

    @Override
    public @Nullable BucketEvent poll() {
        return events.poll();
    }

    /** Something is to be done; also when the bus is connected. Thread-safe. */
    void wake() {
        LockSupport.unpark(thread);
    }

    /** Ends the thread; what waits is not stored any more. */
    void close() {
        closed = true;
        thread.interrupt();
    }

    private void run() {
        while (!closed) {
            Connection to = connection.get();
            if (to != null && to.getStatus() == Connection.Status.CONNECTED) {
                try {
                    synchronize(to);
                    report("");
                } catch (InterruptedException _) {
                    return;
                } catch (IOException | JetStreamApiException | RuntimeException | Error e) {
                    // The client throws unchecked exceptions when the connection breaks; too
                    // little memory must not end the thread either.
                    if (!closed && to.getStatus() == Connection.Status.CONNECTED) {
                        report(String.valueOf(e.getMessage()));
                    }
                }
            }
            LockSupport.parkNanos(POLL_INTERVAL_NANOS);
        }
    }

    /** Reports a change of state once. */
    private void report(String why) {
        if (why.isEmpty() && !available) {
            events.add(new BucketEvent.Available());
        } else if (!why.isEmpty() && !why.equals(cause)) {
            events.add(new BucketEvent.Unavailable(why));
        }
        available = why.isEmpty();
        cause = why;
    }

    private void synchronize(Connection to)
            throws IOException, JetStreamApiException, InterruptedException {
        KeyValueOptions options =
                KeyValueOptions.builder().jsRequestTimeout(REQUEST_TIMEOUT).build();
        if (reload) {
            reload = false;
            created = null;
            missing = false;
        }
        StreamInfo stream = stream(to.keyValueManagement(options), to);
        if (stream == null) {
            if (!missing) {
                missing = true;
                revision = 0;
                events.add(new BucketEvent.Loaded(List.of()));
            }
            return;
        }
        KeyValue bucket = to.keyValue(name, options);
        boolean all = !missing && !stream.getCreateTime().equals(created);
        long last = stream.getStreamState().getLastSequence();
        // What is not taken yet must not become more.
        if (all || last != revision && events.isEmpty()) {
            List<BucketEvent.Entry> changed = fetch(bucket, all ? 0 : revision + 1, last);
            revision = last;
            created = stream.getCreateTime();
            missing = false;
            if (all) {
                events.add(new BucketEvent.Loaded(changed));
            } else {
                changed.forEach(entry -> events.add(new BucketEvent.Changed(entry)));
            }
        }
        for (PendingWrites.Write write = pending.first(); write != null; write = pending.first()) {
            store(bucket, write);
            pending.remove(write);
        }
    }

    private static void store(KeyValue bucket, PendingWrites.Write write)
            throws IOException, JetStreamApiException {
        byte[] value = write.value();
        if (value == null) {
            bucket.delete(write.key());
        } else if (write.ifAbsent()) {
            try {
                // Not create, which replaces the mark of a deleted entry.
                bucket.update(write.key(), value, 0);
            } catch (JetStreamApiException e) {
                if (!WRONG_LAST_SEQUENCE.contains(e.getApiErrorCode())) {
                    throw e;
                }
            }
        } else {
            bucket.put(write.key(), value);
        }
    }

    /**
     * The bucket's stream; null if there is none, and nothing to store: who only looks makes none.
     */
    private @Nullable StreamInfo stream(KeyValueManagement management, Connection to)
            throws IOException, JetStreamApiException, InterruptedException {
        try {
            return management.getStatus(name).getBackingStreamInfo();
        } catch (JetStreamApiException e) {
            if (e.getApiErrorCode() != STREAM_NOT_FOUND) {
                throw e;
            }
        }
        if (pending.first() == null) {
            return null;
        }
        boolean single = to.getServerInfo().getCluster() == null;
        KeyValueStatus made =
                management.create(
                        KeyValueConfiguration.builder(name)
                                .description("Wishdir: bans")
                                .storageType(StorageType.File)
                                .replicas(single ? 1 : REPLICAS)
                                .maxBucketSize(MAX_BUCKET_BYTES)
                                .maximumValueSize(MAX_VALUE_BYTES)
                                .build());
        return made.getBackingStreamInfo();
    }

    /** Collects what a watch delivers, within bounds. */
    private static final class Collector implements KeyValueWatcher {
        private final List<BucketEvent.Entry> entries = new ArrayList<>();
        private final CountDownLatch end = new CountDownLatch(1);
        private final long last;
        private long bytes;
        private boolean overflow;

        /**
         * @param last revision of the last entry that is awaited
         */
        Collector(long last) {
            this.last = last;
        }

        @Override
        public synchronized void watch(KeyValueEntry entry) {
            boolean deleted = entry.getOperation() != KeyValueOperation.PUT;
            byte[] value = entry.getValue();
            bytes += entry.getDataLen();
            overflow |= entries.size() >= MAX_ENTRIES || bytes > MAX_FETCH_BYTES;
            if (overflow) {
                end.countDown();
                return;
            }
            entries.add(
                    new BucketEvent.Entry(
                            entry.getKey(),
                            deleted ? null : value == null ? new byte[0] : value,
                            entry.getCreated().toInstant().toEpochMilli()));
            if (entry.getRevision() >= last) {
                end.countDown();
            }
        }

        @Override
        public void endOfData() {
            end.countDown();
        }

        synchronized boolean isOverfull() {
            return overflow;
        }

        synchronized List<BucketEvent.Entry> entries(String bucket) throws IOException {
            if (overflow) {
                throw new IOException(
                        "bucket "
                                + bucket
                                + " has more than "
                                + MAX_ENTRIES
                                + " entries, or more than "
                                + (MAX_FETCH_BYTES >> 20)
                                + " MiB: delete what is not needed");
            }
            return List.copyOf(entries);
        }
    }

    private List<BucketEvent.Entry> fetch(KeyValue bucket, long from, long last)
            throws IOException, JetStreamApiException, InterruptedException {
        Collector collector = new Collector(last);
        NatsKeyValueWatchSubscription watch =
                from == 0 ? bucket.watchAll(collector) : bucket.watchAll(collector, from);
        try {
            if (!collector.end.await(FETCH_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new IOException(
                        "the entries of bucket "
                                + name
                                + " did not come within "
                                + FETCH_TIMEOUT.toSeconds()
                                + " s");
            }
        } finally {
            watch.unsubscribe();
        }
        if (collector.isOverfull()) {
            // Marks of deleted entries count as well.
            bucket.purgeDeletes(
                    KeyValuePurgeOptions.builder().deleteMarkersThreshold(MIN_MARKER_AGE).build());
        }
        return collector.entries(name).stream()
                .filter(entry -> !pending.contains(entry.key()))
                .toList();
    }
}

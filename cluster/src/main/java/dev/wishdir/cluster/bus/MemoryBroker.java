package dev.wishdir.cluster.bus;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;

/**
 * Buses within one process and in virtual time, with delay, loss, duplication and partitions by a
 * seed. The same seed gives the same run. Messages of one publisher arrive in order, as NATS
 * delivers them. Not thread-safe.
 */
public final class MemoryBroker {
    /**
     * Conditions of all messages from now on.
     *
     * @param loss probability that one receiver misses a message, 0..1
     * @param duplication probability that one receiver gets a message twice, 0..1
     * @param delayNanos one-way delay
     * @param jitterNanos maximum random extra delay of each message
     */
    public record Conditions(double loss, double duplication, long delayNanos, long jitterNanos) {
        /** No loss; a delay of 0.3 ms. */
        public static final Conditions PERFECT = new Conditions(0, 0, 300_000, 0);
    }

    private record Arrival(long nanos, long order, BusEvent event) {}

    private final Random random;
    private final List<MemoryBus> buses = new ArrayList<>();
    private final MemoryStorage storage = new MemoryStorage();
    private Conditions conditions = Conditions.PERFECT;
    private long now;
    private long order;

    public MemoryBroker(long seed) {
        random = new Random(seed);
    }

    public void conditions(Conditions conditions) {
        this.conditions = conditions;
    }

    /** The virtual time, nanoseconds. */
    public long now() {
        return now;
    }

    /** Lets time pass. */
    public void advance(long nanos) {
        now += nanos;
    }

    /** A new bus, which is connected. */
    public MemoryBus connect() {
        return connect(0);
    }

    /**
     * A new bus, which is connected.
     *
     * @param clockOffsetNanos how much its clock is ahead, as no two machines have the same
     */
    public MemoryBus connect(long clockOffsetNanos) {
        MemoryBus bus = new MemoryBus(clockOffsetNanos);
        buses.add(bus);
        bus.reconnect();
        return bus;
    }

    /** Whether a subject matches a pattern, in which {@code *} stands for one token. */
    static boolean matches(String pattern, String subject) {
        String[] wanted = pattern.split("\\.", -1);
        String[] tokens = subject.split("\\.", -1);
        if (wanted.length != tokens.length) {
            return false;
        }
        for (int i = 0; i < wanted.length; i++) {
            if (!wanted[i].equals("*") && !wanted[i].equals(tokens[i])) {
                return false;
            }
        }
        return true;
    }

    /**
     * Whether the bucket is reached by the buses of side 0, as it is at first. Without it the
     * broker is like NATS without JetStream, or without its leader.
     */
    public void setBucketAvailable(boolean available) {
        storage.setAvailable(available);
    }

    /** The bucket is lost, and an empty one is in its place. */
    public void clearBucket() {
        storage.clear();
    }

    /** A bus of a {@link MemoryBroker}. */
    public final class MemoryBus implements Bus {
        private final Set<String> patterns = new LinkedHashSet<>();
        private final PriorityQueue<Arrival> arrivals =
                new PriorityQueue<>(
                        Comparator.comparingLong(Arrival::nanos).thenComparingLong(Arrival::order));
        private final Map<MemoryBus, Long> lastArrivals = new HashMap<>();
        private final MemoryBucket bucket =
                new MemoryBucket(storage, MemoryBroker.this::now, this::isBucketReached);
        private final long clockOffsetNanos;
        private int side;
        private boolean connected;
        private long sent;
        private long received;
        private long dropped;
        private long sentBytes;
        private long receivedBytes;

        private MemoryBus(long clockOffsetNanos) {
            this.clockOffsetNanos = clockOffsetNanos;
        }

        /** Moves the bus to one side of a partition; messages stay on one side. */
        public void moveTo(int side) {
            this.side = side;
        }

        /** Cuts the connection; what is under way to this bus is lost. */
        public void disconnect() {
            if (connected) {
                connected = false;
                arrivals.clear();
                add(new BusEvent.Disconnected("connection closed"));
            }
        }

        /** Connects the bus again. */
        public void reconnect() {
            if (!connected) {
                connected = true;
                add(new BusEvent.Connected("memory"));
            }
        }

        private void add(BusEvent event) {
            arrivals.add(new Arrival(now, order++, event));
        }

        private boolean isBucketReached() {
            return connected && side == 0;
        }

        @Override
        public Bucket bucket(String name) {
            return bucket;
        }

        @Override
        public void subscribe(String pattern) {
            patterns.add(pattern);
        }

        @Override
        public void unsubscribe(String pattern) {
            patterns.remove(pattern);
        }

        @Override
        public boolean publish(String subject, byte[] data) {
            return send(subject, "", data);
        }

        @Override
        public boolean publish(String subject, String replyTo, byte[] data) {
            return send(subject, replyTo, data);
        }

        private boolean send(String subject, String replyTo, byte[] data) {
            if (!connected) {
                dropped++;
                return false;
            }
            sent++;
            sentBytes += data.length;
            boolean responders = false;
            for (MemoryBus other : buses) {
                if (other != this && other.connected && other.side == side) {
                    if (other.patterns.stream().anyMatch(it -> matches(it, subject))) {
                        responders = true;
                        deliver(other, new BusEvent.Received(subject, replyTo, data));
                    }
                }
            }
            if (!responders && !replyTo.isEmpty()) {
                arrivals.add(
                        new Arrival(
                                now + conditions.delayNanos,
                                order++,
                                new BusEvent.NoResponders(replyTo)));
            }
            return true;
        }

        private void deliver(MemoryBus other, BusEvent event) {
            int copies = random.nextDouble() < conditions.duplication ? 2 : 1;
            for (int i = 0; i < copies; i++) {
                if (random.nextDouble() >= conditions.loss) {
                    long jitter =
                            conditions.jitterNanos == 0
                                    ? 0
                                    : random.nextLong(conditions.jitterNanos);
                    long nanos =
                            Math.max(
                                    now + conditions.delayNanos + jitter,
                                    other.lastArrivals.getOrDefault(this, Long.MIN_VALUE));
                    other.lastArrivals.put(this, nanos);
                    other.arrivals.add(new Arrival(nanos, order++, event));
                }
            }
        }

        @Override
        public @Nullable BusEvent poll() {
            Arrival next = arrivals.peek();
            if (next == null || next.nanos() > now) {
                return null;
            }
            arrivals.remove();
            if (next.event() instanceof BusEvent.Received message) {
                received++;
                receivedBytes += message.data().length;
            }
            return next.event();
        }

        /** Virtual time needs no wake-up: the test calls each node as time passes. */
        @Override
        public boolean requestWakeUp() {
            Arrival next = arrivals.peek();
            return next == null || next.nanos() > now;
        }

        @Override
        public long nanos() {
            return now + clockOffsetNanos;
        }

        @Override
        public BusCounters counters() {
            return new BusCounters(sent, received, dropped, 0, sentBytes, receivedBytes);
        }

        /** Leaves the broker, as a process does that is killed. */
        @Override
        public void close() {
            connected = false;
            arrivals.clear();
            buses.remove(this);
        }
    }
}

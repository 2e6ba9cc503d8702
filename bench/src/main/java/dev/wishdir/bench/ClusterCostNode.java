package dev.wishdir.bench;

import com.google.gson.JsonObject;
import com.google.protobuf.InvalidProtocolBufferException;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.ArenaListener;
import dev.wishdir.arena.event.NativeMovement;
import dev.wishdir.cluster.Node;
import dev.wishdir.cluster.bus.Bucket;
import dev.wishdir.cluster.bus.Bus;
import dev.wishdir.cluster.bus.BusCounters;
import dev.wishdir.cluster.bus.BusEvent;
import dev.wishdir.cluster.nats.NatsBus;
import dev.wishdir.cluster.nats.NatsSettings;
import dev.wishdir.cluster.publish.NodeSettings;
import dev.wishdir.cluster.v1.Batch;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.netty.NettyLoop;
import dev.wishdir.wire.Bytes;

import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/**
 * One node of {@link ClusterCost}: an arena with walking players whose native bytes are the time of
 * their movement, on the loop of a server. Prints a line of JSON at its end.
 *
 * <p>The processes compare times of {@link System#nanoTime}, which on Linux is the same clock for
 * all.
 */
final class ClusterCostNode implements ArenaListener {
    /** Address that stands for no cluster. */
    static final String NO_CLUSTER = "off";

    private static final long TURN_NANOS = 5_000_000;
    private static final int TURNS_PER_MOVEMENT = 7;
    private static final long MAX_LATENCY_NANOS = 10_000_000_000L;

    /** One of this many batches is parsed to measure its transit. */
    private static final int TRANSIT_SAMPLE = 8;

    private static final long CONTROL_NANOS = 10_000_000;

    private final Arena arena;
    private final List<Walker> walkers = new ArrayList<>();
    private final Histogram added = new Histogram(MAX_LATENCY_NANOS, 3);
    private final Histogram transit = new Histogram(MAX_LATENCY_NANOS, 3);
    private final Histogram control = new Histogram(MAX_LATENCY_NANOS, 3);
    private final NoClients clients = new NoClients();
    private boolean measuring;
    private long receivedBytes;
    private long batches;
    private long movements;
    private long nextWalk;
    private int phase;

    private ClusterCostNode(int players, int seed) {
        arena = new Arena(Walker.HALL, Math.max(1, players));
        arena.addListener(this);
        Random random = new Random(seed);
        for (int i = 0; i < players; i++) {
            ArenaPlayer player = arena.join(0, "quake3", "player " + seed + "-" + i, clients);
            walkers.add(new Walker(player, random));
        }
    }

    /**
     * Runs a node.
     *
     * @param arguments address of NATS or {@link #NO_CLUSTER}, number of players, seed, and on the
     *     clock of {@link System#nanoTime} the beginning and the end of the measurement
     */
    public static void main(String[] arguments) throws Exception {
        String address = arguments[0];
        ClusterCostNode node =
                new ClusterCostNode(Integer.parseInt(arguments[1]), Integer.parseInt(arguments[2]));
        System.out.println(
                node.run(address, Long.parseLong(arguments[3]), Long.parseLong(arguments[4])));
    }

    private JsonObject run(String address, long begin, long end) throws Exception {
        try (NettyLoop loop = new NettyLoop("node");
                DutyCycle cycle = loop.cycle()) {
            @Nullable NatsBus bus =
                    address.equals(NO_CLUSTER)
                            ? null
                            : NatsBus.connect(
                                    new NatsSettings(address), () -> cycle.execute(() -> {}));
            cycle.execute(() -> start(cycle, bus));
            sleepUntil(begin);
            long cpu = cpuNanos();
            long began = System.nanoTime();
            cycle.execute(() -> measuring = true);
            for (long due = begin; due < end; due += CONTROL_NANOS) {
                sleepUntil(due);
                control.recordValue(Math.clamp(System.nanoTime() - due, 0, MAX_LATENCY_NANOS));
            }
            cpu = cpuNanos() - cpu;
            double seconds = (System.nanoTime() - began) / 1e9;
            CountDownLatch stopped = new CountDownLatch(1);
            cycle.execute(() -> {
                measuring = false;
                stopped.countDown();
            });
            stopped.await();
            if (bus != null) {
                bus.close();
            }
            return result(cpu / 1e9 / seconds, seconds);
        }
    }

    private JsonObject result(double cpu, double seconds) {
        JsonObject result = new JsonObject();
        result.addProperty("cpu", 100 * cpu);
        result.addProperty("added_p50", added.getValueAtPercentile(50) / 1e6);
        result.addProperty("added_p99", added.getValueAtPercentile(99) / 1e6);
        result.addProperty("transit_p50", transit.getValueAtPercentile(50) / 1e6);
        result.addProperty("transit_p99", transit.getValueAtPercentile(99) / 1e6);
        result.addProperty("control_p99", control.getValueAtPercentile(99) / 1e6);
        result.addProperty("received", receivedBytes / seconds / 1e6);
        result.addProperty("batches", batches / seconds);
        result.addProperty("movements", movements / seconds);
        return result;
    }

    private void start(DutyCycle cycle, @Nullable NatsBus bus) {
        walkers.forEach(walker -> walker.player().spawn(cycle.now(), walker.next(TURN_NANOS)));
        nextWalk = cycle.now();
        cycle.add(this::walk);
        if (bus != null) {
            cycle.add(
                    new Node(
                            arena,
                            new MeasuredBus(bus),
                            new NodeSettings("bench", "bench", "1"),
                            "hall",
                            clients,
                            new Random()));
        }
        cycle.add(arena::advance);
    }

    /** Moves a seventh of the players each 5 ms. */
    private long walk(long now) {
        if (now < nextWalk) {
            return nextWalk;
        }
        nextWalk = Math.max(nextWalk + TURN_NANOS, now);
        for (int i = phase; i < walkers.size(); i += TURNS_PER_MOVEMENT) {
            Walker walker = walkers.get(i);
            Bytes made = Bytes.wrap(ByteBuffer.allocate(8).putLong(System.nanoTime()).array());
            walker.player().recordActivity(now);
            walker.player()
                    .move(
                            now,
                            walker.next(TURNS_PER_MOVEMENT * TURN_NANOS),
                            new NativeMovement.Stored("bench/1", made));
        }
        phase = (phase + 1) % TURNS_PER_MOVEMENT;
        return nextWalk;
    }

    @Override
    public void onEvent(ArenaEvent event) {
        if (measuring && event instanceof ArenaEvent.Moved moved && moved.id().isOfOtherServer()) {
            Bytes made = moved.player().nativeMovement().bytes();
            if (made.length() == 8) {
                long age = System.nanoTime() - ByteBuffer.wrap(made.toArray()).getLong();
                added.recordValue(Math.clamp(age, 0, MAX_LATENCY_NANOS));
                movements++;
            }
        }
    }

    private static long cpuNanos() {
        return ((com.sun.management.OperatingSystemMXBean)
                        ManagementFactory.getOperatingSystemMXBean())
                .getProcessCpuTime();
    }

    private static void sleepUntil(long nanos) {
        for (long left = nanos - System.nanoTime(); left > 0; left = nanos - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    /** Measures what comes from the bus. */
    private final class MeasuredBus implements Bus {
        private final NatsBus bus;

        MeasuredBus(NatsBus bus) {
            this.bus = bus;
        }

        @Override
        public @Nullable BusEvent poll() {
            BusEvent event = bus.poll();
            if (measuring && event instanceof BusEvent.Received message) {
                receivedBytes += message.data().length;
                if (message.subject().contains(".move.") && batches++ % TRANSIT_SAMPLE == 0) {
                    try {
                        long sent = Batch.parseFrom(message.data()).getHeader().getSentNs();
                        transit.recordValue(Math.clamp(bus.nanos() - sent, 0, MAX_LATENCY_NANOS));
                    } catch (InvalidProtocolBufferException e) {
                        throw new IllegalStateException("a node sent a malformed batch", e);
                    }
                }
            }
            return event;
        }

        @Override
        public void subscribe(String pattern) {
            bus.subscribe(pattern);
        }

        @Override
        public void unsubscribe(String pattern) {
            bus.unsubscribe(pattern);
        }

        @Override
        public boolean publish(String subject, byte[] data) {
            return bus.publish(subject, data);
        }

        @Override
        public boolean publish(String subject, String replyTo, byte[] data) {
            return bus.publish(subject, replyTo, data);
        }

        @Override
        public boolean requestWakeUp() {
            return bus.requestWakeUp();
        }

        @Override
        public Bucket bucket(String name) {
            return bus.bucket(name);
        }

        @Override
        public long nanos() {
            return bus.nanos();
        }

        @Override
        public BusCounters counters() {
            return bus.counters();
        }

        @Override
        public void close() {
            bus.close();
        }
    }
}

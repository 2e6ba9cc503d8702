package dev.wishdir.app;

import dev.wishdir.game.Client;
import dev.wishdir.game.ClientListener;
import dev.wishdir.game.Game;
import dev.wishdir.game.Joining;
import dev.wishdir.game.Pilot;
import dev.wishdir.motion.Angles;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.DutyCycle;

import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * Many clients on one server that measure how it relays. Each movement that a client sends carries
 * a tag in its view angles; every other client that sees the tag knows when it was sent, as all
 * share one clock. All is done on the one thread of the clients' loop.
 */
final class Load {
    /** A tag is forgotten after so long: it counts as lost then, and may be used again. */
    private static final long TAG_LIFE = 2_000_000_000L;

    /** What a run measured. Times in milliseconds, rates a second. */
    record Result(
            String game,
            String server,
            int clients,
            int joined,
            double seconds,
            long sent,
            long relayed,
            double loss,
            Latency latency,
            double rate,
            double slip,
            boolean held,
            double packetsIn,
            double packetsOut,
            double bytesIn,
            double bytesOut,
            List<String> problems) {}

    /** How long a movement was on its way from one client to another, milliseconds. */
    record Latency(double p50, double p95, double p99, double max) {
        static Latency of(Histogram nanos) {
            return new Latency(
                    nanos.getValueAtPercentile(50) / 1e6,
                    nanos.getValueAtPercentile(95) / 1e6,
                    nanos.getValueAtPercentile(99) / 1e6,
                    nanos.getMaxValue() / 1e6);
        }
    }

    private final Game game;
    private final InetSocketAddress server;
    private final String password;
    private final RandomGenerator random;
    private final List<Walker> walkers = new ArrayList<>();
    private final Map<Integer, Walker> byId = new HashMap<>();
    private final CountingCycle.Traffic traffic = new CountingCycle.Traffic();
    private final Histogram latency = new Histogram(60_000_000_000L, 3);
    private final Histogram intervals = new Histogram(60_000_000_000L, 3);
    private final List<String> problems = new ArrayList<>();
    private boolean measuring;
    private long measuredFrom;
    private long relayed;
    private long expected;

    Load(Game game, InetSocketAddress server, String password, RandomGenerator random) {
        this.game = game;
        this.server = server;
        this.password = password;
        this.random = random;
    }

    /** Adds a client. On the loop's thread. */
    void add(Supplier<DutyCycle> cycles) throws IOException {
        Walker walker = new Walker(walkers.size());
        walkers.add(walker);
        walker.client =
                game.connect(
                        new Joining(
                                new CountingCycle(cycles.get(), traffic),
                                server,
                                "load" + (walkers.size() - 1),
                                password,
                                walker,
                                walker,
                                random));
    }

    int joined() {
        return byId.size();
    }

    List<String> problems() {
        return problems;
    }

    /** Starts to measure, from nothing. */
    void measure(long now) {
        measuring = true;
        measuredFrom = now;
        relayed = 0;
        expected = 0;
        latency.reset();
        intervals.reset();
        traffic.clear();
        walkers.forEach(walker -> walker.sent = 0);
    }

    /** What was measured up to now. */
    Result result(long now) {
        double seconds = (now - measuredFrom) / 1e9;
        long sent = walkers.stream().mapToLong(walker -> walker.sent).sum();
        double rate = joined() == 0 ? 0 : sent / seconds / joined();
        double slip = Math.max(0, intervals.getValueAtPercentile(99) / 1e6 - 1000.0 / game.rate());
        return new Result(
                game.name(),
                server.getAddress().getHostAddress() + ":" + server.getPort(),
                walkers.size(),
                joined(),
                seconds,
                sent,
                relayed,
                expected == 0 ? 0 : Math.max(0, 1 - (double) relayed / expected),
                Latency.of(latency),
                rate,
                slip,
                joined() > 0 && rate > 0.95 * game.rate() && slip < 1000.0 / game.rate(),
                traffic.datagramsIn / seconds,
                traffic.datagramsOut / seconds,
                traffic.bytesIn / seconds,
                traffic.bytesOut / seconds,
                List.copyOf(problems));
    }

    void close() {
        measuring = false;
        for (Walker walker : walkers) {
            if (walker.client != null) {
                walker.client.close();
            }
        }
    }

    /** One client: walks, tags what it sends, and looks for the tags of the others. */
    private final class Walker implements Pilot, ClientListener {
        private final int index;
        private final long[] sentAt = new long[game.tags()];
        private int nextTag;
        private int[] lastSeen = new int[16];
        private Vec3 home = Vec3.ZERO;
        private long lastSteer;
        private long sent;
        private boolean in;
        @Nullable Client client;

        Walker(int index) {
            this.index = index;
            Arrays.fill(lastSeen, -1);
        }

        @Override
        public Steering steer(long now, Movement self) {
            if (!in) {
                return Steering.look(0, 0);
            }
            int tag = nextTag;
            nextTag = tag + 1 == sentAt.length ? 0 : tag + 1;
            sentAt[tag] = now;
            if (measuring) {
                sent++;
                expected += byId.size() - 1;
                intervals.recordValue(Math.clamp(now - lastSteer, 0, 50_000_000_000L));
            }
            lastSteer = now;
            Game.View view = game.tagged(tag);
            Vec3 out = self.position().minus(home);
            double direction =
                    out.horizontal() > 10
                            ? Angles.yaw(-out.x(), -out.y())
                            : (now / 1e9 * 40 + index * 37) % 360;
            return Steering.walk(direction, view.yaw(), view.pitch());
        }

        @Override
        public void joined(Client self) {
            in = true;
            home = self.movement().position();
            lastSteer = Long.MAX_VALUE;
            byId.put(self.id(), this);
        }

        @Override
        public void moved(Client self, long now, Client.Seen other) {
            if (!measuring) {
                return;
            }
            Walker sender = byId.get(other.id());
            int tag = sender == null ? -1 : game.tag(other.movement());
            if (sender == null || tag < 0 || tag == lastSeen(sender.index)) {
                return;
            }
            lastSeen[sender.index] = tag;
            long sentTime = sender.sentAt[tag];
            if (sentTime >= measuredFrom && now - sentTime < TAG_LIFE) {
                latency.recordValue(Math.max(0, now - sentTime));
                relayed++;
            }
        }

        private int lastSeen(int sender) {
            if (sender >= lastSeen.length) {
                int length = lastSeen.length;
                lastSeen = Arrays.copyOf(lastSeen, Math.max(sender + 1, 2 * length));
                Arrays.fill(lastSeen, length, lastSeen.length, -1);
            }
            return lastSeen[sender];
        }

        @Override
        public void ended(Client self, Ending ending, String reason) {
            in = false;
            byId.values().remove(this);
            if (ending != Ending.LEFT) {
                problems.add(reason);
            }
        }
    }
}

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
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * Many clients on one server that measure how it relays. Each movement that a client sends carries
 * a tag in its view angles; every other client that sees the tag knows when it was sent, as all
 * share one clock. All is done on the one thread of the clients' loop.
 */
final class Load {
    /** A tag is forgotten after so long, and may be used again. */
    private static final long TAG_LIFE = 2_000_000_000L;

    /** Who is gone and back so soon flickers. */
    private static final long FLICKER = 5_000_000_000L;

    /**
     * What a run measured. Times in milliseconds, rates a second.
     *
     * @param relayed movements that another client saw
     * @param superseded movements that a newer one of the same client replaced before they were
     *     seen: a server that tells positions by its own clock passes over those between
     * @param loss share of the movements of others whom the client was shown after which nothing
     *     was seen for two seconds, neither they nor a newer one
     * @param updates movements of one other client that a client saw a second, of those it was
     *     shown
     * @param shown how many others a client was shown at the end, on the average
     * @param flickers how often somebody vanished and was back within five seconds
     * @param viewerPackets datagrams a second to one client
     * @param viewerBytes bytes a second to one client
     */
    record Result(
            String game,
            String server,
            int clients,
            int joined,
            double seconds,
            long sent,
            long relayed,
            long superseded,
            double loss,
            double updates,
            double shown,
            long flickers,
            Latency latency,
            double rate,
            double slip,
            boolean held,
            double packetsIn,
            double packetsOut,
            double bytesIn,
            double bytesOut,
            double viewerPackets,
            double viewerBytes,
            List<String> problems) {}

    /**
     * How long a movement was on its way from one client to another, milliseconds.
     *
     * @param waiting share of the mean that is waiting for the server's turn: what the mean is
     *     above the time of the fastest hundredth
     */
    record Latency(double mean, double p50, double p95, double p99, double max, double waiting) {
        static Latency of(Histogram nanos) {
            double fastest = nanos.getValueAtPercentile(1);
            double mean = nanos.getMean();
            return new Latency(
                    mean / 1e6,
                    nanos.getValueAtPercentile(50) / 1e6,
                    nanos.getValueAtPercentile(95) / 1e6,
                    nanos.getValueAtPercentile(99) / 1e6,
                    nanos.getMaxValue() / 1e6,
                    mean > 0 ? Math.max(0, 1 - fastest / mean) : 0);
        }
    }

    private final Game game;
    private final InetSocketAddress server;
    private final String password;
    private final Map<String, String> options;
    private final RandomGenerator random;
    private final String prefix;
    private final List<Walker> walkers = new ArrayList<>();

    /** Those who are in, by name: each viewer has numbers of its own for the others. */
    private final Map<String, Walker> byName = new HashMap<>();

    private final ClientCycle.Traffic traffic = new ClientCycle.Traffic();
    private final Histogram latency = new Histogram(60_000_000_000L, 3);
    private final Histogram intervals = new Histogram(60_000_000_000L, 3);
    private final List<String> problems = new ArrayList<>();
    private boolean measuring;
    private long measuredFrom;
    private long relayed;
    private long superseded;
    private long lost;
    private long flickers;

    Load(
            Game game,
            InetSocketAddress server,
            String password,
            Map<String, String> options,
            RandomGenerator random) {
        this.game = game;
        this.server = server;
        this.password = password;
        this.options = options;
        this.random = random;
        // Another load on the same server has clients as well.
        prefix =
                "load"
                        + Integer.toString(random.nextInt(36 * 36 * 36, 36 * 36 * 36 * 36), 36)
                        + "x";
    }

    /** Adds a client. On the loop's thread. */
    void add(Supplier<DutyCycle> cycles, Optional<InetAddress> from) throws IOException {
        Walker walker = new Walker(walkers.size());
        walkers.add(walker);
        walker.client =
                game.connect(
                        Joining.to(new ClientCycle(cycles.get(), from, traffic), server)
                                .name(walker.name)
                                .password(password)
                                .options(options)
                                .pilot(walker)
                                .listener(walker)
                                .random(random)
                                .build());
    }

    int joined() {
        return byName.size();
    }

    List<String> problems() {
        return problems;
    }

    /** Starts to measure, from nothing. */
    void measure(long now) {
        measuring = true;
        measuredFrom = now;
        relayed = 0;
        superseded = 0;
        lost = 0;
        flickers = 0;
        latency.reset();
        intervals.reset();
        traffic.clear();
        walkers.forEach(walker -> walker.first = walker.next);
    }

    /** What was measured up to now. */
    Result result(long now) {
        double seconds = (now - measuredFrom) / 1e9;
        long sent = walkers.stream().mapToLong(walker -> walker.next - walker.first).sum();
        long never = lost + unseen(now);
        long pairs = byName.values().stream().mapToLong(walker -> walker.shown.cardinality()).sum();
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
                superseded,
                never == 0 ? 0 : (double) never / (relayed + superseded + never),
                pairs == 0 ? 0 : relayed / seconds / pairs,
                joined() == 0 ? 0 : (double) pairs / joined(),
                flickers,
                Latency.of(latency),
                rate,
                slip,
                joined() > 0 && rate > 0.95 * game.rate() && slip < 1000.0 / game.rate(),
                traffic.datagramsIn / seconds,
                traffic.datagramsOut / seconds,
                traffic.bytesIn / seconds,
                traffic.bytesOut / seconds,
                joined() == 0 ? 0 : traffic.datagramsIn / seconds / joined(),
                joined() == 0 ? 0 : traffic.bytesIn / seconds / joined(),
                List.copyOf(problems));
    }

    /** The movements that are old by now and were followed by nothing. */
    private long unseen(long now) {
        long unseen = 0;
        for (Walker viewer : byName.values()) {
            for (Walker sender : byName.values()) {
                if (viewer.shown.get(sender.index)) {
                    long old = viewer.seen(sender) + 1;
                    while (old < sender.next && sender.isOld(now, old)) {
                        old++;
                        unseen++;
                    }
                }
            }
        }
        return unseen;
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
        private final String name;
        private final long[] sentAt = new long[game.tags()];
        private final BitSet shown = new BitSet();
        private final Map<String, Long> vanishedAt = new HashMap<>();
        private long[] newest = new long[16];
        private Vec3 home = Vec3.ZERO;
        private long lastSteer;
        private long next;
        private long first;
        private boolean in;
        @Nullable Client client;

        Walker(int index) {
            this.index = index;
            name = prefix + index;
            Arrays.fill(newest, -1);
        }

        @Override
        public Steering steer(long now, Movement self) {
            if (!in) {
                return Steering.look(0, 0);
            }
            int tag = (int) (next++ % sentAt.length);
            sentAt[tag] = now;
            if (measuring) {
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
            byName.put(name, this);
        }

        @Override
        public void appeared(Client self, Client.Seen other) {
            Walker sender = byName.get(other.name());
            if (sender != null) {
                shows(sender);
            }
            Long before = vanishedAt.remove(other.name());
            if (measuring && before != null && lastSteer - before < FLICKER) {
                flickers++;
            }
        }

        /** What it did before it was shown nobody waits for. */
        private void shows(Walker sender) {
            if (!shown.get(sender.index)) {
                shown.set(sender.index);
                see(sender, sender.next - 1);
            }
        }

        @Override
        public void vanished(Client self, Client.Seen other) {
            Walker sender = byName.get(other.name());
            if (sender != null) {
                shown.clear(sender.index);
            }
            vanishedAt.put(other.name(), lastSteer);
        }

        @Override
        public void moved(Client self, long now, Client.Seen other) {
            Walker sender = byName.get(other.name());
            if (sender != null && sender != this) {
                shows(sender);
            }
            if (!measuring) {
                return;
            }
            int tag = sender == null ? -1 : game.tag(other.movement());
            if (sender == null || tag < 0) {
                return;
            }
            long last = sender.next - 1;
            long number = last - Math.floorMod(last - tag, (long) sentAt.length);
            long seen = seen(sender);
            if (number <= seen || sender.isOld(now, number)) {
                return;
            }
            for (long between = seen + 1; between < number; between++) {
                if (sender.isOld(now, between)) {
                    lost++;
                } else {
                    superseded++;
                }
            }
            see(sender, number);
            relayed++;
            latency.recordValue(Math.max(0, now - sender.sentAt[tag]));
        }

        /** Whether a movement was sent so long ago that it is no longer waited for. */
        private boolean isOld(long now, long number) {
            return next - number > sentAt.length
                    || now - sentAt[(int) (number % sentAt.length)] >= TAG_LIFE;
        }

        /** The newest movement of another that it saw, or the last before the measuring. */
        private long seen(Walker sender) {
            long number = sender.index < newest.length ? newest[sender.index] : -1;
            return Math.max(number, sender.first - 1);
        }

        private void see(Walker sender, long number) {
            if (sender.index >= newest.length) {
                int length = newest.length;
                newest = Arrays.copyOf(newest, Math.max(sender.index + 1, 2 * length));
                Arrays.fill(newest, length, newest.length, -1);
            }
            newest[sender.index] = number;
        }

        @Override
        public void ended(Client self, Ending ending, String reason) {
            in = false;
            byName.remove(name, this);
            if (ending != Ending.LEFT) {
                problems.add(reason);
            }
        }
    }
}

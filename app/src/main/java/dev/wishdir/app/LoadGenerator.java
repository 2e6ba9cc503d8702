package dev.wishdir.app;

import dev.wishdir.game.BotController;
import dev.wishdir.game.Client;
import dev.wishdir.game.ClientConfig;
import dev.wishdir.game.ClientListener;
import dev.wishdir.game.Game;
import dev.wishdir.motion.Angles;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.DutyCycle;
import dev.wishdir.wire.AddressText;

import org.HdrHistogram.Histogram;
import org.HdrHistogram.IntCountsHistogram;
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
import java.util.stream.Stream;

/**
 * Many clients on one server that measure how it relays. Each movement that a client sends carries
 * a tag in its view angles; every other client that sees the tag knows when it was sent, as all
 * share one clock. All is done on the one thread of the clients' loop.
 */
final class LoadGenerator {
    /** A tag is forgotten after so long, and may be used again. */
    private static final long TAG_LIFETIME_NANOS = 2_000_000_000L;

    /** Who is gone and back so soon flickers. */
    private static final long FLICKER_NANOS = 5_000_000_000L;

    private final Game game;
    private final InetSocketAddress server;
    private final String password;
    private final Map<String, String> options;
    private final RandomGenerator random;

    /**
     * What names begin with, so short that none is cut with the sign of its game before it, in
     * games of 15 characters: who is shown is known by it.
     */
    private final String prefix;

    private final List<Walker> walkers = new ArrayList<>();

    /** Those who are in, by name: each viewer has numbers of its own for the others. */
    private final Map<String, Walker> byName = new HashMap<>();

    private final DatagramCounters counters = new DatagramCounters();
    private final Histogram latency = new Histogram(60_000_000_000L, 3);

    /** Of the interval that is not over yet. */
    private final Histogram lately = new Histogram(60_000_000_000L, 3);

    private final Histogram intervals = new Histogram(60_000_000_000L, 3);
    private final List<String> problems = new ArrayList<>();
    private final List<String> errors = new ArrayList<>();
    private boolean measuring;
    private long measuredFrom;
    private long intervalFrom;
    private long datagramsBefore;
    private long relayed;
    private long superseded;
    private long lost;
    private long flickers;

    /** How long each client was in, and was shown each other, together: seconds. */
    private double presence;

    private double sight;

    LoadGenerator(
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
        prefix = "load" + Integer.toString(random.nextInt(36 * 36, 36 * 36 * 36), 36);
    }

    /** Adds a client. On the loop's thread. */
    void add(Supplier<DutyCycle> cycles, Optional<InetAddress> from) throws IOException {
        Walker walker = new Walker(walkers.size());
        walkers.add(walker);
        walker.client =
                game.connect(
                        ClientConfig.builder(
                                        new MeteredDutyCycle(cycles.get(), from, counters), server)
                                .name(walker.name)
                                .password(password)
                                .options(options)
                                .controller(walker)
                                .listener(walker)
                                .random(random)
                                .build());
    }

    /** The generator itself failed, as where it has no memory left: what it measures is wrong. */
    void broke(Throwable error) {
        errors.add("the load generator failed: " + error);
    }

    /** How the generator itself failed, each time. */
    List<String> errors() {
        return errors;
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
        intervalFrom = now;
        datagramsBefore = 0;
        presence = 0;
        sight = 0;
        relayed = 0;
        superseded = 0;
        lost = 0;
        flickers = 0;
        latency.reset();
        lately.reset();
        intervals.reset();
        counters.clear();
        walkers.forEach(Walker::measure);
    }

    /** Ends an interval and begins the next. */
    LoadResult.Interval interval(long now) {
        double seconds = (now - intervalFrom) / 1e9;
        LoadResult.Interval interval =
                new LoadResult.Interval(
                        now,
                        seconds,
                        joined(),
                        lately.getTotalCount(),
                        counters.in().datagrams() - datagramsBefore,
                        LoadResult.Latency.of(lately));
        presence += seconds * joined();
        sight += seconds * pairs();
        latency.add(lately);
        lately.reset();
        intervalFrom = now;
        datagramsBefore = counters.in().datagrams();
        return interval;
    }

    private long pairs() {
        return byName.values().stream().mapToLong(walker -> walker.shown.cardinality()).sum();
    }

    /** How long the movements were on their way, nanoseconds: those of the intervals that ended. */
    Histogram latency() {
        return latency.copy();
    }

    /** What each client saw, in the order in which they were added. */
    List<LoadResult.Share> shares(long now) {
        double seconds = (now - measuredFrom) / 1e9;
        return walkers.stream().map(walker -> walker.share(seconds)).toList();
    }

    /** What was measured up to now, which ends an interval. */
    LoadResult result(long now) {
        interval(now);
        double seconds = (now - measuredFrom) / 1e9;
        long sent = walkers.stream().mapToLong(walker -> walker.next - walker.first).sum();
        long never = lost + unseen(now);
        double rate = each((double) sent, presence);
        double slip = Math.max(0, intervals.getValueAtPercentile(99) / 1e6 - 1000.0 / game.rate());
        return new LoadResult(
                game.name(),
                AddressText.of(server),
                walkers.size(),
                joined(),
                seconds,
                sent,
                relayed,
                superseded,
                never == 0 ? 0 : (double) never / (relayed + superseded + never),
                each((double) relayed, sight),
                each(sight, presence),
                flickers,
                LoadResult.Latency.of(latency),
                rate,
                slip,
                rate > 0.95 * game.rate() && slip < 1000.0 / game.rate(),
                counters.in().datagrams() / seconds,
                counters.out().datagrams() / seconds,
                counters.in().bytes() / seconds,
                counters.out().bytes() / seconds,
                each((double) counters.in().datagrams(), presence),
                each((double) counters.in().bytes(), presence),
                LoadResult.Reason.group(
                        Stream.concat(problems.stream(), errors.stream()).toList()));
    }

    private static double each(double all, double of) {
        return of == 0 ? 0 : all / of;
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
    private final class Walker implements BotController, ClientListener {
        private final int index;
        private final String name;
        private final long[] sentAt = new long[game.latencyTagCount()];
        private final BitSet shown = new BitSet();
        private final Map<String, Long> vanishedAt = new HashMap<>();
        private long[] newest = new long[16];
        private Vec3 home = Vec3.ZERO;
        private final IntCountsHistogram micros = new IntCountsHistogram(2);
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

        void measure() {
            first = next;
            micros.reset();
        }

        LoadResult.Share share(double seconds) {
            return new LoadResult.Share(
                    name,
                    micros.getTotalCount() / seconds,
                    micros.getValueAtPercentile(50) / 1e3,
                    micros.getValueAtPercentile(99) / 1e3,
                    in);
        }

        @Override
        public PlayerInput steer(long now, Movement self) {
            if (!in) {
                return PlayerInput.look(0, 0);
            }
            int tag = (int) (next++ % sentAt.length);
            sentAt[tag] = now;
            if (measuring) {
                intervals.recordValue(Math.clamp(now - lastSteer, 0, 50_000_000_000L));
            }
            lastSteer = now;
            Game.View view = game.encodeLatencyTag(tag);
            Vec3 out = self.position().minus(home);
            double direction =
                    out.horizontal() > 10
                            ? Angles.yaw(-out.x(), -out.y())
                            : (now / 1e9 * 40 + index * 37) % 360;
            return PlayerInput.walk(direction, view.yaw(), view.pitch());
        }

        @Override
        public void onJoined(Client self) {
            in = true;
            home = self.movement().position();
            lastSteer = Long.MAX_VALUE;
            byName.put(name, this);
        }

        @Override
        public void onAppeared(Client self, Client.RemotePlayer other) {
            Walker sender = byName.get(other.name());
            if (sender != null) {
                shows(sender);
            }
            Long before = vanishedAt.remove(other.name());
            if (measuring && before != null && lastSteer - before < FLICKER_NANOS) {
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
        public void onVanished(Client self, Client.RemotePlayer other) {
            Walker sender = byName.get(other.name());
            if (sender != null) {
                shown.clear(sender.index);
            }
            vanishedAt.put(other.name(), lastSteer);
        }

        @Override
        public void onMoved(Client self, long now, Client.RemotePlayer other) {
            Walker sender = byName.get(other.name());
            if (sender != null && sender != this) {
                shows(sender);
            }
            if (!measuring) {
                return;
            }
            int tag = sender == null ? -1 : game.decodeLatencyTag(other.movement());
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
            long took = Math.max(0, now - sender.sentAt[tag]);
            lately.recordValue(took);
            micros.recordValue(took / 1000);
        }

        /** Whether a movement was sent so long ago that it is no longer waited for. */
        private boolean isOld(long now, long number) {
            return next - number > sentAt.length
                    || now - sentAt[(int) (number % sentAt.length)] >= TAG_LIFETIME_NANOS;
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
        public void onEnded(Client self, Ending ending, String reason) {
            in = false;
            byName.remove(name, this);
            if (ending != Ending.LEFT) {
                problems.add(reason);
            }
        }
    }
}

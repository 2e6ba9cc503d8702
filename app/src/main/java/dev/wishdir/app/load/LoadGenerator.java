package dev.wishdir.app.load;

import dev.wishdir.app.bot.BotFight;
import dev.wishdir.app.bot.BotNames;
import dev.wishdir.app.bot.BotPath;
import dev.wishdir.app.command.CountedReason;
import dev.wishdir.app.machine.DatagramCounters;
import dev.wishdir.app.machine.MeteredDutyCycle;
import dev.wishdir.game.BotController;
import dev.wishdir.game.Client;
import dev.wishdir.game.ClientConfig;
import dev.wishdir.game.ClientListener;
import dev.wishdir.game.Game;
import dev.wishdir.motion.Angles;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.simulation.LinkConditions;
import dev.wishdir.net.simulation.LinkCounters;
import dev.wishdir.net.simulation.LinkEmulation;
import dev.wishdir.wire.AddressText;

import org.HdrHistogram.Histogram;
import org.HdrHistogram.IntCountsHistogram;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * Many clients that measure how a server relays movement. Each movement that a client sends has a
 * tag in its view angles; a client that receives the tag knows when it was sent, as all share one
 * clock. All methods run on the one thread of the clients' loop. It has many fields because it
 * collects all figures of one run.
 */
public final class LoadGenerator {
    private static final Duration JOIN_TIMEOUT = Duration.ofSeconds(60);

    /** After this time a tag no longer counts, and may be used again. */
    private static final long TAG_LIFETIME_NANOS = 2_000_000_000L;

    /** A player that vanishes and appears again within this time flickers. */
    private static final long FLICKER_NANOS = 5_000_000_000L;

    private final Game game;
    private final InetSocketAddress server;
    private final String password;
    private final Map<String, String> options;
    private final LinkEmulation links;
    private final RandomGenerator random;

    /**
     * The start of all names, by which visible players are recognized. Short, so that a name fits
     * into 15 characters, the limit of Quake II, together with the tag of its game.
     */
    private final BotNames names;

    /** Ends the names of this generator's clients, as another one may load the same server. */
    private final String suffix;

    private final List<Walker> walkers = new ArrayList<>();
    private final List<Fighter> fighters = new ArrayList<>();

    /** Joined clients by name, as each viewer has its own numbers for the others. */
    private final Map<String, Walker> byName = new HashMap<>();

    private final DatagramCounters counters = new DatagramCounters();
    private final Histogram latency = new Histogram(60_000_000_000L, 3);

    /** Latencies of the current interval. */
    private final Histogram intervalLatency = new Histogram(60_000_000_000L, 3);

    private final Histogram intervals = new Histogram(60_000_000_000L, 3);
    private final List<String> problems = new ArrayList<>();
    private final List<String> errors = new ArrayList<>();
    private boolean measuring;
    private long measuredFrom;
    private LinkCounters upBefore = LinkCounters.ZERO;
    private LinkCounters downBefore = LinkCounters.ZERO;
    private long intervalFrom;
    private long datagramsBefore;
    private long relayed;
    private long superseded;
    private long lost;
    private long flickers;

    /** Seconds that clients were joined, summed over all clients. */
    private double joinedSeconds;

    /** Nanoseconds in which they could move, summed over all clients: not dead. */
    private long aliveNanos;

    /** Seconds that a client was visible to another, summed over all pairs. */
    private double visibleSeconds;

    /** A generator whose clients have links without faults. */
    public LoadGenerator(
            Game game,
            InetSocketAddress server,
            String password,
            Map<String, String> options,
            RandomGenerator random) {
        this(
                game,
                server,
                password,
                options,
                new LinkEmulation(LinkConditions.NONE, LinkConditions.NONE, 0),
                random);
    }

    /**
     * @param links the links of the clients, with their faults
     */
    public LoadGenerator(
            Game game,
            InetSocketAddress server,
            String password,
            Map<String, String> options,
            LinkEmulation links,
            RandomGenerator random) {
        this.game = game;
        this.server = server;
        this.password = password;
        this.options = options;
        this.links = links;
        this.random = random;
        // Another load may have clients on the same server.
        names = new BotNames(random);
        suffix = "-" + Integer.toString(random.nextInt(36 * 36, 36 * 36 * 36), 36);
    }

    /** Adds a client. On the loop's thread. */
    public void add(Supplier<DutyCycle> cycles, Optional<InetAddress> from) throws IOException {
        Walker walker = new Walker(walkers.size());
        walkers.add(walker);
        walker.client = connect(cycles, from, counters, walker.name, walker, walker);
    }

    /**
     * Adds a client that fights, besides those that measure; none of the figures contain it. On the
     * loop's thread.
     *
     * @param skill 0 to {@link BotFight#MAX_SKILL}
     */
    public void addFighter(Supplier<DutyCycle> cycles, Optional<InetAddress> from, int skill)
            throws IOException {
        Fighter fighter = new Fighter(skill);
        String name = names.next() + suffix;
        fighters.add(fighter);
        fighter.client =
                connect(cycles, from, new DatagramCounters(), name, fighter.controller, fighter);
    }

    private Client connect(
            Supplier<DutyCycle> cycles,
            Optional<InetAddress> from,
            DatagramCounters counted,
            String name,
            BotController controller,
            ClientListener listener)
            throws IOException {
        return game.connect(
                ClientConfig.builder(
                                new MeteredDutyCycle(links.around(cycles.get()), from, counted),
                                server)
                        .name(name)
                        .password(password)
                        .options(options)
                        .controller(controller)
                        .listener(listener)
                        .random(random)
                        // Servers of Quake III answer an address only once a second.
                        .joinTimeout(JOIN_TIMEOUT)
                        .build());
    }

    /** Records that the generator itself failed, so that its figures are wrong. */
    void onError(Throwable error) {
        errors.add("the load generator failed: " + error);
    }

    /** The failures of the generator itself. */
    List<String> errors() {
        return errors;
    }

    /** The number of joined clients that measure. */
    public int joined() {
        return byName.size();
    }

    /** The number of all joined clients. */
    int present() {
        return joined() + (int) fighters.stream().filter(fighter -> fighter.in).count();
    }

    List<String> problems() {
        return problems;
    }

    /** Resets all figures and starts the measurement. */
    void measure(long now) {
        measuring = true;
        measuredFrom = now;
        intervalFrom = now;
        datagramsBefore = 0;
        joinedSeconds = 0;
        aliveNanos = 0;
        visibleSeconds = 0;
        relayed = 0;
        superseded = 0;
        lost = 0;
        flickers = 0;
        latency.reset();
        intervalLatency.reset();
        intervals.reset();
        counters.clear();
        upBefore = links.upCounters();
        downBefore = links.downCounters();
        walkers.forEach(Walker::measure);
    }

    /** Ends an interval and starts the next. */
    LoadResult.Interval endInterval(long now) {
        double seconds = (now - intervalFrom) / 1e9;
        LoadResult.Interval interval =
                new LoadResult.Interval(
                        now,
                        seconds,
                        joined(),
                        intervalLatency.getTotalCount(),
                        counters.in().datagrams() - datagramsBefore,
                        LoadResult.Latency.of(intervalLatency));
        joinedSeconds += seconds * joined();
        visibleSeconds += seconds * pairs();
        latency.add(intervalLatency);
        intervalLatency.reset();
        intervalFrom = now;
        datagramsBefore = counters.in().datagrams();
        return interval;
    }

    private long pairs() {
        return byName.values().stream().mapToLong(walker -> walker.visible.cardinality()).sum();
    }

    /** The latencies of the movements in all ended intervals, in nanoseconds. */
    Histogram latency() {
        return latency.copy();
    }

    /** The figures of each client, in the order in which they were added. */
    List<LoadResult.Share> shares(long now) {
        double seconds = (now - measuredFrom) / 1e9;
        return walkers.stream().map(walker -> walker.share(seconds)).toList();
    }

    /** Ends an interval, and returns the figures up to now. */
    LoadResult result(long now) {
        endInterval(now);
        double seconds = (now - measuredFrom) / 1e9;
        long sent = walkers.stream().mapToLong(walker -> walker.next - walker.first).sum();
        long allLost = lost + unseen(now);
        long open = byName.values().stream().mapToLong(walker -> walker.sinceSteer(now)).sum();
        double rate = ratio(sent * 1e9, (double) (aliveNanos + open));
        double delay =
                Math.max(
                        0, intervals.getValueAtPercentile(99) / 1e6 - 1000.0 / game.movementRate());
        return new LoadResult(
                game.name(),
                AddressText.of(server),
                walkers.size(),
                joined(),
                seconds,
                sent,
                relayed,
                superseded,
                allLost == 0 ? 0 : (double) allLost / (relayed + superseded + allLost),
                ratio((double) relayed, visibleSeconds),
                ratio(visibleSeconds, joinedSeconds),
                flickers,
                LoadResult.Latency.of(latency),
                rate,
                delay,
                rate > 0.95 * game.movementRate() && delay < 1000.0 / game.movementRate(),
                counters.in().datagrams() / seconds,
                counters.out().datagrams() / seconds,
                counters.in().bytes() / seconds,
                counters.out().bytes() / seconds,
                ratio((double) counters.in().datagrams(), joinedSeconds),
                ratio((double) counters.in().bytes(), joinedSeconds),
                LoadResult.Faults.of(
                        links.upCounters().since(upBefore), links.downCounters().since(downBefore)),
                CountedReason.group(Stream.concat(problems.stream(), errors.stream()).toList()));
    }

    private static double ratio(double all, double of) {
        return of == 0 ? 0 : all / of;
    }

    /** The number of movements that expired and after which no newer one was seen. */
    private long unseen(long now) {
        long unseen = 0;
        for (Walker viewer : byName.values()) {
            for (Walker sender : byName.values()) {
                if (viewer.visible.get(sender.index)) {
                    long expired = viewer.lastSeen(sender) + 1;
                    while (expired < sender.next && sender.isExpired(now, expired)) {
                        expired++;
                        unseen++;
                    }
                }
            }
        }
        return unseen;
    }

    void close() {
        measuring = false;
        Stream.concat(
                        walkers.stream().map(walker -> walker.client),
                        fighters.stream().map(fighter -> fighter.client))
                .filter(Objects::nonNull)
                .forEach(Client::close);
    }

    /** A client that hunts and shoots. */
    private final class Fighter implements ClientListener {
        private final BotController controller;
        private boolean in;
        @Nullable Client client;

        Fighter(int skill) {
            controller =
                    new BotFight(
                            () -> client,
                            Optional::empty,
                            BotPath.RANDOM.controller(random),
                            skill,
                            random);
        }

        @Override
        public void onJoined(Client self) {
            in = true;
        }

        @Override
        public void onEnded(Client self, EndReason ending, String reason) {
            in = false;
            if (ending != EndReason.LEFT) {
                problems.add(reason);
            }
        }
    }

    /** A client that walks, tags its movements, and reads the tags of others. */
    private final class Walker implements BotController, ClientListener {
        private final int index;
        private final String name;
        private final long[] sentAt = new long[game.latencyTagCount()];
        private final BitSet visible = new BitSet();
        private final Map<String, Long> vanishedAt = new HashMap<>();

        /** Names of the players that it has seen, and which of them died since. */
        private final Map<Long, String> names = new HashMap<>();

        private final Set<String> died = new HashSet<>();
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
            name = LoadGenerator.this.names.next() + suffix;
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
            if (!in || isDead()) {
                lastSteer = Long.MAX_VALUE;
                return PlayerInput.look(0, 0);
            }
            int tag = (int) (next++ % sentAt.length);
            sentAt[tag] = now;
            if (measuring) {
                intervals.recordValue(Math.clamp(now - lastSteer, 0, 50_000_000_000L));
                aliveNanos += sinceSteer(now);
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

        /** Time since its last movement, of the measurement; 0 while it is dead. */
        private long sinceSteer(long now) {
            return Math.max(0, now - Math.max(lastSteer, measuredFrom));
        }

        private boolean isDead() {
            return client != null && client.health().orElse(1) <= 0;
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
                markVisible(sender);
            }
            names.put(other.id(), other.name());
            died.remove(other.name());
            Long before = vanishedAt.remove(other.name());
            if (measuring && before != null && lastSteer - before < FLICKER_NANOS) {
                flickers++;
            }
        }

        /** Marks a sender as visible; its earlier movements are not expected. */
        private void markVisible(Walker sender) {
            if (!visible.get(sender.index)) {
                visible.set(sender.index);
                recordSeen(sender, sender.next - 1);
            }
        }

        @Override
        public void onVanished(Client self, Client.RemotePlayer other) {
            Walker sender = byName.get(other.name());
            if (sender != null) {
                visible.clear(sender.index);
            }
            if (!died.remove(other.name())) {
                vanishedAt.put(other.name(), lastSteer);
            }
        }

        /** A body that goes by a death does not flicker. */
        @Override
        public void onDeath(Client self, long victim, long killer) {
            if (victim == self.id()) {
                lastSteer = Long.MAX_VALUE;
            }
            String name = names.get(victim);
            if (name != null && vanishedAt.remove(name) == null) {
                died.add(name);
            }
        }

        @Override
        public void onMoved(Client self, long now, Client.RemotePlayer other) {
            Walker sender = byName.get(other.name());
            if (sender != null && sender != this) {
                markVisible(sender);
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
            long seen = lastSeen(sender);
            if (number <= seen || sender.isExpired(now, number)) {
                return;
            }
            for (long between = seen + 1; between < number; between++) {
                if (sender.isExpired(now, between)) {
                    lost++;
                } else {
                    superseded++;
                }
            }
            recordSeen(sender, number);
            relayed++;
            long elapsed = Math.max(0, now - sender.sentAt[tag]);
            intervalLatency.recordValue(elapsed);
            micros.recordValue(elapsed / 1000);
        }

        /** Whether a movement was sent so long ago that it is no longer expected. */
        private boolean isExpired(long now, long number) {
            return next - number > sentAt.length
                    || now - sentAt[(int) (number % sentAt.length)] >= TAG_LIFETIME_NANOS;
        }

        /** The newest movement of a sender that was seen, or the last before the measurement. */
        private long lastSeen(Walker sender) {
            long number = sender.index < newest.length ? newest[sender.index] : -1;
            return Math.max(number, sender.first - 1);
        }

        private void recordSeen(Walker sender, long number) {
            if (sender.index >= newest.length) {
                int length = newest.length;
                newest = Arrays.copyOf(newest, Math.max(sender.index + 1, 2 * length));
                Arrays.fill(newest, length, newest.length, -1);
            }
            newest[sender.index] = number;
        }

        @Override
        public void onEnded(Client self, EndReason ending, String reason) {
            in = false;
            byName.remove(name, this);
            if (ending != EndReason.LEFT) {
                problems.add(reason);
            }
        }
    }
}

package dev.wishdir.cluster.remote;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.event.NativeMovement;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.relay.Viewer;
import dev.wishdir.cluster.Node;
import dev.wishdir.cluster.message.NodeBan;
import dev.wishdir.cluster.message.NodeEvent;
import dev.wishdir.cluster.message.NodeListener;
import dev.wishdir.cluster.nats.NatsBus;
import dev.wishdir.cluster.nats.NatsSettings;
import dev.wishdir.cluster.publish.NodeSettings;
import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Vec3;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;

/**
 * A node with one player that walks: where it is says when it was there, by the clock of this
 * machine. In the process of a test, or in one of its own that a test stops.
 */
public class WalkingServer implements NodeListener, AutoCloseable {
    private static final long STEP_NANOS = 20_000_000;

    /** A metre for each second, so that the walker is back at the start after as many seconds. */
    private static final long ROUND_NANOS = 100_000_000_000L;

    private static final double NANOS_PER_METRE = 1e9;

    /** Places are reported in single precision. */
    private static final long ROUNDING_NANOS = 1_000_000;

    /**
     * Together more than the two systems keep for a connection, 4 MiB and what its reader had;
     * fewer than the 256 that the bus has in its queue.
     */
    private static final int FILLING_MESSAGES = 160;

    private static final byte[] FILLING = new byte[64 << 10];

    public final Arena arena =
            new Arena(
                    new Level("flat", new Bounds(new Vec3(-200, -9, -9), new Vec3(200, 9, 9))), 10);
    public final NatsBus bus;
    public final Node node;
    public final ArenaPlayer player;

    /** When bodies and players of other servers came and went, by what happened and the name. */
    final Map<String, Long> times = new HashMap<>();

    /** What the node reported. */
    public final List<NodeEvent> events = new ArrayList<>();

    private final Stalls stalls = new Stalls();
    private long oldest;
    private long longestTurn;
    private long lastStep;

    public WalkingServer(String nats, String name, int seed) throws IOException {
        bus = NatsBus.connect(new NatsSettings(nats), () -> {});
        node =
                new Node(
                        arena,
                        bus,
                        new NodeSettings("test", name, "1"),
                        "flat",
                        this,
                        new Random(seed));
        arena.addListener(this::onArenaEvent);
        player = arena.join(System.nanoTime(), "quake3", name, new SilentViewer());
        player.spawn(System.nanoTime(), here());
    }

    /** What a player without a client is sent. */
    static final class SilentViewer implements Viewer {
        @Override
        public void onEvent(ArenaEvent event) {}

        @Override
        public void onMovement(List<Player> movers) {}
    }

    /** Where its player is next. */
    public Movement here() {
        double x = Math.floorMod(System.nanoTime(), ROUND_NANOS) / NANOS_PER_METRE;
        return Movement.at(new Vec3(x, 0, 0), 0);
    }

    private void onArenaEvent(ArenaEvent event) {
        if (!(event instanceof ArenaEvent.OfPlayer of) || !of.id().isMirrored()) {
            return;
        }
        String name = of.player().name();
        switch (of) {
            case ArenaEvent.Spawned _ -> note("spawned", name);
            case ArenaEvent.Despawned _ -> note("despawned", name);
            case ArenaEvent.Left _ -> note("left", name);
            case ArenaEvent.Moved moved -> {
                long made = (long) (moved.movement().position().x() * NANOS_PER_METRE);
                oldest =
                        Math.max(
                                oldest,
                                Math.floorMod(
                                        System.nanoTime() - made + ROUNDING_NANOS, ROUND_NANOS));
            }
            default -> {}
        }
    }

    private void note(String what, String name) {
        times.put(what + " " + name, System.nanoTime());
    }

    /** Whether something happened after a time. */
    public boolean has(String what, long since) {
        return times.getOrDefault(what, Long.MIN_VALUE) > since;
    }

    public boolean sees(String name) {
        return arena.players().stream()
                .anyMatch(it -> it.id().isMirrored() && it.name().equals(name) && it.spawned());
    }

    public boolean knows(String name) {
        return arena.players().stream().anyMatch(it -> it.name().equals(name));
    }

    /** Forgets the figures of what was before. */
    public void measure() {
        stalls.clear();
        oldest = 0;
        longestTurn = 0;
    }

    /** The age of the oldest movement of others that was applied, nanoseconds. */
    public long oldest() {
        return oldest;
    }

    public Stalls stalls() {
        return stalls;
    }

    /** The longest time that its own players waited for the node, nanoseconds. */
    public long longestTurn() {
        return longestTurn;
    }

    /** Fills the buffers of the connection, so that what follows waits in the queue of the bus. */
    public void fillBuffers() {
        for (int i = 0; i < FILLING_MESSAGES; i++) {
            bus.publish("filling", FILLING);
        }
    }

    public void turn() {
        long now = System.nanoTime();
        stalls.turn(now);
        if (now - lastStep >= STEP_NANOS) {
            lastStep = now;
            player.recordActivity(now);
            player.move(now, here(), NativeMovement.Stored.NONE);
        }
        node.advance(now);
        arena.advance(now);
        longestTurn = Math.max(longestTurn, System.nanoTime() - now);
    }

    @Override
    public boolean onLevelWanted(long now, String name) {
        return false;
    }

    @Override
    public void onBan(long now, NodeBan ban) {}

    @Override
    public void onEvent(NodeEvent event) {
        events.add(event);
    }

    @Override
    public void close() {
        bus.close();
    }

    /**
     * Serves until the standard input ends, and prints what happened to the players of others, and
     * the figures, without the one time for which the process was stopped.
     */
    public static void main(String[] arguments) throws IOException {
        try (WalkingServer server =
                new WalkingServer(arguments[0], arguments[1], Integer.parseInt(arguments[2]))) {
            Thread input =
                    Thread.ofPlatform()
                            .start(() -> {
                                try {
                                    System.in.transferTo(OutputStream.nullOutputStream());
                                } catch (IOException _) {
                                    // The test has ended.
                                }
                            });
            while (input.isAlive()) {
                server.turn();
                LockSupport.parkNanos(1_000_000);
            }
            server.times.keySet().forEach(System.out::println);
            System.out.println("oldest " + server.oldest);
            System.out.println("control " + server.stalls.second());
        }
    }
}

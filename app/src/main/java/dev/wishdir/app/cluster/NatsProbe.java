package dev.wishdir.app.cluster;

import dev.wishdir.app.command.CommandFailedException;
import dev.wishdir.app.command.Version;
import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.Level;
import dev.wishdir.cluster.Node;
import dev.wishdir.cluster.bus.Bus;
import dev.wishdir.cluster.bus.BusEvent;
import dev.wishdir.cluster.message.NodeBan;
import dev.wishdir.cluster.message.NodeEvent;
import dev.wishdir.cluster.message.NodeListener;
import dev.wishdir.cluster.message.NodeStatus;
import dev.wishdir.cluster.nats.NatsBus;
import dev.wishdir.cluster.publish.NodeSettings;

import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * A try of the connection to NATS: whether it is reached, whether this server may publish and
 * subscribe, and which nodes are there. While it lasts, the other nodes see a node without players.
 */
public final class NatsProbe {
    private static final Duration MAX_CONNECT = Duration.ofSeconds(3);

    /** Two heartbeats, the requests of rosters and their answers, with room for a busy machine. */
    private static final Duration MAX_LISTEN = Duration.ofSeconds(2);

    /** Time in which all nodes are heard that are there. */
    private static final Duration MIN_LISTEN = Duration.ofMillis(600);

    private static final long TURN_NANOS = 2_000_000;
    private static final String HOST = "doctor";

    /** Others take an empty name for a mistake. */
    private static final String NO_LEVEL = "none";

    /** Clocks that differ by less are said to agree; a roster may be under way as long. */
    private static final double ALIKE_SECONDS = 2;

    private NatsProbe() {}

    /**
     * Tries to connect.
     *
     * @throws CommandFailedException with the cause, if NATS is not reached within 3 s
     */
    public static void check(ClusterSettings settings) throws CommandFailedException {
        try (Bus bus = connect(settings)) {
            awaitConnection(settings, bus);
        }
    }

    /**
     * Tries to connect, publish and subscribe.
     *
     * @return a line about NATS, one for each node that is there, and one for each that sends what
     *     is not accepted, as another version of the protocol
     * @throws CommandFailedException with the cause, if something does not work
     */
    public static List<String> look(ClusterSettings settings) throws CommandFailedException {
        try (Bus witness = connect(settings);
                Bus bus = connect(settings)) {
            witness.subscribe("wishdir." + settings.arena() + ".move.*");
            String server = awaitConnection(settings, witness);
            Guest guest = new Guest();
            Node node =
                    new Node(
                            guest.arena,
                            bus,
                            new NodeSettings(
                                    settings.arena(),
                                    settings.node(),
                                    NodeSettings.DEFAULT_INTERVAL_NANOS,
                                    HOST,
                                    Version.text()),
                            NO_LEVEL,
                            guest,
                            new SecureRandom());
            int[] turns = new int[1];
            boolean[] isHeard = new boolean[1];
            String own = "." + node.number();
            await(
                    MAX_LISTEN,
                    () -> {
                        node.advance(System.nanoTime());
                        for (BusEvent e = witness.poll(); e != null; e = witness.poll()) {
                            isHeard[0] |=
                                    e instanceof BusEvent.Received received
                                            && received.subject().endsWith(own);
                        }
                        return isHeard[0] && ++turns[0] > turns(MIN_LISTEN);
                    });
            List<String> lines = lines(server, node.nodes());
            lines.addAll(guest.faults);
            node.end(System.nanoTime());
            if (!isHeard[0]) {
                throw new CommandFailedException(
                        "NATS at "
                                + server
                                + " is reached, but what this server publishes does not arrive:"
                                + " allow its user to publish and subscribe to wishdir."
                                + settings.arena()
                                + ".>, or name its node by --cluster-node");
            }
            return lines;
        }
    }

    private static List<String> lines(String server, List<NodeStatus> nodes) {
        List<String> lines = new ArrayList<>();
        lines.add(
                server
                        + ": reached, may publish and subscribe; "
                        + (nodes.isEmpty() ? "no node is there" : nodes.size() + " nodes"));
        for (NodeStatus node : nodes) {
            lines.add(
                    String.format(
                            Locale.ROOT,
                            "node %d at %s, version %s, plays %s, %d of %d players%s",
                            node.number(),
                            node.host().isEmpty() ? "an unknown host" : node.host(),
                            node.version().isEmpty() ? "unknown" : node.version(),
                            node.level(),
                            node.players(),
                            node.maxPlayers(),
                            clock(node.clockAheadMillis())));
        }
        return lines;
    }

    /** Difference of a node's clock, by which it ends bans. */
    private static String clock(OptionalLong aheadMillis) {
        if (aheadMillis.isEmpty()) {
            return "";
        }
        double seconds = aheadMillis.getAsLong() / 1000.0;
        return Math.abs(seconds) < ALIKE_SECONDS
                ? ", its clock agrees with this machine's"
                : String.format(
                        Locale.ROOT,
                        ", its clock is %.0f s %s this machine's",
                        Math.abs(seconds),
                        seconds > 0 ? "ahead of" : "behind");
    }

    private static Bus connect(ClusterSettings settings) throws CommandFailedException {
        try {
            return NatsBus.connect(NatsAccess.bus(settings), () -> {});
        } catch (IOException | IllegalArgumentException e) {
            throw new CommandFailedException("--cluster: " + e.getMessage(), e);
        }
    }

    private static String awaitConnection(ClusterSettings settings, Bus bus)
            throws CommandFailedException {
        String[] server = new String[1];
        String[] cause = {"no answer"};
        await(
                MAX_CONNECT,
                () -> {
                    switch (bus.poll()) {
                        case BusEvent.Connected connected -> server[0] = connected.server();
                        case BusEvent.Disconnected failed -> cause[0] = failed.cause();
                        case null, default -> {
                            // Messages of others.
                        }
                    }
                    return server[0] != null;
                });
        if (server[0] == null) {
            throw new CommandFailedException(
                    "--cluster: cannot connect to "
                            + String.join(",", settings.servers())
                            + " within "
                            + MAX_CONNECT.toSeconds()
                            + " s: "
                            + cause[0]);
        }
        return server[0];
    }

    /** Waits in turns, which are longer on a busy machine, as answers are. */
    private static void await(Duration limit, BooleanSupplier isDone) {
        for (int turn = 0; !isDone.getAsBoolean() && turn < turns(limit); turn++) {
            LockSupport.parkNanos(TURN_NANOS);
        }
    }

    private static int turns(Duration time) {
        return Math.toIntExact(time.toNanos() / TURN_NANOS);
    }

    /** A server without players, which takes part in nothing. */
    private static final class Guest implements NodeListener {
        final Arena arena = new Arena(Level.BOX, 1);
        final List<String> faults = new ArrayList<>();

        @Override
        public boolean onLevelWanted(long now, String name) {
            return true;
        }

        @Override
        public long clockMillis() {
            return System.currentTimeMillis();
        }

        @Override
        public void onBan(long now, NodeBan ban) {
            // It has no players.
        }

        @Override
        public void onEvent(NodeEvent event) {
            if (event instanceof NodeEvent.FaultFound found) {
                faults.add("node " + found.node() + " " + found.text());
            }
        }
    }
}

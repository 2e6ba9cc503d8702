package dev.wishdir.app.cluster;

import dev.wishdir.app.log.LogLine;
import dev.wishdir.app.log.RepeatedLineLimiter;
import dev.wishdir.cluster.message.NodeEvent;
import dev.wishdir.cluster.message.NodeEvent.NodeLeft;
import dev.wishdir.cluster.message.NodeStatus;
import dev.wishdir.wire.Quantity;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongSupplier;

/** The log lines about other nodes and NATS, and the line of {@code status}. */
final class NodeEventLog {
    private static final Logger LOG = LoggerFactory.getLogger(NodeEventLog.class);
    private static final double NANOS_PER_MILLI = 1e6;
    private static final double NANOS_PER_SECOND = 1e9;

    /** A node that is silent for longer is shown as such. */
    private static final long SILENT_NANOS = 300_000_000;

    /** Hosts of nodes whose end may still be logged; more than a cluster has. */
    private static final int MAX_HOSTS = 1_000;

    private final LongSupplier nanos;
    private final Map<Integer, String> hosts = new HashMap<>();
    private final RepeatedLineLimiter repeated = new RepeatedLineLimiter(NodeEventLog::warn);
    private String cause = "connecting";

    /** Reason for which bans are not stored though NATS is connected; empty for no known reason. */
    private String bucketCause = "";

    private boolean connected;
    private boolean wasConnected;
    private long since;

    /**
     * @param nanos the machine's clock, nanoseconds
     */
    NodeEventLog(LongSupplier nanos) {
        this.nanos = nanos;
        since = nanos.getAsLong();
    }

    private static LoggingEventBuilder line(String event) {
        return LOG.atInfo().addKeyValue("event", event);
    }

    /** A node as players read it. */
    static String serverName(NodeStatus node) {
        return node.host().isEmpty() ? "node " + node.number() : node.host();
    }

    private String name(int node) {
        String host = hosts.getOrDefault(node, "");
        return "node " + node + (host.isEmpty() ? "" : " (" + host + ")");
    }

    void add(NodeEvent event) {
        switch (event) {
            case NodeEvent.Connected e -> connected(e);
            case NodeEvent.Disconnected e -> disconnected(e);
            case NodeEvent.NodeJoined e -> {
                if (hosts.size() >= MAX_HOSTS) {
                    hosts.clear();
                }
                hosts.put(e.node(), e.host());
                line("node-joined")
                        .addKeyValue("node", e.node())
                        .log(
                                "{} joined with {}, version {}",
                                name(e.node()),
                                players(e.players()),
                                e.version().isEmpty() ? "unknown" : e.version());
            }
            case NodeEvent.NodeSilent e ->
                    line("node-silent")
                            .addKeyValue("node", e.node())
                            .log("{} became silent", name(e.node()));
            case NodeEvent.NodeReturned e ->
                    line("node-returned")
                            .addKeyValue("node", e.node())
                            .log("{} returned", name(e.node()));
            case NodeEvent.EventsMissed e ->
                    LOG.atWarn()
                            .addKeyValue("event", "node-events-missed")
                            .addKeyValue("node", e.node())
                            .log(
                                    "messages of {} are lost: its roster was requested again"
                                            + " within a second",
                                    name(e.node()));
            case NodeEvent.NodeLate e ->
                    LOG.atWarn()
                            .addKeyValue("event", "node-late")
                            .addKeyValue("node", e.node())
                            .log(
                                    "{} did not have {} ready in time: it follows later",
                                    name(e.node()),
                                    e.level());
            case NodeLeft e -> {
                line("node-left")
                        .addKeyValue("node", e.node())
                        .addKeyValue("reason", e.reason().name().toLowerCase(Locale.ROOT))
                        .log("{} left with {}: {}", name(e.node()), players(e.players()), why(e));
                hosts.remove(e.node());
            }
            case NodeEvent.FaultFound e ->
                    LOG.atWarn()
                            .addKeyValue("event", "node-fault")
                            .addKeyValue("node", e.node())
                            .addKeyValue("fault", e.fault().toString())
                            .log("{} {}", name(e.node()), e.text());
            case NodeEvent.BucketAvailable _ -> {
                bucketCause = "";
                line("bans-shared")
                        .log("bans are stored in NATS: nodes that are away get them later");
            }
            case NodeEvent.BucketUnavailable e -> {
                bucketCause = e.cause();
                LOG.atWarn()
                        .addKeyValue("event", "bans-not-shared")
                        .log("bans reach only nodes that are connected: {}", e.cause());
            }
            case NodeEvent.BanRefused e ->
                    addBan("ban-refused", e.target(), "was refused: " + e.cause());
            case NodeEvent.Renumbered e ->
                    line("node-number")
                            .addKeyValue("node", e.number())
                            .log(
                                    "this server became node {}, as another had its number",
                                    e.number());
        }
    }

    /**
     * The change of a ban is not offered to NATS after the next start, as too many wait.
     *
     * @param target of the ban
     */
    void unstored(String target) {
        String why =
                !connected
                        ? "NATS is not connected: " + cause
                        : bucketCause.isEmpty()
                                ? "NATS is connected, and slower than they come"
                                : "NATS does not store them: " + bucketCause;
        addBan(
                "ban-not-stored",
                target,
                "is lost for servers that are away if this one ends before NATS has stored it, as"
                        + " too many changes of bans wait; "
                        + why);
    }

    /** A ban of another node cannot be in force here. */
    void unapplied(String target, String why) {
        addBan("node-ban", target, "by another node could not be applied: " + why);
    }

    private void addBan(String event, String target, String what) {
        repeated.add(
                nanos.getAsLong(),
                event + what,
                new LogLine(event, "ban of " + target + " " + what, Map.of("target", target)),
                times ->
                        new LogLine(
                                event,
                                "ban of "
                                        + target
                                        + " and of "
                                        + (times - 1)
                                        + " others"
                                        + RepeatedLineLimiter.INTERVAL
                                        + " "
                                        + what,
                                Map.of("target", target)),
                "bans");
    }

    private static void warn(LogLine line) {
        LoggingEventBuilder builder = LOG.atWarn().addKeyValue("event", line.event());
        for (Map.Entry<String, Object> field : line.fields().entrySet()) {
            builder = builder.addKeyValue(field.getKey(), field.getValue());
        }
        builder.log("{}", line.text());
    }

    /** Writes the counts of lines that were repeated. */
    void advance() {
        repeated.advance(nanos.getAsLong());
    }

    private void connected(NodeEvent.Connected e) {
        line("nats-connected")
                .log(
                        "NATS connected: {}, after {}",
                        e.server(),
                        seconds(nanos.getAsLong() - since));
        connected = true;
        wasConnected = true;
        since = nanos.getAsLong();
    }

    private void disconnected(NodeEvent.Disconnected e) {
        cause = e.cause();
        if (connected) {
            since = nanos.getAsLong();
            connected = false;
        }
        LOG.atWarn()
                .addKeyValue("event", "nats-disconnected")
                .log(
                        "NATS {}: {}; until it is connected, this server's players play by"
                                + " themselves",
                        wasConnected ? "disconnected" : "did not connect yet",
                        cause);
    }

    private static String players(int count) {
        return Quantity.of(count, "player");
    }

    private static String why(NodeLeft event) {
        return switch (event.reason()) {
            case FAREWELL -> "it ended";
            case LOST -> "its connection to NATS was lost";
            case SILENT -> "it was silent for too long";
            case RESTARTED -> "it was started again";
        };
    }

    private static String seconds(long nanos) {
        return String.format(Locale.ROOT, "%.1f s", nanos / NANOS_PER_SECOND);
    }

    /**
     * The line of the operator command {@code status}.
     *
     * @param own number of this node
     * @param players of this node
     */
    String status(int own, int players, List<NodeStatus> others) {
        List<String> nodes = new ArrayList<>();
        nodes.add("this one is " + own + " with " + players(players));
        for (NodeStatus other : others) {
            nodes.add(
                    other.number()
                            + (other.host().isEmpty() ? "" : " " + other.host())
                            + " with "
                            + players(other.players())
                            + (other.silentNanos() >= SILENT_NANOS
                                    ? " silent for " + seconds(other.silentNanos())
                                    : String.format(
                                            Locale.ROOT,
                                            " %.1f ms",
                                            other.ageNanos() / NANOS_PER_MILLI)));
        }
        return "nodes: "
                + String.join(", ", nodes)
                + (connected ? "" : "; NATS is not connected: " + cause);
    }
}

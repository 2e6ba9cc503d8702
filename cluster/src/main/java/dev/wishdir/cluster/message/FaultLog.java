package dev.wishdir.cluster.message;

import dev.wishdir.net.limit.TokenBucket;
import dev.wishdir.wire.EvictingMap;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Counts the faults of other nodes, reports each kind of a node once, at a limited rate, and keeps
 * which nodes are ignored for one.
 */
public final class FaultLog {
    /** Nodes whose faults are remembered; forged numbers must not fill the memory. */
    private static final int MAX_NODES = 256;

    /** All messages of a node with a defect are ignored for this time. */
    private static final long BLOCKED_NANOS = 10_000_000_000L;

    private static final double REPORT_BURST = 20;
    private static final double REPORTS_PER_SECOND = 1;

    private final Map<NodeFault, Long> counts = new EnumMap<>(NodeFault.class);
    private final Map<Integer, Set<NodeFault>> reported = new EvictingMap<>(MAX_NODES);
    private final Map<Integer, Long> blocked = new EvictingMap<>(MAX_NODES);
    private final TokenBucket reports = new TokenBucket(REPORT_BURST, REPORTS_PER_SECOND);
    private final Consumer<NodeEvent> listener;

    public FaultLog(Consumer<NodeEvent> listener) {
        this.listener = listener;
    }

    public void add(long nanos, int node, NodeFault fault) {
        add(nanos, node, fault, fault.text());
    }

    /**
     * @param text for people, as {@link NodeFault#text}
     */
    public void add(long nanos, int node, NodeFault fault, String text) {
        counts.merge(fault, 1L, Long::sum);
        if (fault.isBlocking()) {
            blocked.put(node, nanos + BLOCKED_NANOS);
        }
        Set<NodeFault> known = reported.computeIfAbsent(node, _ -> EnumSet.noneOf(NodeFault.class));
        if (!known.contains(fault) && reports.tryAcquire(nanos)) {
            known.add(fault);
            listener.accept(new NodeEvent.FaultFound(node, fault, text));
        }
    }

    /** Whether the messages of a node are ignored now. */
    public boolean isBlocked(long nanos, int node) {
        Long until = blocked.get(node);
        if (until != null && nanos >= until) {
            blocked.remove(node);
            return false;
        }
        return until != null;
    }

    /** Number of messages that were not accepted. */
    public Map<NodeFault, Long> counts() {
        return Map.copyOf(counts);
    }
}

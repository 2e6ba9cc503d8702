package dev.wishdir.inspect;

import dev.wishdir.wire.EvictingMap;
import dev.wishdir.wire.dissect.Datagram;
import dev.wishdir.wire.dissect.DissectedMessage;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The connections in captures. Not thread-safe. */
public final class Flows {
    private final int maxFlows;
    private final boolean isEndless;
    private final List<FlowSummary> all = new ArrayList<>();
    private final Map<Set<InetSocketAddress>, FlowSummary> known;
    private String file = "";

    /**
     * @param maxFlows maximum number of connections; later ones are ignored
     */
    public Flows(int maxFlows) {
        this(maxFlows, false, new HashMap<>());
    }

    private Flows(int maxFlows, boolean isEndless, Map<Set<InetSocketAddress>, FlowSummary> known) {
        this.maxFlows = maxFlows;
        this.isEndless = isEndless;
        this.known = known;
    }

    /**
     * The connections of a session without end.
     *
     * @param maxFlows maximum number of connections; a further one replaces the one that was silent
     *     longest
     */
    public static Flows newest(int maxFlows) {
        return new Flows(maxFlows, true, EvictingMap.leastRecentlyUsed(maxFlows));
    }

    /** Begins another capture, in which the same addresses are another connection. */
    public void begin(String file) {
        this.file = file;
        known.clear();
    }

    /**
     * Counts a datagram.
     *
     * @param messages its dissected messages; a connection begins with the first datagram that has
     *     any
     */
    public void count(Datagram datagram, List<DissectedMessage> messages) {
        Set<InetSocketAddress> addresses =
                datagram.source().equals(datagram.destination())
                        ? Set.of(datagram.source())
                        : Set.of(datagram.source(), datagram.destination());
        FlowSummary flow = known.get(addresses);
        if (flow == null) {
            if (messages.isEmpty() || !isEndless && all.size() >= maxFlows) {
                return;
            }
            flow = new FlowSummary(file, messages.getFirst(), datagram);
            known.put(addresses, flow);
            all.add(flow);
            if (all.size() > maxFlows) {
                all.retainAll(known.values());
            }
        }
        flow.datagram(datagram, flow.direction(datagram));
        messages.forEach(flow::message);
    }

    /** A live view of all connections, in the order in which they began. */
    public List<FlowSummary> all() {
        return Collections.unmodifiableList(all);
    }
}

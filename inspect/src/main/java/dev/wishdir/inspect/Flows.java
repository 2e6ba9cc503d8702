package dev.wishdir.inspect;

import dev.wishdir.wire.dissect.Datagram;
import dev.wishdir.wire.dissect.DissectedMessage;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What went between each client and its server, of some captures. Not thread-safe. */
public final class Flows {
    private final int most;
    private final List<FlowSummary> all = new ArrayList<>();
    private final Map<Set<InetSocketAddress>, FlowSummary> known = new HashMap<>();
    private String file = "";

    /**
     * @param most how many are summed up; what later ones carry is not counted
     */
    public Flows(int most) {
        this.most = most;
    }

    /** From here on datagrams are of another capture: the same addresses are other flows. */
    public void begin(String file) {
        this.file = file;
        known.clear();
    }

    /**
     * Counts a datagram.
     *
     * @param told the lines that explain it; a flow begins with the first datagram that has any
     */
    public void count(Datagram datagram, List<DissectedMessage> told) {
        Set<InetSocketAddress> ends =
                datagram.source().equals(datagram.destination())
                        ? Set.of(datagram.source())
                        : Set.of(datagram.source(), datagram.destination());
        FlowSummary flow = known.get(ends);
        if (flow == null) {
            if (told.isEmpty() || all.size() >= most) {
                return;
            }
            flow = new FlowSummary(file, told.getFirst(), datagram);
            known.put(ends, flow);
            all.add(flow);
        }
        flow.datagram(datagram, flow.direction(datagram));
        told.forEach(flow::line);
    }

    /** In the order in which they began; it grows. */
    public List<FlowSummary> all() {
        return Collections.unmodifiableList(all);
    }
}

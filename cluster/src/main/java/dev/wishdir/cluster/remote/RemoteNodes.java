package dev.wishdir.cluster.remote;

import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.cluster.agreement.LevelAgreement;
import dev.wishdir.cluster.bus.Subjects;
import dev.wishdir.cluster.message.MessageReader;
import dev.wishdir.cluster.message.NodeEvent;
import dev.wishdir.cluster.message.NodeFault;
import dev.wishdir.cluster.message.NodeFaultException;
import dev.wishdir.cluster.message.NodeStatus;
import dev.wishdir.cluster.publish.OwnPlayers;
import dev.wishdir.cluster.v1.Batch;
import dev.wishdir.cluster.v1.Header;
import dev.wishdir.cluster.v1.NumberedEvent;
import dev.wishdir.cluster.v1.PlayerOrder;
import dev.wishdir.cluster.v1.Roster;
import dev.wishdir.cluster.v1.RosterRequest;
import dev.wishdir.net.limit.TokenBucket;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.IntConsumer;
import java.util.stream.Stream;

/** The other nodes: who is there, by what is heard of each. */
public final class RemoteNodes {
    /** Maximum number of other nodes. */
    static final int MAX_NODES = 64;

    /** A node whose roster did not come in this time gives its place to another. */
    private static final long MAX_UNKNOWN_NANOS = 5_000_000_000L;

    /** Maximum number of players that join in one turn, of all nodes together. */
    private static final int MAX_JOINS_PER_TURN = 50;

    private final NodeContext context;
    private final Map<Integer, RemoteNode> nodes = new LinkedHashMap<>();
    private final Set<Integer> silent = new LinkedHashSet<>();

    /** Messages of nodes that are not known, each of which costs a look. */
    private final TokenBucket unknown = new TokenBucket(1024, 512);

    /** A message with the number of this node, and another epoch. */
    private boolean numberInUse;

    public RemoteNodes(NodeContext context) {
        this.context = context;
    }

    /** Whether another node has the number of this one; false again after this call. */
    public boolean takeNumberInUse() {
        boolean was = numberInUse;
        numberInUse = false;
        return was;
    }

    /**
     * Reads and applies a message.
     *
     * @param answer called with the number of a node that is to get the own roster
     */
    public void receive(
            long now,
            long nanos,
            OwnPlayers own,
            Subjects.Address address,
            byte[] data,
            IntConsumer answer) {
        int from = address.from();
        if (context.faults().isBlocked(nanos, from)
                || address.to() != 0 && address.to() != own.node()) {
            return;
        }
        RemoteNode known = nodes.get(from);
        if (known == null && !unknown.tryAcquire(nanos)) {
            return;
        }
        try {
            if (known != null && !known.limits().allowsMessage(nanos, data.length)) {
                throw new NodeFaultException(NodeFault.RATE_LIMIT);
            }
            read(now, nanos, own, address, data, answer);
        } catch (NodeFaultException e) {
            context.faults().add(nanos, from, e.fault(), e.text());
        }
    }

    private void read(
            long now,
            long nanos,
            OwnPlayers own,
            Subjects.Address address,
            byte[] data,
            IntConsumer answer)
            throws NodeFaultException {
        int from = address.from();
        switch (address.kind()) {
            case MOVE -> {
                Batch batch = MessageReader.batch(from, data);
                RemoteNode node = admit(now, nanos, own, from, batch.getHeader());
                if (node != null) {
                    node.onBatch(now, nanos, own, batch);
                }
            }
            case EVENT -> {
                NumberedEvent event = MessageReader.event(from, data);
                RemoteNode node = admit(now, nanos, own, from, event.getHeader());
                if (node != null && event.hasFarewell()) {
                    remove(now, node, NodeEvent.NodeLeft.Reason.FAREWELL);
                } else if (node != null) {
                    node.onEvent(now, nanos, own, event);
                }
            }
            case ANSWER -> {
                Roster roster = MessageReader.roster(from, data);
                RemoteNode node = admit(now, nanos, own, from, roster.getHeader());
                if (node != null) {
                    node.onRoster(now, nanos, own, roster);
                }
            }
            case ASK -> {
                RosterRequest request = MessageReader.request(from, data);
                RemoteNode node = admit(now, nanos, own, from, request.getHeader());
                if (node != null) {
                    long age = node.onHeader(nanos, request.getHeader());
                    if (!node.limits().allowsRequest(nanos)) {
                        throw new NodeFaultException(NodeFault.RATE_LIMIT);
                    }
                    // What was asked while this node stood still is asked again if it is wanted.
                    if (age <= RemoteNode.MAX_AGE_NANOS) {
                        answer.accept(from);
                    }
                }
            }
            case TELL -> {
                PlayerOrder order = MessageReader.order(from, data);
                RemoteNode node = admit(now, nanos, own, from, order.getHeader());
                if (node != null) {
                    node.onOrder(now, nanos, order);
                }
            }
        }
    }

    /** The node of a message; null if the message is not of its present run. */
    private @Nullable RemoteNode admit(
            long now, long nanos, OwnPlayers own, int from, Header header)
            throws NodeFaultException {
        if (header.getEvent() < 0 || header.getBatch() < 0) {
            throw new NodeFaultException(NodeFault.MALFORMED);
        }
        if (from == own.node()) {
            if (header.getEpoch() != own.epoch()) {
                numberInUse = true;
                throw new NodeFaultException(NodeFault.NUMBER_IN_USE);
            }
            return null;
        }
        RemoteNode known = nodes.get(from);
        if (known == null) {
            return add(now, nanos, new RemoteRun(from, header.getEpoch()));
        }
        RemoteRun run = known.run();
        if (run.epoch() == header.getEpoch()) {
            return known;
        }
        boolean restarted =
                nanos - known.liveness().heard() >= RemoteNode.SILENT_NANOS
                        && !run.earlier().contains(header.getEpoch());
        if (!restarted) {
            throw new NodeFaultException(NodeFault.OTHER_EPOCH);
        }
        remove(now, known, NodeEvent.NodeLeft.Reason.RESTARTED);
        return add(now, nanos, run.next(header.getEpoch()));
    }

    private RemoteNode add(long now, long nanos, RemoteRun run) throws NodeFaultException {
        if (nodes.size() >= MAX_NODES) {
            RemoteNode unproven =
                    nodes.values().stream()
                            .filter(it -> !it.isSynchronized())
                            .filter(it -> nanos - it.liveness().added() > MAX_UNKNOWN_NANOS)
                            .findFirst()
                            .orElseThrow(() -> new NodeFaultException(NodeFault.TOO_MANY_NODES));
            remove(now, unproven, NodeEvent.NodeLeft.Reason.SILENT);
        }
        RemoteNode node = new RemoteNode(run, context, nanos);
        nodes.put(run.node(), node);
        return node;
    }

    private void remove(long now, RemoteNode node, NodeEvent.NodeLeft.Reason reason) {
        boolean joined = node.isSynchronized();
        nodes.remove(node.number());
        silent.remove(node.number());
        LeaveReason why =
                reason == NodeEvent.NodeLeft.Reason.FAREWELL
                        ? LeaveReason.SERVER_CLOSED
                        : LeaveReason.SERVER_LOST;
        int players = node.clear(now, why);
        if (joined) {
            context.listener().onEvent(new NodeEvent.NodeLeft(node.number(), reason, players));
        }
    }

    /** The run of another node that is heard; empty if it is not known. */
    public OptionalLong epoch(int number) {
        RemoteNode node = nodes.get(number);
        return node == null ? OptionalLong.empty() : OptionalLong.of(node.run().epoch());
    }

    /** Whether something was received of a node in the last 300 ms. */
    public boolean isHeard(long nanos, ListenTime listened, int number) {
        RemoteNode node = nodes.get(number);
        return node != null
                && listened.silence(nanos, node.liveness().heard()) < RemoteNode.SILENT_NANOS;
    }

    /** The levels that nodes announce, and this server does not prepare any more. */
    public List<String> readyLevels() {
        return nodes.values().stream()
                .filter(node -> !node.level().next().isEmpty() && !node.liveness().isHidden())
                .map(node -> node.level().next())
                .distinct()
                .filter(name -> !context.listener().isPreparing(name))
                .limit(LevelAgreement.MAX_READY)
                .toList();
    }

    /** The nodes whose players are shown here, and that still prepare a level. */
    public List<NodeStatus> awaited(long nanos, String level) {
        return awaitedNodes(level).map(node -> status(nanos, node)).toList();
    }

    private Stream<RemoteNode> awaitedNodes(String level) {
        return nodes.values().stream()
                .filter(RemoteNode::isSynchronized)
                .filter(node -> node.level().isAwaited(level) && !node.liveness().isHidden());
    }

    /** Does not wait any more for the nodes that still prepare a level. */
    public void stopAwaiting(String level) {
        awaitedNodes(level)
                .forEach(node -> {
                    node.level().setLate(true);
                    context.listener().onEvent(new NodeEvent.NodeLate(node.number(), level));
                });
    }

    /** The bus knows that a node is not connected. */
    public void onNoResponders(long now, long nanos, ListenTime listened, int number) {
        RemoteNode node = nodes.get(number);
        // A node that was heard is there, and its subscription is under way.
        if (node != null
                && listened.silence(nanos, node.liveness().heard()) >= RemoteNode.SILENT_NANOS) {
            remove(now, node, NodeEvent.NodeLeft.Reason.LOST);
        }
    }

    /** Passes on the newest movement of each player. */
    public void flush(long now) {
        nodes.values().forEach(node -> node.players().flush(now));
    }

    /**
     * Does what is due.
     *
     * @param ask called with the number of each node whose roster is needed
     * @return whether players wait to be joined in the next turn
     */
    public boolean advance(long now, long nanos, ListenTime listened, IntConsumer ask) {
        int joins = MAX_JOINS_PER_TURN;
        boolean more = false;
        for (RemoteNode node : new ArrayList<>(nodes.values())) {
            long silence = listened.silence(nanos, node.liveness().heard());
            if (silence >= RemoteNode.GONE_NANOS) {
                remove(now, node, NodeEvent.NodeLeft.Reason.SILENT);
                continue;
            }
            report(node, silence);
            if (listened.isConnected()
                    && !context.faults().isBlocked(nanos, node.number())
                    && node.wantsRoster(nanos, silence)) {
                ask.accept(node.number());
            }
            node.show(now, silence);
            joins -= node.players().join(now, joins);
            more |= node.players().isJoinDue();
        }
        return more;
    }

    private void report(RemoteNode node, long silence) {
        boolean isSilent = silence >= RemoteNode.SILENT_NANOS;
        if (isSilent && node.isSynchronized() && silent.add(node.number())) {
            context.listener().onEvent(new NodeEvent.NodeSilent(node.number()));
        } else if (!isSilent && silent.remove(node.number())) {
            context.listener().onEvent(new NodeEvent.NodeReturned(node.number()));
        }
    }

    /** All other nodes leave, as this node ends. */
    public void clear(long now) {
        for (RemoteNode node : List.copyOf(nodes.values())) {
            remove(now, node, NodeEvent.NodeLeft.Reason.FAREWELL);
        }
    }

    public List<NodeStatus> status(long nanos) {
        return nodes.values().stream()
                .filter(RemoteNode::isSynchronized)
                .map(node -> status(nanos, node))
                .toList();
    }

    private static NodeStatus status(long nanos, RemoteNode node) {
        return node.status(Math.max(0, nanos - node.liveness().heard()));
    }
}

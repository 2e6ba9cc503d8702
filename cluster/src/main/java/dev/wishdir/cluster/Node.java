package dev.wishdir.cluster;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.cluster.agreement.BanAgreement;
import dev.wishdir.cluster.agreement.LevelAgreement;
import dev.wishdir.cluster.agreement.RoundAgreement;
import dev.wishdir.cluster.bus.Bus;
import dev.wishdir.cluster.bus.BusEvent;
import dev.wishdir.cluster.bus.Subjects;
import dev.wishdir.cluster.message.FaultLog;
import dev.wishdir.cluster.message.NodeBan;
import dev.wishdir.cluster.message.NodeCounters;
import dev.wishdir.cluster.message.NodeEvent;
import dev.wishdir.cluster.message.NodeFault;
import dev.wishdir.cluster.message.NodeListener;
import dev.wishdir.cluster.message.NodeStatus;
import dev.wishdir.cluster.publish.NodeSettings;
import dev.wishdir.cluster.publish.OwnPlayers;
import dev.wishdir.cluster.remote.ListenTime;
import dev.wishdir.cluster.remote.NameAgreement;
import dev.wishdir.cluster.remote.NodeContext;
import dev.wishdir.cluster.remote.RemoteNodes;
import dev.wishdir.net.limit.TokenBucket;
import dev.wishdir.net.loop.Duty;

import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * One server of a cluster: publishes what its own players do, and mirrors the players of the other
 * nodes in its arena. No node is more than another, nothing is elected, and no node waits for
 * another: while the bus is away, each serves its own players.
 *
 * <p>Another node is there while it is heard. After 300 ms of silence it is asked, and its players
 * leave at once if the bus knows that it is gone; its bodies are hidden after 2 s, and its players
 * leave after 15 s. Whatever was missed is replaced by the node's roster.
 *
 * <p>A duty of the arena's cycle, added before the arena, so that the others' movement is relayed
 * by the turn that received it. Not thread-safe: it belongs to that cycle's thread.
 */
public final class Node implements Duty {
    /** A node is heard at least this often, whether or not its players move. */
    public static final long HEARTBEAT_NANOS = 100_000_000;

    /** From this number of players on, batches are sent each 20 ms. */
    private static final int MANY_PLAYERS = 1_000;

    private static final long MANY_INTERVAL_NANOS = 20_000_000;

    /** From this number of players on, batches are sent each 33 ms. */
    private static final int VERY_MANY_PLAYERS = 5_000;

    private static final long VERY_MANY_INTERVAL_NANOS = 33_000_000;

    /** Maximum number of events of the bus in one turn. */
    private static final int MAX_EVENTS_PER_TURN = 1024;

    /** Time between turns in which many players join, or many bans are applied. */
    private static final long WORK_INTERVAL_NANOS = 2_000_000;

    /** A node that turns again within this time needs no wake-up for a message. */
    private static final long NO_WAKE_UP_NANOS = 2_000_000;

    /** Time for which a node without a chosen level listens for one. */
    private static final long UNDECIDED_NANOS = 1_000_000_000L;

    private final Arena arena;
    private final Bus bus;
    private final NodeSettings settings;
    private final RandomGenerator random;
    private final Subjects subjects;
    private final NodeContext context;
    private final RemoteNodes others;
    private final ListenTime listened;
    private final TokenBucket renumbers = new TokenBucket(3, 1.0 / 60);
    private OwnPlayers own;
    private long lastBatch;
    private long lastRound;
    private boolean batchForced;
    private boolean ended;

    /**
     * @param bus to which nothing else is subscribed; it is not closed with the node
     * @param level that the server plays at the start
     * @param random draws the number and epoch of the node; no two nodes may draw the same
     */
    public Node(
            Arena arena,
            Bus bus,
            NodeSettings settings,
            String level,
            NodeListener listener,
            RandomGenerator random) {
        this.arena = arena;
        this.bus = bus;
        this.settings = settings;
        this.random = random;
        subjects = new Subjects(settings.arena());
        LevelAgreement levels = new LevelAgreement(level);
        FaultLog faults = new FaultLog(listener::onEvent);
        context =
                new NodeContext(
                        arena,
                        listener,
                        new NameAgreement(faults, bus.nanos()),
                        levels,
                        new RoundAgreement(arena.match(), levels, bus.nanos()),
                        new BanAgreement(bus.bucket(subjects.bucket()), listener),
                        faults,
                        new NodeCounters());
        others = new RemoteNodes(context);
        listened = new ListenTime(bus.nanos());
        lastBatch = bus.nanos() - HEARTBEAT_NANOS;
        lastRound = lastBatch;
        own = draw();
        bus.subscribe(subjects.fromAll(Subjects.Kind.MOVE));
        bus.subscribe(subjects.fromAll(Subjects.Kind.EVENT));
    }

    /** Takes a number and an epoch. */
    private OwnPlayers draw() {
        int number =
                settings.number() != 0
                        ? settings.number()
                        : random.nextInt(PlayerId.MIN_OTHER_NODE, PlayerId.MAX_NODE + 1);
        OwnPlayers drawn =
                new OwnPlayers(arena, bus, subjects, number, random.nextLong(), others::epoch);
        for (Subjects.Kind kind : Subjects.Kind.values()) {
            if (kind.isToOneNode()) {
                bus.subscribe(subjects.forNode(kind, number));
            }
        }
        arena.addListener(drawn);
        arena.match().shared().setListener(drawn.fights());
        context.rounds().flags().setPublisher(drawn::report);
        return drawn;
    }

    private void withdraw(OwnPlayers withdrawn) {
        arena.removeListener(withdrawn);
        for (Subjects.Kind kind : Subjects.Kind.values()) {
            if (kind.isToOneNode()) {
                bus.unsubscribe(subjects.forNode(kind, withdrawn.node()));
            }
        }
    }

    /** The number of this node; changes if another node has the same. */
    public int number() {
        return own.node();
    }

    /** The run of this node, as its messages have it. */
    long epoch() {
        return own.epoch();
    }

    /** The name of the level that this node plays, as the others know it. */
    public String level() {
        return context.levels().played().getName();
    }

    /** Whether the bus is connected. */
    public boolean isConnected() {
        return listened.isConnected();
    }

    /** The other nodes whose players are known. */
    public List<NodeStatus> nodes() {
        return others.status(bus.nanos());
    }

    public NodeCounters counters() {
        return context.counters();
    }

    /** Messages of other nodes that were not accepted, by kind. */
    public Map<NodeFault, Long> faults() {
        return context.faults().counts();
    }

    /** Sends a message of the server to the players of all nodes. */
    public void announce(long now, String text) {
        arena.announce(now, text);
        own.announce(text);
    }

    /**
     * An operator of this server banned: the ban goes to all other nodes, also to those that are
     * away, as far as the bus has a bucket. The own server applies it itself.
     */
    public void ban(NodeBan ban) {
        own.ban(ban);
        context.bans().ban(ban);
    }

    /**
     * An operator of this server removed a ban, which the other nodes are to remove as well.
     *
     * @param target as of the ban
     * @param game as of the ban
     */
    public void unban(String target, String game) {
        own.unban(target, game);
        context.bans().unban(target, game);
    }

    /**
     * Has the node of a mirrored player ban it by its address and account, which only that node
     * knows, from all nodes.
     *
     * @param ban with the player's number as its target
     */
    public void ban(PlayerId player, NodeBan ban) {
        own.ban(player, ban);
    }

    /**
     * This server is to begin a level for all, and prepares it or has it ready. The other nodes
     * prepare it as well, as far as they are connected and have it.
     *
     * @param name as {@link NodeListener#nextLevel}
     * @return the nodes to wait for, so that all begin it together: those that do not have it
     *     ready, and were heard in the last 2 s; none 30 s after the first call for a level, and
     *     without the bus
     */
    public List<NodeStatus> announceLevel(String name) {
        if (!listened.isConnected()) {
            return List.of();
        }
        long nanos = bus.nanos();
        if (context.levels().announce(nanos, name)) {
            publishLevel();
        }
        if (!context.levels().isAwaiting(nanos)) {
            others.stopAwaiting(name);
        }
        return others.awaited(nanos, name);
    }

    /**
     * The server begins a level that its operator chose; all other nodes are to play it, which is
     * published at once.
     */
    public void changeLevel(String name) {
        context.levels().change(own.node(), name);
        publishLevel();
    }

    /**
     * The server begins a level that all {@linkplain NodeListener#onLevelWanted are to play}. The
     * round of the match that it begins with the level is that of the other nodes.
     */
    public void startLevel(String name) {
        context.levels().start(name);
        context.rounds().follow();
        publishLevel();
    }

    /** Publishes what is played and prepared, at once. */
    private void publishLevel() {
        if (!ended) {
            lastBatch = bus.nanos();
            context.levels().announce(lastBatch, context.listener().nextLevel());
            own.publishBatch(context.levels(), null);
        }
    }

    @Override
    public long advance(long now) {
        if (ended) {
            return NEVER;
        }
        turnNanos();
        boolean more = receive(now);
        long nanos = turnNanos();
        others.flush(now);
        if (others.takeNumberInUse() && settings.number() == 0 && renumbers.tryAcquire(nanos)) {
            renumber();
        }
        boolean due = others.advance(now, nanos, listened, own::ask);
        due |= context.bans().advance(now, nanos);
        context.names().advance(now, nanos, own.node());
        decideLevel(nanos);
        decideRound(now, nanos);
        publish(now, nanos);
        long next = nextTurn(nanos, due);
        if (more || next - nanos > NO_WAKE_UP_NANOS && !bus.requestWakeUp()) {
            return now;
        }
        return now + Math.max(0, next - nanos);
    }

    /** The time, taken again where the process may have stood still since it was last taken. */
    private long turnNanos() {
        long nanos = bus.nanos();
        listened.turn(nanos);
        return nanos;
    }

    private boolean receive(long now) {
        for (int i = 0; i < MAX_EVENTS_PER_TURN; i++) {
            BusEvent event = bus.poll();
            // A message that came after its time of arrival would make all others seem old.
            long nanos = turnNanos();
            switch (event) {
                case null -> {
                    return false;
                }
                case BusEvent.Received message -> receive(now, nanos, message);
                case BusEvent.NoResponders answer -> {
                    Subjects.Address address = subjects.parse(answer.replyTo());
                    if (address != null && address.kind() == Subjects.Kind.ANSWER) {
                        others.onNoResponders(now, nanos, listened, address.from());
                    }
                }
                case BusEvent.Connected connected -> {
                    listened.connect(nanos);
                    batchForced = true;
                    context.listener().onEvent(new NodeEvent.Connected(connected.server()));
                }
                case BusEvent.Disconnected disconnected -> {
                    listened.disconnect();
                    context.listener().onEvent(new NodeEvent.Disconnected(disconnected.cause()));
                }
            }
        }
        return true;
    }

    private void receive(long now, long nanos, BusEvent.Received message) {
        Subjects.Address address = subjects.parse(message.subject());
        if (address == null) {
            return;
        }
        // An answer goes to the subject that belongs to the node, whatever the message asks for.
        others.receive(
                now,
                nanos,
                own,
                address,
                message.data(),
                node -> {
                    own.answer(
                            node,
                            context.levels().played(),
                            settings,
                            context.listener().clockMillis());
                    context.counters().addRosterSent();
                });
    }

    private void renumber() {
        withdraw(own);
        own = draw();
        batchForced = true;
        context.listener().onEvent(new NodeEvent.Renumbered(own.node()));
    }

    private void decideLevel(long nanos) {
        LevelAgreement levels = context.levels();
        if (levels.isUndecided() && listened.isConnectedFor(nanos, UNDECIDED_NANOS)) {
            levels.choose(own.node());
        }
        batchForced |= levels.announce(nanos, context.listener().nextLevel());
        batchForced |= levels.setReady(nanos, others.readyLevels());
    }

    private void decideRound(long now, long nanos) {
        RoundAgreement rounds = context.rounds();
        rounds.advance(
                now,
                nanos,
                own.node(),
                listened.isConnected(),
                node -> others.isHeard(nanos, listened, node));
        boolean isRoundDue = own.takeRoundDue();
        if (rounds.takeChange() || isRoundDue) {
            batchForced = true;
            lastRound = nanos - HEARTBEAT_NANOS;
        }
    }

    private void publish(long now, long nanos) {
        long due = lastBatch + (own.isBatchDue() ? intervalNanos() : HEARTBEAT_NANOS);
        if (batchForced || nanos >= due) {
            batchForced = false;
            lastBatch = nanos;
            boolean isRoundDue = nanos - lastRound >= HEARTBEAT_NANOS;
            lastRound = isRoundDue ? nanos : lastRound;
            own.publishBatch(context.levels(), isRoundDue ? context.rounds().played(now) : null);
        }
    }

    private long intervalNanos() {
        int players = arena.playerCount();
        long least =
                players > VERY_MANY_PLAYERS
                        ? VERY_MANY_INTERVAL_NANOS
                        : players > MANY_PLAYERS ? MANY_INTERVAL_NANOS : 0;
        return Math.max(settings.intervalNanos(), least);
    }

    private long nextTurn(long nanos, boolean workLeft) {
        long next = lastBatch + (own.isBatchDue() ? intervalNanos() : HEARTBEAT_NANOS);
        return workLeft || context.names().isDue()
                ? Math.min(next, nanos + WORK_INTERVAL_NANOS)
                : next;
    }

    /** Leaves the cluster: the others' players leave this arena, and this node's leave theirs. */
    public void end(long now) {
        if (!ended) {
            ended = true;
            own.sayFarewell();
            withdraw(own);
            bus.unsubscribe(subjects.fromAll(Subjects.Kind.MOVE));
            bus.unsubscribe(subjects.fromAll(Subjects.Kind.EVENT));
            others.clear(now);
            context.rounds().follow();
        }
    }
}

package dev.wishdir.cluster.remote;

import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.event.RateLimitedAction;
import dev.wishdir.arena.flag.Flags;
import dev.wishdir.cluster.agreement.RoundAgreement;
import dev.wishdir.cluster.message.MessageReader;
import dev.wishdir.cluster.message.NodeBan;
import dev.wishdir.cluster.message.NodeEvent;
import dev.wishdir.cluster.message.NodeFault;
import dev.wishdir.cluster.message.NodeProfile;
import dev.wishdir.cluster.message.NodeStatus;
import dev.wishdir.cluster.message.RemoteLimits;
import dev.wishdir.cluster.publish.OwnPlayers;
import dev.wishdir.cluster.publish.RosterSchedule;
import dev.wishdir.cluster.v1.Ban;
import dev.wishdir.cluster.v1.Batch;
import dev.wishdir.cluster.v1.Credit;
import dev.wishdir.cluster.v1.Fights;
import dev.wishdir.cluster.v1.Header;
import dev.wishdir.cluster.v1.NumberedEvent;
import dev.wishdir.cluster.v1.PlayedLevel;
import dev.wishdir.cluster.v1.PlayedRound;
import dev.wishdir.cluster.v1.PlayerOrder;
import dev.wishdir.cluster.v1.RemoteHit;
import dev.wishdir.cluster.v1.Roster;
import dev.wishdir.cluster.v1.Standing;
import dev.wishdir.cluster.v1.Unban;
import dev.wishdir.motion.Movement;
import dev.wishdir.record.message.MessageDecoder;
import dev.wishdir.record.v1.Event;
import dev.wishdir.record.v1.Move;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Another node in one of its runs: what it sent, and its players in the own arena.
 *
 * <p>Its events are numbered, and applied without a gap. Each message has the number of the newest,
 * so a lost one is noticed with the next message, and the node's roster replaces what was missed.
 */
public final class RemoteNode {
    /** Movement that is older is not shown. */
    public static final long MAX_AGE_NANOS = 250_000_000;

    /** A node that is silent for longer is asked whether it is there. */
    static final long SILENT_NANOS = 300_000_000;

    /** The bodies of a node that is silent for longer are hidden. */
    public static final long HIDDEN_NANOS = 2_000_000_000L;

    /** The players of a node that is silent for longer leave. */
    public static final long GONE_NANOS = 15_000_000_000L;

    private static final long MIN_ASK_NANOS = 250_000_000;

    /** Of a node that is heard, so that players are right within a second after lost messages. */
    private static final long MAX_ASK_HEARD_NANOS = 500_000_000;

    private static final long MAX_ASK_SILENT_NANOS = 2_000_000_000L;

    /** A roster that arrives later after its request was not asked for. */
    private static final long MAX_ANSWER_NANOS = 5_000_000_000L;

    /** Maximum number of events that wait for a roster. */
    private static final int MAX_WAITING = 256;

    private final NodeContext context;
    private final RemoteRun run;
    private final MirroredPlayers players;
    private final Liveness liveness;
    private final ClockOffset offset = new ClockOffset();
    private final RemoteLimits limits = new RemoteLimits();
    private final RosterSchedule schedule = new RosterSchedule();
    private final Deque<NumberedEvent> waiting = new ArrayDeque<>();
    private final RemoteLevel level = new RemoteLevel();
    private NodeProfile profile = NodeProfile.UNKNOWN;
    private int maxPlayers;
    private long lastAge;
    private long lastBatch;

    /** Number of the newest event that is applied; -1 before the first roster. */
    private long appliedEvent = -1;

    private long newestEvent;

    RemoteNode(RemoteRun run, NodeContext context, long nanos) {
        this.run = run;
        this.context = context;
        liveness = new Liveness(nanos);
        players = new MirroredPlayers(context.arena(), context.names());
    }

    int number() {
        return run.node();
    }

    RemoteRun run() {
        return run;
    }

    Liveness liveness() {
        return liveness;
    }

    RemoteLimits limits() {
        return limits;
    }

    MirroredPlayers players() {
        return players;
    }

    RemoteLevel level() {
        return level;
    }

    /** Whether its players are known. */
    boolean isSynchronized() {
        return appliedEvent >= 0;
    }

    private boolean isBehind() {
        return appliedEvent < newestEvent || !isSynchronized();
    }

    /** Takes from a header what each message has; returns the message's age, nanoseconds. */
    long onHeader(long nanos, Header header) {
        long age = offset.age(nanos, header.getSentNs());
        if (age <= MAX_AGE_NANOS) {
            if (nanos - liveness.heard() >= SILENT_NANOS) {
                schedule.reset();
            }
            liveness.hear(nanos);
        }
        newestEvent = Math.max(newestEvent, header.getEvent());
        return age;
    }

    void onBatch(long now, long nanos, OwnPlayers own, Batch batch) {
        long age = onHeader(nanos, batch.getHeader());
        if (batch.getHeader().getBatch() <= lastBatch) {
            fault(nanos, NodeFault.REPEATED);
            return;
        }
        lastBatch = batch.getHeader().getBatch();
        lastAge = age;
        maxPlayers = Math.clamp(batch.getMaxPlayers(), 0, MessageReader.MAX_PLAYERS);
        context.listener().onBatch(age);
        onLevel(now, nanos, batch.getLevel());
        level.report(batch);
        if (!level.next().isEmpty()) {
            context.listener().onNextLevel(level.next());
        }
        if (age > MAX_AGE_NANOS) {
            context.counters().addStaleMovements(batch.getMoves().getMovesCount());
            return;
        }
        players.setWatching(now, batch.getWatchersList());
        if (batch.hasRound() && isSynchronized()) {
            offer(now, nanos, own, batch.getRound(), age);
        }
        boolean valid = true;
        for (Move move : batch.getMoves().getMovesList()) {
            Optional<Movement> movement = MessageReader.movement(move);
            if (movement.isPresent()) {
                players.move(
                        move.getPlayer(),
                        movement.get(),
                        MessageDecoder.nativeMovement(move, batch.getFormsList()));
            } else {
                valid = false;
            }
        }
        if (!valid) {
            fault(nanos, NodeFault.INVALID_MOVEMENT);
        }
    }

    private void offer(long now, long nanos, OwnPlayers own, PlayedRound round, long age) {
        RoundAgreement rounds = context.rounds();
        // A round may end with what was decided last in it.
        if (playsSameLevel()
                && round.getFlagChangesCount() <= Flags.MAX_REPEATED
                && rounds.isOfOwnerOfRound(now, number(), round)) {
            check(nanos, players.fights().changeFlags(now, nanos, own, limits, round));
        }
        NodeFault fault = rounds.offer(now, nanos, number(), limits, round, age);
        check(nanos, fault);
        if (fault != null) {
            return;
        }
        onRound(now, nanos, round, age);
        if (rounds.isOfOwner(number(), round)) {
            rounds.flags().setApart(!playsSameLevel());
            if (playsSameLevel() && round.getFlagsCount() > 0) {
                boolean isNewOwner = rounds.flags().isNew(round);
                check(
                        nanos,
                        players.fights().follow(now, nanos, own, limits, round, isNewOwner, age));
                rounds.flags().begin(round);
            }
        }
    }

    private void onRound(long now, long nanos, PlayedRound round, long age) {
        boolean isPlayed = context.rounds().isPlayed(now, round);
        // Where its players are is known up to the newest event.
        if (isPlayed && !isBehind() && playsSameLevel()) {
            check(nanos, players.fights().take(now, round.getItemsList(), age, context.rounds()));
        }
        check(nanos, players.fights().run(now, nanos, number(), limits, round, isPlayed));
    }

    private void onLevel(long now, long nanos, PlayedLevel reported) {
        if (!MessageReader.isLevel(reported)) {
            fault(nanos, NodeFault.UNKNOWN_LEVEL);
            return;
        }
        level.setPlayed(reported);
        if (reported.getCount() > 0
                && context.levels().offer(nanos, reported)
                && !context.listener().onLevelWanted(now, reported.getName())) {
            context.levels().refuse(nanos);
            fault(nanos, NodeFault.UNKNOWN_LEVEL);
        }
    }

    void onEvent(long now, long nanos, OwnPlayers own, NumberedEvent event) {
        onHeader(nanos, event.getHeader());
        long eventNumber = event.getHeader().getEvent();
        long last = waiting.isEmpty() ? appliedEvent : waiting.getLast().getHeader().getEvent();
        if (eventNumber <= last || eventNumber <= appliedEvent) {
            fault(nanos, NodeFault.REPEATED);
        } else if (!limits.allowsEvent(nanos)) {
            fault(nanos, NodeFault.RATE_LIMIT);
        } else if (isSynchronized() && eventNumber == appliedEvent + 1) {
            appliedEvent = eventNumber;
            apply(now, nanos, own, event);
        } else if (waiting.size() < MAX_WAITING) {
            waiting.add(event);
        }
    }

    private void apply(long now, long nanos, OwnPlayers own, NumberedEvent event) {
        switch (event.getKindCase()) {
            case EVENT -> {
                apply(now, nanos, own, event.getEvent(), event.getFormsList());
                if (event.hasCredit()) {
                    check(nanos, players.fights().credit(now, own, run.epoch(), event.getCredit()));
                }
            }
            case HIT -> hit(now, nanos, own, event.getHit());
            case FLAG -> {
                long age = offset.age(nanos, event.getFlag().getMadeNs());
                check(nanos, players.fights().report(now, nanos, limits, event.getFlag(), age));
            }
            case BAN -> ban(now, nanos, event.getBan());
            case UNBAN -> unban(now, nanos, event.getUnban());
            // A farewell is a matter of all nodes; a later version may have other kinds.
            case FAREWELL, KIND_NOT_SET -> {}
        }
    }

    private void hit(long now, long nanos, OwnPlayers own, RemoteHit hit) {
        long age = offset.age(nanos, hit.getMadeNs());
        check(nanos, players.fights().hit(now, nanos, own, run.epoch(), hit, age));
    }

    private void apply(long now, long nanos, OwnPlayers own, Event event, List<String> forms) {
        switch (event.getKindCase()) {
            case JOINED -> {
                Optional<Player> player =
                        MessageReader.player(event.getJoined().getPlayer(), forms);
                if (player.isEmpty()) {
                    fault(nanos, NodeFault.INVALID_MOVEMENT);
                } else if (players.count() >= MessageReader.MAX_PLAYERS) {
                    fault(nanos, NodeFault.TOO_MANY_PLAYERS);
                } else {
                    players.add(now, player.get());
                }
            }
            case ANNOUNCEMENT -> {
                if (limits.allowsAnnouncement(nanos)) {
                    context.arena().announce(now, event.getAnnouncement().getText());
                } else {
                    fault(nanos, NodeFault.PLAYER_RATE_LIMIT);
                }
            }
            case HIT, DIED, SCORED, TEAM_CHANGED -> {
                MirroredPlayer player = players.find(event.getId().getNumber());
                if (player != null) {
                    check(nanos, players.fights().mirror(now, nanos, own, player, event));
                }
            }
            default -> applyToPlayer(now, nanos, event, forms);
        }
    }

    private void applyToPlayer(long now, long nanos, Event event, List<String> forms) {
        MirroredPlayer player = players.find(event.getId().getNumber());
        if (player == null) {
            return;
        }
        Move move =
                switch (event.getKindCase()) {
                    case SPAWNED -> event.getSpawned().getMove();
                    case TELEPORTED -> event.getTeleported().getMove();
                    default -> Move.getDefaultInstance();
                };
        if (MessageReader.movement(move).isEmpty()) {
            fault(nanos, NodeFault.INVALID_MOVEMENT);
            return;
        }
        Optional<ArenaEvent> decoded = MessageDecoder.event(now, player.reported(), event, forms);
        if (decoded.isPresent()
                && decoded.get() instanceof ArenaEvent.OfPlayer ofPlayer
                && !players.apply(now, nanos, ofPlayer)) {
            fault(nanos, NodeFault.PLAYER_RATE_LIMIT);
        }
    }

    private void ban(long now, long nanos, Ban message) {
        Optional<NodeBan> ban = MessageReader.ban(message);
        if (ban.isEmpty()) {
            fault(nanos, NodeFault.MALFORMED);
        } else if (limits.allowsAnnouncement(nanos)) {
            context.bans().onBan(now, nanos, ban.get());
        } else {
            fault(nanos, NodeFault.PLAYER_RATE_LIMIT);
        }
    }

    private void unban(long now, long nanos, Unban message) {
        if (limits.allowsAnnouncement(nanos)) {
            context.bans().onUnban(now, nanos, message.getTarget(), message.getGame());
        } else {
            fault(nanos, NodeFault.PLAYER_RATE_LIMIT);
        }
    }

    void onRoster(long now, long nanos, OwnPlayers own, Roster roster) {
        long age = onHeader(nanos, roster.getHeader());
        if (!schedule.accept(nanos, MAX_ANSWER_NANOS)) {
            fault(nanos, NodeFault.UNEXPECTED);
            return;
        }
        if (age > MAX_AGE_NANOS) {
            context.counters().addStaleMovements(roster.getSnapshot().getPlayersCount());
            return;
        }
        onLevel(now, nanos, roster.getLevel());
        long eventNumber = roster.getHeader().getEvent();
        if (eventNumber < appliedEvent) {
            return;
        }
        boolean first = !isSynchronized();
        List<Player> listed = new ArrayList<>();
        for (dev.wishdir.record.v1.Player message : roster.getSnapshot().getPlayersList()) {
            MessageReader.player(message, roster.getSnapshot().getFormsList())
                    .ifPresentOrElse(listed::add, () -> fault(nanos, NodeFault.INVALID_MOVEMENT));
        }
        players.replace(now, listed);
        liveness.setHidden(false);
        appliedEvent = eventNumber;
        if (roster.hasFights()) {
            stand(now, listed, roster.getFights());
        }
        apply(now, nanos, own, roster.getFights());
        applyWaiting(now, nanos, own);
        if (first) {
            profile = NodeProfile.of(roster, context.listener().clockMillis());
            context.listener()
                    .onEvent(
                            new NodeEvent.NodeJoined(
                                    number(), profile.host(), profile.version(), players.count()));
        }
    }

    /** Takes over scores and teams; who is not listed has none, as after the start of a round. */
    private void stand(long now, List<Player> listed, Fights fights) {
        Map<Integer, Standing> standings = new HashMap<>();
        fights.getStandingsList().forEach(it -> standings.put(it.getPlayer(), it));
        for (Player listedPlayer : listed) {
            MirroredPlayer player = players.find(listedPlayer.id().number());
            if (player != null) {
                players.fights()
                        .stand(
                                now,
                                player,
                                standings.getOrDefault(
                                        listedPlayer.id().number(), Standing.getDefaultInstance()));
            }
        }
    }

    private void apply(long now, long nanos, OwnPlayers own, Fights fights) {
        for (RemoteHit hit : fights.getHitsList()) {
            hit(now, nanos, own, hit);
        }
        for (Credit credit : fights.getCreditsList()) {
            check(nanos, players.fights().credit(now, own, run.epoch(), credit));
        }
    }

    private void applyWaiting(long now, long nanos, OwnPlayers own) {
        while (!waiting.isEmpty()) {
            long next = waiting.getFirst().getHeader().getEvent();
            if (next > appliedEvent + 1) {
                return;
            }
            NumberedEvent event = waiting.removeFirst();
            if (next == appliedEvent + 1) {
                appliedEvent = next;
                apply(now, nanos, own, event);
            }
        }
    }

    /** Carries out what a player or operator of the node wants of an own player. */
    void onOrder(long now, long nanos, PlayerOrder order) {
        onHeader(nanos, order.getHeader());
        PlayerId own = new PlayerId(0, order.getPlayer());
        Optional<ArenaPlayer> player = context.arena().player(own);
        if (!limits.allowsOrder(nanos)) {
            fault(nanos, NodeFault.PLAYER_RATE_LIMIT);
            return;
        }
        if (player.isEmpty()) {
            return;
        }
        switch (order.getKindCase()) {
            case WHISPER -> {
                MirroredPlayer from = players.find(order.getWhisper().getFrom());
                ArenaPlayer handle = from == null ? null : from.handle();
                if (from == null || handle == null) {
                    fault(nanos, NodeFault.UNEXPECTED);
                } else if (!from.allows(nanos, RateLimitedAction.CHAT)) {
                    fault(nanos, NodeFault.PLAYER_RATE_LIMIT);
                } else {
                    handle.whisper(now, own, order.getWhisper().getText());
                }
            }
            case KICK -> {
                LeaveReason reason =
                        MessageDecoder.reason(
                                order.getKick().getReason(), order.getKick().getText());
                player.get()
                        .kick(
                                now,
                                reason.code().isKick()
                                        ? reason
                                        : new LeaveReason(LeaveReason.Code.KICKED, reason.text()));
            }
            case BAN ->
                    MessageReader.ban(order.getBan())
                            .ifPresentOrElse(
                                    ban -> context.listener().onBanOrder(now, own, ban),
                                    () -> fault(nanos, NodeFault.MALFORMED));
            // A later version may have other kinds.
            case KIND_NOT_SET -> {}
        }
    }

    /**
     * Whether the node's roster is to be requested now: an event is missing, nothing is heard, or
     * its bodies are hidden, whose places are not known any more.
     *
     * @param silence nanoseconds
     */
    boolean wantsRoster(long nanos, long silence) {
        boolean wanted = isBehind() || silence >= SILENT_NANOS || liveness.isHidden();
        boolean gap = wanted && !schedule.isAsked();
        long maxInterval = silence < SILENT_NANOS ? MAX_ASK_HEARD_NANOS : MAX_ASK_SILENT_NANOS;
        if (!schedule.ask(nanos, wanted, MIN_ASK_NANOS, maxInterval)) {
            return false;
        }
        if (gap && isSynchronized() && isBehind()) {
            context.counters().addGap();
            if (schedule.addGap(nanos)) {
                context.listener().onEvent(new NodeEvent.EventsMissed(number()));
            }
        }
        return true;
    }

    private boolean playsSameLevel() {
        return level.isPlayed(context.levels().played().getName());
    }

    /** Shows bodies of players that play what this node plays, while the node is heard. */
    void show(long now, long silence) {
        if (silence >= HIDDEN_NANOS) {
            liveness.setHidden(true);
        }
        boolean isTogether = playsSameLevel();
        if (isTogether) {
            level.setLate(false);
        }
        players.setVisible(now, isTogether && !liveness.isHidden());
    }

    /** All its players leave. */
    int clear(long now, LeaveReason reason) {
        int count = players.count();
        players.clear(now, reason);
        waiting.clear();
        context.rounds().forget(number());
        appliedEvent = -1;
        return count;
    }

    NodeStatus status(long silence) {
        return new NodeStatus(
                number(),
                profile.host(),
                profile.version(),
                players.count(),
                level.played().getName(),
                silence,
                lastAge,
                maxPlayers,
                profile.ports(),
                profile.clockAheadMillis());
    }

    private void check(long nanos, @Nullable NodeFault fault) {
        if (fault != null) {
            fault(nanos, fault);
        }
    }

    private void fault(long nanos, NodeFault fault) {
        context.faults().add(nanos, number(), fault);
    }
}

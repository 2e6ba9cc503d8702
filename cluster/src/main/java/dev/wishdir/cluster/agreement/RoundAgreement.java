package dev.wishdir.cluster.agreement;

import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.event.RoundEndReason;
import dev.wishdir.arena.event.Team;
import dev.wishdir.arena.flag.Flags;
import dev.wishdir.arena.item.ItemPickup;
import dev.wishdir.arena.match.Match;
import dev.wishdir.arena.match.RoundState;
import dev.wishdir.arena.match.SharedMatch;
import dev.wishdir.cluster.bus.Subjects;
import dev.wishdir.cluster.message.MessageReader;
import dev.wishdir.cluster.message.NodeFault;
import dev.wishdir.cluster.message.RemoteLimits;
import dev.wishdir.cluster.v1.PlayedRound;
import dev.wishdir.cluster.v1.TakenItem;
import dev.wishdir.cluster.v1.TeamFrags;
import dev.wishdir.net.limit.TokenBucket;
import dev.wishdir.record.message.MessageEncoder;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.stream.Stream;

/**
 * Agreement about the round that all nodes play: the one with the highest (count, node), as each
 * node reports what it plays. The count grows with each change: a stage that ends, a restart, a
 * pause. The node that made the last change ends the stage; if it does not within a second, each
 * other node may. It also decides about the flags; if it is not heard for a second, the lowest of
 * the others makes a change that changes nothing else.
 *
 * <p>A round counts for nothing at first, and once it has been played for a second without another
 * one it counts as chosen. So a node that joins changes nothing.
 */
public final class RoundAgreement implements SharedMatch.Rounds {
    /** Time for which a stage that is over waits for the node that is to end it. */
    static final long MAX_WAIT_NANOS = 1_000_000_000L;

    private static final long UNDECIDED_NANOS = 1_000_000_000L;

    /** Clocks of servers may run apart by this, before the time left is set again. */
    private static final long MAX_DRIFT_NANOS = 250_000_000;

    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final long MAX_LEFT_MILLIS = Duration.ofHours(24).toMillis();

    /** Of the levels of all games together. */
    private static final int MAX_ITEMS = 2_048;

    /** Maximum number of best times in a report. */
    private static final int MAX_BEST_TIMES = 64;

    private static final int MAX_TEAM_FRAGS = 1_000_000;

    /** Items that are gone when this node joins, whose takers have left; of all nodes together. */
    private static final double DEPARTED_BURST = 32;

    private static final double DEPARTED_PER_SECOND = 0.1;

    private final Match arenaMatch;
    private final SharedMatch match;
    private final FlagAgreement flags;
    private final LevelAgreement levels;
    private final Map<Integer, PlayedRound> reported = new HashMap<>();
    private final ReportedTimes times;
    private final TokenBucket itemsOfDeparted =
            new TokenBucket(DEPARTED_BURST, DEPARTED_PER_SECOND);
    private long count;
    private int changedBy;
    private long highest;
    private int own;
    private long lastTurn;
    private long undecidedSince;

    /** The time of the last report by the node that made the last change. */
    private long confirmedAt;

    private boolean isOwnerHeard;
    private boolean isAdopting;
    private boolean isChanged;

    /** Whether the frags of the others' teams are not those of the last reports, or round. */
    private boolean areTeamsDue;

    public RoundAgreement(Match played, LevelAgreement levels, long nanos) {
        arenaMatch = played;
        match = played.shared();
        times = new ReportedTimes(played);
        this.levels = levels;
        lastTurn = nanos;
        undecidedSince = nanos;
        confirmedAt = nanos;
        match.setRounds(this);
        flags = new FlagAgreement(played.flags(), this::isOwner);
    }

    /** The agreement about the flags of the match. */
    public FlagAgreement flags() {
        return flags;
    }

    /** Whether this node made the last change, or has not agreed with others about the round. */
    private boolean isOwner() {
        return count == 0 || changedBy == own || levels.isPreparing(lastTurn);
    }

    @Override
    public void onChange() {
        areTeamsDue = true;
        if (!isAdopting) {
            isChanged = true;
            if (count > 0) {
                count = ++highest;
                changedBy = own;
            }
        }
    }

    @Override
    public boolean awaitsOthers(long overdue) {
        boolean isOthers = count > 0 && changedBy != own && isOwnerHeard;
        return levels.isPreparing(lastTurn) || isOthers && overdue < MAX_WAIT_NANOS;
    }

    /**
     * The server begins a level that another node chose, so that what it begins with it is not its
     * own, or leaves the others.
     */
    public void follow() {
        count = 0;
        changedBy = 0;
        undecidedSince = lastTurn;
    }

    /** Whether this node changed the round since the last call. */
    public boolean takeChange() {
        boolean was = isChanged;
        isChanged = false;
        return was;
    }

    /**
     * Does what is due in a turn.
     *
     * @param own number of this node
     * @param isConnected whether the bus is connected
     * @param isHeard whether a node is heard, by its number
     */
    public void advance(long now, long nanos, int own, boolean isConnected, IntPredicate isHeard) {
        this.own = own;
        isOwnerHeard = isHeard.test(changedBy);
        lastTurn = nanos;
        Optional<RoundState> played = match.round(now);
        if (played.isEmpty() || !isConnected && count == 0) {
            follow();
        } else if (count == 0 && nanos - undecidedSince >= UNDECIDED_NANOS) {
            count = ++highest;
            changedBy = own;
            isChanged = true;
        } else if (isOwnerLost(nanos, isHeard)) {
            onChange();
        }
        if (areTeamsDue && played.isPresent()) {
            areTeamsDue = false;
            match.setTeamFragsOfOthers(now, fragsOfOthers(played.get().round()));
        }
    }

    /** Whether this node is to decide about the flags, as the one that does is not heard. */
    private boolean isOwnerLost(long nanos, IntPredicate isHeard) {
        return !isOwner()
                && hasFlags()
                && nanos - confirmedAt > MAX_WAIT_NANOS
                && reported.keySet().stream()
                        .noneMatch(node -> node < own && node != changedBy && isHeard.test(node));
    }

    private boolean hasFlags() {
        return arenaMatch.rules().mode().hasFlags() && !arenaMatch.flags().all().isEmpty();
    }

    private Map<Team, Integer> fragsOfOthers(long round) {
        Map<Team, Integer> sums = new EnumMap<>(Team.class);
        for (PlayedRound other : reported.values()) {
            if (other.getRound() == round) {
                for (TeamFrags frags : other.getTeamsList()) {
                    team(frags.getTeam())
                            .ifPresent(team -> sums.merge(team, frags.getFrags(), Integer::sum));
                }
            }
        }
        return sums;
    }

    /** A node is gone, and with it what its players scored. */
    public void forget(int node) {
        reported.remove(node);
        areTeamsDue = true;
        if (node == changedBy) {
            confirmedAt = lastTurn - MAX_WAIT_NANOS;
        }
    }

    /**
     * Whether flags are those of the node that decides.
     *
     * @param from the node that sent the round
     */
    public boolean isOfOwner(int from, PlayedRound round) {
        return from == round.getNode() && compare(round) == 0;
    }

    /**
     * Whether changes of flags were decided by the node that decides, or is to decide, in the round
     * that is played here.
     *
     * @param from the node that sent the round
     */
    public boolean isOfOwnerOfRound(long now, int from, PlayedRound round) {
        return count > 0
                && from == round.getNode()
                && compare(round) >= 0
                && match.round(now).filter(it -> it.round() == round.getRound()).isPresent();
    }

    /**
     * Another node plays a round.
     *
     * @param limits of the node
     * @param age of the report, nanoseconds
     * @return why it is not accepted; null if it is, or changes nothing
     */
    public @Nullable NodeFault offer(
            long now, long nanos, int from, RemoteLimits limits, PlayedRound round, long age) {
        Optional<RoundState> state = state(round, age);
        RoundState played = match.round(now).orElse(null);
        long known = played == null ? highest : Math.max(highest, played.round());
        if (state.isEmpty()
                || round.getCount() > believed(highest)
                || round.getRound() > believed(known)) {
            return NodeFault.INVALID_ROUND;
        }
        reported.put(from, round);
        areTeamsDue = true;
        if (round.getCount() == 0) {
            return null;
        }
        undecidedSince = nanos;
        int order = compare(round);
        if (order == 0 && round.getNode() == from && (round.getFlagsCount() > 0 || !hasFlags())) {
            confirmedAt = nanos;
        }
        boolean isLate =
                order == 0
                        && round.getNode() == from
                        && played != null
                        && isApart(played, state.get());
        boolean isWanted = order > 0 || isLate;
        if (!isWanted || levels.isPreparing(nanos) || !match.hasPlayers()) {
            return null;
        }
        if (order > 0 && !limits.allowsRound(nanos)) {
            return NodeFault.INVALID_ROUND;
        }
        adopt(now, round, state.get());
        confirmedAt = nanos;
        return null;
    }

    private void adopt(long now, PlayedRound round, RoundState state) {
        isAdopting = true;
        try {
            match.adopt(now, state);
            count = round.getCount();
            changedBy = round.getNode();
            highest = Math.max(highest, count);
        } finally {
            isAdopting = false;
        }
    }

    /** The highest number that is believed; a node that has joined knows of none. */
    private long believed(long known) {
        return highest == 0 ? MessageReader.MAX_COUNT / 2 : known + LevelAgreement.MAX_STEP;
    }

    private int compare(PlayedRound round) {
        int byCount = Long.compare(round.getCount(), count);
        return byCount != 0 ? byCount : Integer.compare(round.getNode(), changedBy);
    }

    private static boolean isApart(RoundState a, RoundState b) {
        long apart = a.left().orElse(Duration.ZERO).minus(b.left().orElse(Duration.ZERO)).toNanos();
        return a.round() == b.round()
                && a.stage() == b.stage()
                && a.paused() == b.paused()
                && Math.abs(apart) > MAX_DRIFT_NANOS;
    }

    /** Report to the other nodes; null without a round. */
    public @Nullable PlayedRound played(long now) {
        RoundState round = match.round(now).orElse(null);
        if (round == null) {
            return null;
        }
        PlayedRound.Builder message =
                PlayedRound.newBuilder()
                        .setCount(count)
                        .setNode(changedBy)
                        .setRound(round.round())
                        .setStage(name(round.stage()))
                        .setPaused(round.paused())
                        .setEnd(round.end().map(RoundEndReason::toString).orElse(""))
                        .setWinningTeam(round.winningTeam().map(Team::toString).orElse(""));
        round.left().ifPresent(left -> message.setLeftMs((int) left.toMillis()));
        round.winner()
                .ifPresent(winner ->
                        message.setWinner(
                                dev.wishdir.record.v1.PlayerId.newBuilder()
                                        .setNode(winner.node() == 0 ? own : winner.node())
                                        .setNumber(winner.number())));
        match.teamFrags()
                .forEach((team, frags) ->
                        message.addTeams(
                                TeamFrags.newBuilder().setTeam(team.toString()).setFrags(frags)));
        match.pickups(now).forEach(pickup -> message.addItems(message(pickup)));
        times.addTo(message);
        flags.addTo(message, now, own);
        return message.build();
    }

    private static TakenItem message(ItemPickup pickup) {
        return TakenItem.newBuilder()
                .setPlayer(pickup.player().map(PlayerId::number).orElse(0))
                .setItem(MessageEncoder.item(pickup.number(), pickup.item()))
                .setLeftMs((int) Math.ceilDiv(pickup.left().toNanos(), NANOS_PER_MILLI))
                .build();
    }

    /** Whether one more item may vanish that was taken by a player that has left. */
    public boolean allowsItemOfDeparted() {
        return itemsOfDeparted.tryAcquire(lastTurn);
    }

    /** Whether this node plays the same stage of the same round as another one. */
    public boolean isPlayed(long now, PlayedRound round) {
        return match.round(now)
                .filter(it -> it.round() == round.getRound())
                .filter(it -> name(it.stage()).equals(round.getStage()))
                .isPresent();
    }

    /** A round that a match can have; empty otherwise. */
    private Optional<RoundState> state(PlayedRound round, long age) {
        Optional<RoundState.Stage> stage =
                Stream.of(RoundState.Stage.values())
                        .filter(it -> name(it).equals(round.getStage()))
                        .findFirst();
        Optional<RoundEndReason> end =
                Stream.of(RoundEndReason.values())
                        .filter(it -> it.toString().equals(round.getEnd()))
                        .findFirst();
        boolean isValid =
                isCount(round.getCount())
                        && (round.getCount() == 0 || Subjects.isNode(round.getNode()))
                        && isCount(round.getRound())
                        && round.getLeftMs() >= 0
                        && round.getLeftMs() <= MAX_LEFT_MILLIS
                        && (end.isPresent() || round.getEnd().isEmpty())
                        && isTeam(round.getWinningTeam())
                        && round.getItemsCount() <= MAX_ITEMS
                        && round.getTimesCount() <= MessageReader.MAX_PLAYERS
                        && round.getBestTimesCount() <= MAX_BEST_TIMES
                        && round.getFlagsCount() <= Team.values().length
                        && round.getFlagChangesCount() <= Flags.MAX_REPEATED
                        && round.getTeamsCount() <= Team.values().length
                        && round.getTeamsList().stream()
                                .allMatch(it -> Math.abs((long) it.getFrags()) <= MAX_TEAM_FRAGS);
        if (stage.isEmpty() || !isValid) {
            return Optional.empty();
        }
        long spent = round.getPaused() ? 0 : age;
        return Optional.of(
                new RoundState(
                        round.getRound(),
                        stage.get(),
                        round.getPaused(),
                        round.hasLeftMs()
                                ? Optional.of(
                                        Duration.ofNanos(
                                                Math.max(
                                                        0,
                                                        round.getLeftMs() * NANOS_PER_MILLI
                                                                - spent)))
                                : Optional.empty(),
                        end,
                        round.hasWinner()
                                ? Optional.of(
                                        new PlayerId(
                                                round.getWinner().getNode() == own
                                                        ? 0
                                                        : round.getWinner().getNode(),
                                                round.getWinner().getNumber()))
                                : Optional.empty(),
                        team(round.getWinningTeam())));
    }

    private static boolean isCount(long number) {
        return number >= 0 && number <= MessageReader.MAX_COUNT;
    }

    private static boolean isTeam(String name) {
        return name.isEmpty() || team(name).isPresent();
    }

    private static Optional<Team> team(String name) {
        return Stream.of(Team.values()).filter(it -> it.toString().equals(name)).findFirst();
    }

    private static String name(RoundState.Stage stage) {
        return stage.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}

package dev.wishdir.cluster.remote;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.FlagCause;
import dev.wishdir.arena.event.MirrorResult;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.event.Score;
import dev.wishdir.arena.event.Team;
import dev.wishdir.arena.flag.FlagReport;
import dev.wishdir.arena.flag.FlagState;
import dev.wishdir.arena.flag.FlagStatus;
import dev.wishdir.arena.flag.Flags;
import dev.wishdir.arena.match.SharedMatch;
import dev.wishdir.arena.race.Race;
import dev.wishdir.arena.race.RaceTimes;
import dev.wishdir.cluster.agreement.RoundAgreement;
import dev.wishdir.cluster.message.NodeFault;
import dev.wishdir.cluster.message.RemoteLimits;
import dev.wishdir.cluster.publish.OwnFights;
import dev.wishdir.cluster.publish.OwnPlayers;
import dev.wishdir.cluster.v1.BestTime;
import dev.wishdir.cluster.v1.Credit;
import dev.wishdir.cluster.v1.PlayedRound;
import dev.wishdir.cluster.v1.RemoteHit;
import dev.wishdir.cluster.v1.RunTime;
import dev.wishdir.cluster.v1.Standing;
import dev.wishdir.cluster.v1.TakenItem;
import dev.wishdir.motion.Vec3;
import dev.wishdir.record.message.MessageDecoder;
import dev.wishdir.record.v1.Event;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** Fights of the players of one other node, as far as that node may report them. */
final class RemoteFights {
    /** No player has more frags or deaths in a round. */
    private static final int MAX_SCORE = 1_000_000;

    /**
     * What a node reports of its own players and operator; it hears of all else by their events.
     */
    private static final Set<FlagCause> REPORTED_LOSSES =
            EnumSet.of(FlagCause.KEY, FlagCause.VIOLATION, FlagCause.OPERATOR);

    private final Arena arena;
    private final Map<Integer, MirroredPlayer> players;

    /**
     * @param players of the node, by their numbers there; a view
     */
    RemoteFights(Arena arena, Map<Integer, MirroredPlayer> players) {
        this.arena = arena;
        this.players = players;
    }

    private SharedMatch match() {
        return arena.match().shared();
    }

    /**
     * Carries out a hit on an own player, unless it is known already.
     *
     * @param age how long ago it was made, nanoseconds
     * @return why it is not accepted; null if it is, or has no effect
     */
    @Nullable NodeFault hit(
            long now, long nanos, OwnPlayers own, long epoch, RemoteHit message, long age) {
        dev.wishdir.record.v1.PlayerId victimId = message.getEvent().getId();
        if (victimId.getNode() != own.node() || message.getVictimEpoch() != own.epoch()) {
            return null;
        }
        MirroredPlayer attacker =
                players.get(message.getEvent().getHit().getAttacker().getNumber());
        Optional<Player> victim = arena.find(new PlayerId(0, victimId.getNumber()));
        if (!own.fights().take(epoch, message.getNumber()) || age > OwnFights.MAX_HIT_AGE_NANOS) {
            return null;
        }
        if (attacker == null || victim.isEmpty()) {
            return null;
        }
        if (!attacker.allowsFight(nanos)) {
            return NodeFault.PLAYER_RATE_LIMIT;
        }
        Optional<ArenaEvent.Hit> hit =
                MessageDecoder.hit(
                        now, victim.get(), attacker.reported(), message.getEvent().getHit());
        if (hit.isEmpty()) {
            return NodeFault.INVALID_HIT;
        }
        return switch (match().receive(hit.get(), now - age)) {
            case IMPOSSIBLE -> NodeFault.INVALID_HIT;
            case TOO_MUCH -> NodeFault.PLAYER_RATE_LIMIT;
            case TAKEN, NO_EFFECT -> null;
        };
    }

    /**
     * Takes the items that players of the node took, or players that have left.
     *
     * @param age of the report, nanoseconds
     */
    @Nullable NodeFault take(long now, List<TakenItem> items, long age, RoundAgreement rounds) {
        for (TakenItem each : items) {
            MirroredPlayer player = players.get(each.getPlayer());
            if (player == null && each.getPlayer() != 0) {
                continue;
            }
            boolean isImpossible =
                    MessageDecoder.pickup(
                                    Optional.ofNullable(player).map(MirroredPlayer::id),
                                    each.getItem(),
                                    Duration.ofMillis(each.getLeftMs()).minusNanos(age))
                            .map(it -> match().mirror(now, it, rounds::allowsItemOfDeparted))
                            .filter(MirrorResult.IMPOSSIBLE::equals)
                            .isPresent();
            if (isImpossible) {
                return NodeFault.INVALID_ITEM;
            }
        }
        return null;
    }

    /**
     * Takes over the times of a race.
     *
     * @param isPlayed whether this node plays the same stage of the same round
     */
    @Nullable NodeFault run(
            long now,
            long nanos,
            int node,
            RemoteLimits limits,
            PlayedRound round,
            boolean isPlayed) {
        Race race = arena.match().race();
        if (!arena.match().isRace() || !race.arena().equals(round.getArena())) {
            return null;
        }
        Map<PlayerId, Integer> times = new HashMap<>();
        players.values().forEach(player -> times.put(player.id(), 0));
        boolean isValid = true;
        for (RunTime each : round.getTimesList()) {
            isValid &= each.getTimeMs() != 0;
            times.replace(new PlayerId(node, each.getPlayer()), each.getTimeMs());
        }
        isValid &= !isPlayed || race.mirror(now, times);
        for (BestTime each : round.getBestTimesList()) {
            RaceTimes.Time time =
                    new RaceTimes.Time(
                            race.arena(), each.getGame(), each.getName(), each.getTimeMs());
            isValid &=
                    race.mirror(
                            now,
                            node,
                            time,
                            rank -> limits.allowsBestTime(nanos, rank.bestOfGame()));
        }
        return isValid ? null : NodeFault.INVALID_RUN;
    }

    /**
     * Decides about a flag that a player or operator of the node reports, if this node decides.
     *
     * @param age of the report, nanoseconds
     */
    @Nullable NodeFault report(
            long now,
            long nanos,
            RemoteLimits limits,
            dev.wishdir.cluster.v1.FlagReport message,
            long age) {
        MirroredPlayer player = players.get(message.getPlayer());
        Optional<Team> flag = team(message.getFlag());
        Optional<FlagCause> loss =
                REPORTED_LOSSES.stream()
                        .filter(it -> it.toString().equals(message.getLoss()))
                        .findFirst();
        Vec3 place = MessageDecoder.vector(message.getPlace());
        boolean isOperator = loss.equals(Optional.of(FlagCause.OPERATOR));
        if (flag.isEmpty()
                || !place.isFinite()
                || loss.isEmpty() != message.getLoss().isEmpty()
                || isOperator != (message.getPlayer() == 0)) {
            return NodeFault.INVALID_FLAG;
        }
        if (player == null && !isOperator || age > OwnFights.MAX_HIT_AGE_NANOS) {
            return null;
        }
        if (!(player == null ? limits.allowsFlag(nanos) : player.allowsFight(nanos))) {
            return NodeFault.PLAYER_RATE_LIMIT;
        }
        FlagReport report =
                new FlagReport(
                        Optional.ofNullable(player).map(MirroredPlayer::id),
                        flag.get(),
                        message.getVersion(),
                        place,
                        loss);
        return fault(arena.match().flags().receive(now, report, now - age));
    }

    private static @Nullable NodeFault fault(MirrorResult result) {
        return switch (result) {
            case IMPOSSIBLE, TOO_MUCH -> NodeFault.INVALID_FLAG;
            case TAKEN, NO_EFFECT -> null;
        };
    }

    /** Takes over the changes of flags that the node decided. */
    @Nullable NodeFault changeFlags(
            long now, long nanos, OwnPlayers own, RemoteLimits limits, PlayedRound round) {
        NodeFault fault = null;
        for (Event each : round.getFlagChangesList()) {
            Optional<ArenaEvent> change =
                    each.hasFlagChanged()
                            ? MessageDecoder.flagChanged(
                                    now,
                                    each.getFlagChanged(),
                                    each.hasId() ? other(own, each.getId()) : Optional.empty())
                            : Optional.empty();
            NodeFault found =
                    change.isPresent() && change.get() instanceof ArenaEvent.FlagChanged flagChanged
                            ? fault(
                                    arena.match()
                                            .flags()
                                            .follow(flagChanged, () -> limits.allowsFlag(nanos)))
                            : NodeFault.INVALID_FLAG;
            fault = found == null ? fault : found;
        }
        return fault;
    }

    /**
     * Takes over the flags as the node has them, which decides.
     *
     * @param isNewOwner whether these are the first ones since it decides
     * @param age of the report, nanoseconds
     */
    @Nullable NodeFault follow(
            long now,
            long nanos,
            OwnPlayers own,
            RemoteLimits limits,
            PlayedRound round,
            boolean isNewOwner,
            long age) {
        Optional<List<FlagStatus>> all = MessageDecoder.flags(now - age, round.getFlagsList());
        if (all.isEmpty()) {
            return round.getFlagsCount() == 0 ? null : NodeFault.INVALID_FLAG;
        }
        Flags flags = arena.match().flags();
        BooleanSupplier limit = () -> limits.allowsFlag(nanos);
        NodeFault fault = null;
        for (FlagStatus each : all.get()) {
            NodeFault found = fault(flags.follow(now, here(own, each), isNewOwner, limit));
            fault = found == null ? fault : found;
        }
        return fault;
    }

    /** A flag with its carrier as this arena has it. */
    private static FlagStatus here(OwnPlayers own, FlagStatus flag) {
        return flag.state() instanceof FlagState.Carried(PlayerId by, long since)
                        && by.node() == own.node()
                ? new FlagStatus(
                        flag.team(),
                        flag.home(),
                        new FlagState.Carried(new PlayerId(0, by.number()), since),
                        flag.version())
                : flag;
    }

    private static Optional<Team> team(String name) {
        return Stream.of(Team.values()).filter(it -> it.toString().equals(name)).findFirst();
    }

    /** Counts the frags that an own player has of players of the node. */
    @Nullable NodeFault credit(long now, OwnPlayers own, long epoch, Credit credit) {
        if (credit.getKiller().getNode() != own.node() || credit.getKillerEpoch() != own.epoch()) {
            return null;
        }
        int killer = credit.getKiller().getNumber();
        OptionalLong more = own.fights().takeCredit(epoch, killer, credit.getFrags());
        if (more.isEmpty()) {
            return NodeFault.INVALID_HIT;
        }
        if (more.getAsLong() != 0) {
            match().credit(now, new PlayerId(0, killer), (int) more.getAsLong());
        }
        return null;
    }

    /** Shows what became of a player of the node. */
    @Nullable NodeFault mirror(
            long now, long nanos, OwnPlayers own, MirroredPlayer player, Event event) {
        if (!player.allowsFight(nanos)) {
            return NodeFault.PLAYER_RATE_LIMIT;
        }
        switch (event.getKindCase()) {
            case HIT ->
                    other(own, event.getHit().getAttacker())
                            .flatMap(attacker ->
                                    MessageDecoder.hit(
                                            now, player.reported(), attacker, event.getHit()))
                            .ifPresent(match()::mirror);
            case DIED -> {
                player.flush(now);
                other(own, event.getDied().getKiller())
                        .flatMap(killer ->
                                MessageDecoder.died(
                                        now, player.reported(), killer, event.getDied()))
                        .ifPresent(match()::mirror);
                player.despawn(now);
            }
            case SCORED ->
                    stand(
                            now,
                            player,
                            player.standing().toBuilder()
                                    .setFrags(event.getScored().getFrags())
                                    .setDeaths(event.getScored().getDeaths())
                                    .build());
            case TEAM_CHANGED ->
                    stand(
                            now,
                            player,
                            player.standing().toBuilder()
                                    .setTeam(event.getTeamChanged().getTeam())
                                    .build());
            default -> {}
        }
        return null;
    }

    /** Takes over the score and team of a player. */
    void stand(long now, MirroredPlayer player, Standing standing) {
        player.setStanding(standing);
        show(now, player);
    }

    /** Gives a player in the arena its score and team. */
    void show(long now, MirroredPlayer player) {
        if (player.handle() == null) {
            return;
        }
        Standing standing = player.standing();
        Player reported = player.reported();
        team(standing.getTeam())
                .ifPresent(team -> match().mirror(new ArenaEvent.TeamChanged(now, reported, team)));
        Score score =
                new Score(
                        Math.clamp(standing.getFrags(), -MAX_SCORE, MAX_SCORE),
                        Math.clamp(standing.getDeaths(), 0, MAX_SCORE));
        match().mirror(new ArenaEvent.Scored(now, reported, score, Optional.empty()));
    }

    private Optional<Player> other(OwnPlayers own, dev.wishdir.record.v1.PlayerId id) {
        int node = id.getNode() == own.node() ? 0 : id.getNode();
        return arena.find(new PlayerId(node, id.getNumber()));
    }
}

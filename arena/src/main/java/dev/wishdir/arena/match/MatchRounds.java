package dev.wishdir.arena.match;

import dev.wishdir.arena.combat.Missiles;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.FlagCause;
import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.event.RoundEndReason;
import dev.wishdir.arena.event.Score;
import dev.wishdir.arena.event.Team;
import dev.wishdir.arena.event.TeamScore;
import dev.wishdir.arena.flag.FlagCarrier;
import dev.wishdir.arena.flag.FlagReferee;
import dev.wishdir.arena.flag.FlagRules;
import dev.wishdir.arena.flag.Flags;
import dev.wishdir.arena.item.ItemSpawns;
import dev.wishdir.arena.match.RoundState.Stage;
import dev.wishdir.arena.player.ActiveLevels;
import dev.wishdir.arena.race.Race;
import dev.wishdir.arena.race.RaceGhost;
import dev.wishdir.arena.race.RaceTimes;
import dev.wishdir.arena.relay.EventDispatcher;
import dev.wishdir.arena.relay.Subscriber;
import dev.wishdir.arena.validation.CheatPolicyEnforcer;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The rounds of a match, one after the other: their stages and time, and the scores that count in
 * them. There is no stage without a match, and without players that play it.
 */
final class MatchRounds implements FlagReferee {
    private static final long NEVER = Long.MAX_VALUE;
    private static final Optional<Duration> OVER = Optional.of(Duration.ZERO);
    private static final int CAPTURE_POINTS = 5;
    private static final int RETURN_POINTS = 1;
    private static final long LAST_CALL_NANOS = TimeUnit.MINUTES.toNanos(1);

    /** Time between two looks whether another server has ended the stage. */
    private static final long AWAIT_INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final EventDispatcher dispatcher;
    private final Missiles missiles = new Missiles();
    private final ItemSpawns items;
    private final Race race;
    private final Flags flags;
    private final MatchPlayers players = new MatchPlayers();
    private MatchRules rules = MatchRules.NONE;
    private @Nullable Stage stage;

    /** Number of the round that is played, from 1. */
    private long round;

    private LongConsumer rotation = this::begin;

    /** End of the stage, as if it were not paused. */
    private long deadline = NEVER;

    private long pausedAt = NEVER;
    private boolean lastCall;

    /** End of the round; null before it. */
    private ArenaEvent.@Nullable RoundEnded lastEnd;

    /** Null if the rounds are this server's own. */
    private SharedMatch.@Nullable Rounds agreement;

    MatchRounds(
            EventDispatcher dispatcher,
            ActiveLevels levels,
            RaceGhost.Mirror mirror,
            CheatPolicyEnforcer cheatPolicy) {
        this.dispatcher = dispatcher;
        items = new ItemSpawns(dispatcher);
        race =
                new Race(
                        dispatcher,
                        levels,
                        mirror,
                        () -> isRace() && isRunning(),
                        () -> stage == Stage.PLAYING);
        flags = new Flags(dispatcher, levels, cheatPolicy, this);
    }

    /** Sets the rules, before a player has joined. */
    void setRules(MatchRules given) {
        if (!players.all().isEmpty()) {
            throw new IllegalStateException("the rules of a match can't change while it is played");
        }
        rules = given;
        items.setOn(rules.items() && rules.mode().hasItems());
        flags.setOn(rules.mode().hasFlags());
    }

    MatchRules rules() {
        return rules;
    }

    Missiles missiles() {
        return missiles;
    }

    ItemSpawns items() {
        return items;
    }

    Race race() {
        return race;
    }

    Flags flags() {
        return flags;
    }

    MatchPlayers players() {
        return players;
    }

    /** Null without a match, and without players. */
    @Nullable Stage stage() {
        return stage;
    }

    /** The number of the round that is played, from 1; 0 before the first one. */
    long number() {
        return round;
    }

    void setRotation(LongConsumer next) {
        rotation = next;
    }

    void setAgreement(SharedMatch.Rounds agreement) {
        this.agreement = agreement;
    }

    /** Whether a match is played here at all. */
    boolean isOn() {
        return rules.mode() != MatchMode.NONE;
    }

    /** Whether hits count now; never in a race. */
    @Override
    public boolean isFighting() {
        return isRunning() && !isRace();
    }

    /** Whether kills count for the scores now. */
    boolean isCounting() {
        return stage == Stage.PLAYING && !isRace();
    }

    private boolean isRunning() {
        return (stage == Stage.WARM_UP || stage == Stage.PLAYING) && !isPaused();
    }

    boolean isRace() {
        return rules.mode() == MatchMode.RACE;
    }

    boolean isPaused() {
        return pausedAt != NEVER;
    }

    /** Time until the stage ends; empty if it does not end by itself. */
    Optional<Duration> timeLeft(long now) {
        return deadline == NEVER
                ? Optional.empty()
                : Optional.of(Duration.ofNanos(Math.max(0, deadline - Math.min(now, pausedAt))));
    }

    /** Whether a player has a score here. */
    private static boolean isCounted(Fighter fighter) {
        return !fighter.isWatching()
                && (fighter.subscriber != null || fighter.player.id.isOfOtherServer());
    }

    /** The players with a score, the best first. */
    List<Fighter> standings() {
        return players.all().stream()
                .filter(MatchRounds::isCounted)
                .sorted(
                        Comparator.comparingInt((Fighter one) -> -one.score().frags())
                                .thenComparingInt(
                                        one -> race.millis(one.player.id).orElse(Integer.MAX_VALUE))
                                .thenComparingInt(one -> one.score().deaths()))
                .toList();
    }

    /** The scores of the teams, red first; empty in a match without teams. */
    List<TeamScore> teamScores() {
        return rules.mode().hasTeams()
                ? Stream.of(Team.values()).map(this::teamScore).toList()
                : List.of();
    }

    private TeamScore teamScore(Team team) {
        return new TeamScore(team, players.teams().frags(team));
    }

    /** Begins a round again, with its warm-up; an unfinished one ends without a winner. */
    void begin(long now) {
        if (stage == null) {
            return;
        }
        if (stage == Stage.PLAYING) {
            endUndecided(now, RoundEndReason.RESTARTED);
        }
        beginWarmUp(now);
    }

    /**
     * Goes on to what follows the round: an unfinished one ends without a winner, an intermission
     * ends at once.
     */
    void skip(long now) {
        if (stage == null) {
            return;
        }
        setPaused(now, false);
        boolean isPlaying = stage == Stage.PLAYING;
        // Until the next level is prepared, no player is hit.
        enter(Stage.INTERMISSION, now, Duration.ZERO);
        missiles.clear(now);
        flags.reset();
        if (isPlaying) {
            endUndecided(now, RoundEndReason.SKIPPED);
        }
        rotation.accept(now);
    }

    private void endUndecided(long now, RoundEndReason reason) {
        dispatchEnd(new ArenaEvent.RoundEnded(now, reason, Optional.empty(), Optional.empty()));
    }

    private void dispatchEnd(ArenaEvent.RoundEnded end) {
        lastEnd = end;
        dispatcher.dispatch(end);
    }

    private void beginWarmUp(long now) {
        setPaused(now, false);
        round++;
        if (rules.warmUp().isZero()) {
            startRound(now);
        } else {
            startWarmUp(now);
        }
    }

    private void startWarmUp(long now) {
        enter(Stage.WARM_UP, now, rules.warmUp());
        flags.reset();
        clearScores(now);
        announce(now, "Warm-up: the round starts in " + text(rules.warmUp()) + ".");
    }

    private void enter(Stage next, long now, Duration length) {
        stage = next;
        lastEnd = null;
        lastCall = false;
        deadline = length.isZero() ? NEVER : now + length.toNanos();
        reportChange();
    }

    private void reportChange() {
        if (agreement != null) {
            agreement.onChange();
        }
    }

    private void startRound(long now) {
        enter(Stage.PLAYING, now, rules.timeLimit());
        clearScores(now);
        players.all().forEach(Fighter::startRound);
        missiles.clear(now);
        flags.reset();
        for (Fighter moved : TeamTable.surplus(players.all())) {
            if (moved.subscriber == null) {
                continue;
            }
            moved.team().ifPresent(team -> moved.setTeam(team.other()));
            teamChanged(now, moved);
        }
        items.reset(now);
        dispatcher.dispatch(
                new ArenaEvent.RoundStarted(
                        now, rules.mode(), rules.timeLimit(), rules.scoreLimit()));
        announce(
                now,
                "Match: "
                        + rules.mode().title()
                        + (rules.timeLimit().isZero() ? "" : ", " + text(rules.timeLimit()))
                        + (rules.scoreLimit() == 0 ? "" : ", " + points(rules.scoreLimit()))
                        + ".");
    }

    private void clearScores(long now) {
        players.clearScores();
        race.clearRound(now);
        for (Fighter fighter : players.all()) {
            // Those of other servers are set by their own.
            if (fighter.subscriber != null && !fighter.score().equals(Score.ZERO)) {
                fighter.setScore(Score.ZERO);
                scored(now, fighter);
            }
        }
    }

    private void endRound(long now, RoundEndReason reason) {
        endRound(now, reason, winner(), winningTeam(), "The round ends without a winner.");
    }

    private void endRound(
            long now,
            RoundEndReason reason,
            Optional<Fighter> best,
            Optional<TeamScore> team,
            String undecided) {
        startIntermission(now);
        dispatchEnd(
                new ArenaEvent.RoundEnded(
                        now,
                        reason,
                        best.map(it -> it.player.snapshot()),
                        team.map(TeamScore::team)));
        announce(
                now,
                team.map(it -> "The " + it.team() + " team wins with " + points(it.frags()) + ".")
                        .or(() -> isRace() ? raceResult() : best.map(this::wins))
                        .orElse(undecided));
    }

    /** The winners of a race, of each game with a time; empty without a time. */
    private Optional<String> raceResult() {
        List<Race.RoundTime> winners = race.winners();
        boolean isOneGame = winners.stream().map(it -> it.player().game()).distinct().count() < 2;
        return winners.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        winners.stream()
                                .map(it ->
                                        it.player().name()
                                                + (isOneGame
                                                        ? " wins with "
                                                        : " wins " + it.player().game() + " with ")
                                                + RaceTimes.text(it.millis()))
                                .collect(Collectors.joining(", ", "", ".")));
    }

    private void startIntermission(long now) {
        race.abortAll();
        enter(Stage.INTERMISSION, now, rules.intermission());
        missiles.clear(now);
        flags.reset();
        if (deadline == NEVER) {
            deadline = now;
        }
    }

    /** A score, as players read it. */
    String points(int score) {
        String unit = rules.mode().hasFlags() ? "capture" : "frag";
        return score + " " + unit + (score == 1 ? "" : "s");
    }

    private String wins(Fighter best) {
        return best.player.name() + " wins with " + points(best.score().frags()) + ".";
    }

    /** The best player of a match without teams; empty if two are, or the best has no point. */
    private Optional<Fighter> winner() {
        List<Fighter> standings = standings();
        boolean tied =
                standings.size() > 1
                        && standings.get(0).score().frags() == standings.get(1).score().frags();
        return rules.mode().hasTeams() || tied
                ? Optional.empty()
                : standings.stream().findFirst().filter(best -> best.score().frags() > 0);
    }

    /** The team with the higher score; empty if both have the same, or none has a point. */
    private Optional<TeamScore> winningTeam() {
        return rules.mode().hasTeams()
                ? players.teams().best().map(this::teamScore).filter(best -> best.frags() > 0)
                : Optional.empty();
    }

    /**
     * Pauses the match, or lets it go on.
     *
     * @return whether that changed anything
     */
    boolean setPaused(long now, boolean paused) {
        if (paused == isPaused() || stage == null) {
            return false;
        }
        race.abortAll();
        if (paused) {
            pausedAt = now;
        } else {
            long stood = Math.max(0, now - pausedAt);
            deadline = deadline == NEVER ? NEVER : deadline + stood;
            pausedAt = NEVER;
            flags.delay(now, stood);
        }
        reportChange();
        return true;
    }

    /** A player of this server is about to play. */
    void beforeJoin(long now) {
        if (isOn() && stage == null) {
            beginWarmUp(now);
        }
    }

    /** Adds a player; its score and team of this round are kept if it only was away. */
    void add(Fighter fighter) {
        Subscriber subscriber = fighter.subscriber;
        if (isRace() && (subscriber != null || fighter.player.id.isOfOtherServer())) {
            race.add(
                    fighter,
                    subscriber == null ? null : MatchPlayers.key(fighter.player, subscriber));
        } else if (subscriber != null && isOn()) {
            players.restore(fighter, subscriber, rules.mode().hasTeams());
        }
        players.add(fighter);
    }

    /** The events of a player that has joined. */
    void joined(long now, Fighter fighter) {
        if (fighter.team().isPresent()) {
            teamChanged(now, fighter);
        }
        if (isRace()) {
            race.updateScores(now);
        } else if (!fighter.score().equals(Score.ZERO)) {
            scored(now, fighter);
        }
    }

    /** Removes a player that has left. */
    void remove(long now, Fighter fighter) {
        flags.drop(now, fighter.player, FlagCause.LEAVE);
        fighter.endLife();
        players.remove(fighter);
        race.remove(now, fighter.player.id);
        if (isOn() && fighter.subscriber != null) {
            players.keep(fighter, fighter.subscriber);
        }
        if (isPlaying(fighter)) {
            abandonIfEmpty(now);
        }
    }

    /** A player only watches from now on, or plays again. */
    void watchingChanged(long now, Fighter fighter) {
        if (fighter.isWatching()) {
            race.abort(fighter.player.id);
            flags.drop(now, fighter.player, FlagCause.WATCH);
            abandonIfEmpty(now);
            return;
        }
        if (fighter.subscriber == null) {
            // Its own server begins the round for it, and finds its team.
            return;
        }
        beforeJoin(now);
        if (players.teams().isUneven(players.all(), fighter)) {
            fighter.team().ifPresent(team -> fighter.setTeam(team.other()));
            teamChanged(now, fighter);
        }
    }

    private void abandonIfEmpty(long now) {
        if (stage != null && !hasPlayers()) {
            if (stage == Stage.PLAYING) {
                endUndecided(now, RoundEndReason.ABANDONED);
            }
            stage = null;
            missiles.clear(now);
            flags.reset();
            deadline = NEVER;
            pausedAt = NEVER;
            players.clearScores();
            race.close(now);
        }
    }

    /** Whether the match is played while this player is here. */
    private boolean isPlaying(Fighter fighter) {
        return !fighter.isWatching()
                && (fighter.subscriber != null
                        || agreement != null && fighter.player.id.isOfOtherServer());
    }

    /** Whether there is a match, and a player that plays it. */
    boolean hasPlayers() {
        return isOn() && players.all().stream().anyMatch(this::isPlaying);
    }

    /**
     * Flies missiles, brings items back, and ends what is over.
     *
     * @return when to call again
     */
    long advance(long now) {
        // Missiles first, as a kill may end the round.
        long nextStep = Math.min(missiles.advance(now), race.advance(now));
        // Items after the stage, as a round that starts sets when they come.
        long nextStage = advanceStage(now);
        nextStep = Math.min(nextStep, flags.advance(now));
        return Math.min(Math.min(nextStep, nextStage), items.advance(now));
    }

    private long advanceStage(long now) {
        if (stage == null || isPaused() || deadline == NEVER) {
            return NEVER;
        }
        if (now >= deadline) {
            if (agreement != null && agreement.awaitsOthers(now - deadline)) {
                return now + AWAIT_INTERVAL_NANOS;
            }
            switch (stage) {
                case WARM_UP -> startRound(now);
                case PLAYING -> endRound(now, RoundEndReason.TIME_LIMIT);
                case INTERMISSION -> {
                    // The next level may take long to be prepared.
                    deadline = NEVER;
                    rotation.accept(now);
                }
            }
        } else if (stage == Stage.PLAYING
                && !lastCall
                && rules.timeLimit().toNanos() > LAST_CALL_NANOS
                && deadline - now <= LAST_CALL_NANOS) {
            lastCall = true;
            announce(now, "One minute left.");
        }
        if (deadline == NEVER) {
            return NEVER;
        }
        return stage == Stage.PLAYING && !lastCall && deadline - now > LAST_CALL_NANOS
                ? deadline - LAST_CALL_NANOS
                : deadline;
    }

    /** Adds frags to the score of a player, and to its team's where that is not of captures. */
    void addFrags(Fighter killer, int frags) {
        killer.setScore(killer.score().plus(frags, 0));
        if (!rules.mode().hasFlags()) {
            killer.team().ifPresent(team -> players.teams().add(team, frags));
        }
    }

    @Override
    public FlagRules flagRules() {
        return rules.flags();
    }

    @Override
    public Collection<Fighter> carriers() {
        return players.all();
    }

    @Override
    public @Nullable Fighter carrier(PlayerId id) {
        return players.find(id);
    }

    @Override
    public void onCaptured(long now, FlagCarrier carrier) {
        Fighter fighter = players.find(carrier.player().id);
        if (fighter == null || !isCounting()) {
            return;
        }
        fighter.setCaptures(fighter.captures() + 1);
        // Another server counts the scores of its own players.
        if (fighter.subscriber != null) {
            addFrags(fighter, CAPTURE_POINTS);
            fighter.team().ifPresent(team -> players.teams().add(team, 1));
            scored(now, fighter);
            checkScoreLimit(now, fighter);
        }
    }

    @Override
    public void onReturned(long now, FlagCarrier player) {
        Fighter fighter = players.find(player.player().id);
        if (fighter != null && fighter.subscriber != null && isCounting()) {
            addFrags(fighter, RETURN_POINTS);
            scored(now, fighter);
        }
    }

    /** Ends the round if a player, or its team, has as many frags as it takes. */
    void checkScoreLimit(long now, Fighter killer) {
        checkScoreLimit(
                now, killer.team().map(players.teams()::frags).orElse(killer.score().frags()));
    }

    private void checkScoreLimit(long now, int best) {
        if (stage == Stage.PLAYING && rules.scoreLimit() > 0 && best >= rules.scoreLimit()) {
            endRound(now, RoundEndReason.SCORE_LIMIT);
        }
    }

    /** Notifies of a player's score. */
    void scored(long now, Fighter fighter) {
        dispatcher.dispatch(
                new ArenaEvent.Scored(
                        now,
                        fighter.player.snapshot(),
                        fighter.score(),
                        fighter.team().map(this::teamScore)),
                fighter.player);
    }

    /** Notifies of a player's team. */
    void teamChanged(long now, Fighter fighter) {
        fighter.team()
                .ifPresent(team ->
                        dispatcher.dispatch(
                                new ArenaEvent.TeamChanged(now, fighter.player.snapshot(), team),
                                fighter.player));
    }

    private void announce(long now, String text) {
        dispatcher.dispatch(new ArenaEvent.Announcement(now, text));
    }

    private static String text(Duration time) {
        long seconds = time.toSeconds();
        return seconds % 60 == 0
                ? seconds / 60 + (seconds == 60 ? " minute" : " minutes")
                : seconds + (seconds == 1 ? " second" : " seconds");
    }

    /** The round that is played; empty without a match, and without players. */
    Optional<RoundState> state(long now) {
        Optional<ArenaEvent.RoundEnded> end = Optional.ofNullable(lastEnd);
        return Optional.ofNullable(stage)
                .map(it ->
                        new RoundState(
                                round,
                                it,
                                isPaused(),
                                timeLeft(now),
                                end.map(ArenaEvent.RoundEnded::reason),
                                end.flatMap(ArenaEvent.RoundEnded::winner).map(Player::id),
                                end.flatMap(ArenaEvent.RoundEnded::team)));
    }

    /** Goes over to the round of another server. */
    void adopt(long now, RoundState state) {
        if (!hasPlayers()) {
            throw new IllegalStateException("no player plays a match");
        }
        Stage next = state.stage();
        boolean wasPaused = isPaused();
        boolean isOther = stage != next || round != state.round();
        if (isOther) {
            setPaused(now, false);
            change(now, state);
            round = state.round();
        }
        if (wasPaused != state.paused()) {
            race.abortAll();
            announce(now, state.paused() ? "The match is paused." : "The match goes on.");
        }
        deadline =
                state.left()
                        .or(() -> next == Stage.INTERMISSION ? OVER : Optional.empty())
                        .map(left -> now + limited(left, length(next)).toNanos())
                        .orElseGet(
                                () -> length(next).isZero() ? NEVER : now + length(next).toNanos());
        pausedAt = state.paused() ? now : NEVER;
        lastCall = (isOther || lastCall) && deadline <= now + LAST_CALL_NANOS;
    }

    private void change(long now, RoundState state) {
        if (stage == Stage.PLAYING && state.stage() != Stage.INTERMISSION) {
            endUndecided(now, RoundEndReason.RESTARTED);
        }
        switch (state.stage()) {
            case WARM_UP -> startWarmUp(now);
            case PLAYING -> startRound(now);
            case INTERMISSION -> adoptEnd(now, state);
        }
    }

    private void adoptEnd(long now, RoundState state) {
        RoundEndReason reason = state.end().orElse(RoundEndReason.SKIPPED);
        if (stage != Stage.PLAYING) {
            startIntermission(now);
        } else if (reason != RoundEndReason.TIME_LIMIT && reason != RoundEndReason.SCORE_LIMIT) {
            startIntermission(now);
            endUndecided(now, reason);
        } else {
            endRound(
                    now,
                    reason,
                    state.winner().map(players::find),
                    state.winningTeam().map(this::teamScore),
                    state.winner().isPresent()
                            ? "The round ends."
                            : "The round ends without a winner.");
        }
    }

    /** Length of a stage by the rules; zero if it does not end by itself. */
    private Duration length(Stage which) {
        return switch (which) {
            case WARM_UP -> rules.warmUp();
            case PLAYING -> rules.timeLimit();
            case INTERMISSION -> rules.intermission();
        };
    }

    private static Duration limited(Duration left, Duration length) {
        return !length.isZero() && left.compareTo(length) > 0 ? length : left;
    }

    /** The frags of this server's players for their teams. */
    Map<Team, Integer> teamFrags() {
        return rules.mode().hasTeams()
                ? Stream.of(Team.values())
                        .collect(Collectors.toMap(team -> team, players.teams()::ownFrags))
                : Map.of();
    }

    /** Sets the frags of other servers' players for their teams. */
    void setTeamFragsOfOthers(long now, Map<Team, Integer> frags) {
        if (!rules.mode().hasTeams() || stage == null) {
            return;
        }
        for (Team team : Team.values()) {
            if (players.teams().setFragsOfOthers(team, frags.getOrDefault(team, 0))) {
                // The games show a team's score with that of a player.
                players.all().stream()
                        .filter(it -> it.player.id.isOfOtherServer() && it.isIn(team))
                        .findFirst()
                        .ifPresent(it -> scored(now, it));
                checkScoreLimit(now, players.teams().frags(team));
            }
        }
    }
}

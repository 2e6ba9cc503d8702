package dev.wishdir.arena;

import org.jspecify.annotations.Nullable;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The match of an arena, one for all games: rounds with scores, warm-up before and intermission
 * after each. It begins with the first player and is idle without any. Owned by the arena's thread;
 * times are nanoseconds of its clock.
 */
public final class Match {
    /** What goes on. */
    public enum Phase {
        /** There is no match. */
        OFF,
        /** No player is here. */
        IDLE,
        /** Hits count, scores do not. */
        WARM_UP,
        PLAYING,
        /** No player is hit; the board is shown. */
        INTERMISSION
    }

    /** A player and its score. */
    public record PlayerScore(Player player, Score score) {}

    /**
     * What is kept of a player that has left this round.
     *
     * @param team null without teams
     */
    private record LeftPlayer(Score score, @Nullable Team team) {}

    /** At most this many players that have left this round are kept. */
    private static final int MAX_LEFT_PLAYERS = 1_024;

    private static final long NEVER = Long.MAX_VALUE;
    private static final Optional<Duration> OVER = Optional.of(Duration.ZERO);
    private static final long LAST_CALL_NANOS = TimeUnit.MINUTES.toNanos(1);

    /** Time between two looks whether another server has ended the stage. */
    private static final long AWAIT_INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final EventDispatcher dispatcher;
    private final Missiles missiles = new Missiles();
    private final ItemSpawns items;
    private final Race race;
    private final Map<PlayerId, Fighter> fighters = new LinkedHashMap<>();
    private final MatchReferee referee;
    private final Map<String, LeftPlayer> leftPlayers = new HashMap<>();
    private final TeamTable teams = new TeamTable();
    private MatchRules rules = MatchRules.NONE;
    private Phase phase = Phase.OFF;

    /** Number of the round that is played, from 1. */
    private long round;

    private LongConsumer rotation = this::begin;

    /** When the phase ends, as if it were not paused. */
    private long deadline = NEVER;

    private long pausedAt = NEVER;
    private boolean lastCall;

    Match(
            EventDispatcher dispatcher,
            InterestTracker interestTracker,
            CheatPolicyEnforcer cheatPolicy,
            ActiveLevels levels,
            RaceGhost.Mirror mirror) {
        race =
                new Race(
                        dispatcher,
                        levels,
                        mirror,
                        () -> isRace() && isRunning(),
                        () -> phase == Phase.PLAYING);
        this.dispatcher = dispatcher;
        referee = new MatchReferee(interestTracker, cheatPolicy);
        items = new ItemSpawns(dispatcher);
    }

    /**
     * Sets the rules, before a player has joined.
     *
     * @throws IllegalStateException if a player is here
     */
    void setRules(MatchRules rules) {
        if (!fighters.isEmpty()) {
            throw new IllegalStateException("the rules of a match can't change while it is played");
        }
        this.rules = rules;
        phase = rules.mode() == MatchMode.NONE ? Phase.OFF : Phase.IDLE;
        items.setOn(isOn() && rules.items() && !rules.mode().isOneHit() && !isRace());
    }

    public MatchRules rules() {
        return rules;
    }

    /** The items of the levels that are played. */
    public ItemSpawns items() {
        return items;
    }

    /** The missiles of all games, in the order of their launch; a view. */
    public List<Missile> missiles() {
        return missiles.all();
    }

    public Phase phase() {
        return phase;
    }

    /** Whether a match is played here at all. */
    public boolean isOn() {
        return phase != Phase.OFF;
    }

    /** Whether hits count now; never in a race. */
    public boolean isFighting() {
        return isRunning() && !isRace();
    }

    private boolean isRunning() {
        return (phase == Phase.WARM_UP || phase == Phase.PLAYING) && !isPaused();
    }

    /** Whether players race instead of fighting. */
    public boolean isRace() {
        return rules.mode() == MatchMode.RACE;
    }

    /** The race of the match; without runners in other modes. */
    public Race race() {
        return race;
    }

    public boolean isPaused() {
        return pausedAt != NEVER;
    }

    /** Time until the phase ends; empty if it does not end by itself. */
    public Optional<Duration> timeLeft(long now) {
        return deadline == NEVER
                ? Optional.empty()
                : Optional.of(Duration.ofNanos(Math.max(0, deadline - Math.min(now, pausedAt))));
    }

    /** What goes on, in one line for an operator. */
    public String status(long now) {
        if (phase == Phase.OFF) {
            return "no match";
        }
        String what =
                switch (phase) {
                    case OFF, IDLE -> "waiting for players";
                    case WARM_UP -> "warm-up";
                    case PLAYING -> "playing";
                    case INTERMISSION -> "intermission";
                };
        return rules.mode().title()
                + ": "
                + what
                + (isPaused() ? ", paused" : "")
                + timeLeft(now)
                        .map(left ->
                                String.format(
                                        Locale.ROOT,
                                        ", %d:%02d left",
                                        left.toMinutes(),
                                        left.toSecondsPart()))
                        .orElse("")
                + (rules.scoreLimit() == 0 ? "" : ", limit " + rules.scoreLimit() + " frags")
                + teamScores().stream()
                        .map(it -> ", " + it.team() + " " + it.frags())
                        .collect(Collectors.joining());
    }

    /** The match as players of other servers take part in it. */
    public SharedMatch shared() {
        return referee;
    }

    /** Whether a player has a score here; races are each server's own. */
    private boolean isCounted(Fighter fighter) {
        return fighter.subscriber != null || fighter.player.id.isOfOtherServer() && !isRace();
    }

    /** Scores of the players of this and other servers, the best first. */
    public List<PlayerScore> standings() {
        List<PlayerScore> standings = new ArrayList<>();
        for (Fighter fighter : fighters.values()) {
            if (isCounted(fighter)) {
                standings.add(new PlayerScore(fighter.player.snapshot(), fighter.score()));
            }
        }
        standings.sort(
                Comparator.comparingInt((PlayerScore one) -> -one.score().frags())
                        .thenComparingInt(one -> one.score().deaths()));
        return standings;
    }

    /** The score of a player; zero if it has left or never fought. */
    public Score score(PlayerId id) {
        Fighter fighter = fighters.get(id);
        return fighter == null ? Score.ZERO : fighter.score();
    }

    /** The scores of the teams, red first; empty in a match without teams. */
    public List<TeamScore> teamScores() {
        return rules.mode().hasTeams()
                ? Stream.of(Team.values()).map(this::teamScore).toList()
                : List.of();
    }

    /** The score of a team; 0 in a match without teams. */
    public int frags(Team team) {
        return teams.frags(team);
    }

    private TeamScore teamScore(Team team) {
        return new TeamScore(team, teams.frags(team));
    }

    /** The team of a player; empty in a match without teams, and if it has left. */
    public Optional<Team> team(PlayerId id) {
        Fighter fighter = fighters.get(id);
        return fighter == null ? Optional.empty() : fighter.team();
    }

    /**
     * Sets what follows an intermission: it changes the level, and then {@linkplain #begin begins}
     * the next round. Without it, the next round begins at once.
     */
    public void setRotation(LongConsumer next) {
        rotation = next;
    }

    /** Begins a round again, with its warm-up; an unfinished one ends without a winner. */
    public void begin(long now) {
        if (phase == Phase.OFF || phase == Phase.IDLE) {
            return;
        }
        if (phase == Phase.PLAYING) {
            endUndecided(now, RoundEndReason.RESTARTED);
        }
        beginWarmUp(now);
    }

    /**
     * Goes on to what follows the round: an unfinished one ends without a winner, an intermission
     * ends at once.
     */
    public void skipRound(long now) {
        if (phase == Phase.OFF || phase == Phase.IDLE) {
            return;
        }
        setPaused(now, false);
        boolean isPlaying = phase == Phase.PLAYING;
        // Until the next level is prepared, no player is hit.
        enter(Phase.INTERMISSION, now, Duration.ZERO);
        missiles.clear(now);
        if (isPlaying) {
            endUndecided(now, RoundEndReason.SKIPPED);
        }
        rotation.accept(now);
    }

    private void endUndecided(long now, RoundEndReason reason) {
        dispatchEnd(new ArenaEvent.RoundEnded(now, reason, Optional.empty(), Optional.empty()));
    }

    private void dispatchEnd(ArenaEvent.RoundEnded end) {
        referee.lastEnd = end;
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
        enter(Phase.WARM_UP, now, rules.warmUp());
        clearScores(now);
        announce(now, "Warm-up: the round starts in " + text(rules.warmUp()) + ".");
    }

    private void enter(Phase next, long now, Duration length) {
        phase = next;
        referee.lastEnd = null;
        lastCall = false;
        deadline = length.isZero() ? NEVER : now + length.toNanos();
        referee.reportChange();
    }

    private void startRound(long now) {
        enter(Phase.PLAYING, now, rules.timeLimit());
        clearScores(now);
        fighters.values().forEach(Fighter::endLife);
        missiles.clear(now);
        for (Fighter moved : TeamTable.surplus(fighters.values())) {
            if (moved.subscriber == null) {
                continue;
            }
            moved.team().ifPresent(team -> moved.setTeam(team.other()));
            teamChanged(now, moved);
        }
        items.reset();
        dispatcher.dispatch(
                new ArenaEvent.RoundStarted(
                        now, rules.mode(), rules.timeLimit(), rules.scoreLimit()));
        announce(
                now,
                "Match: "
                        + rules.mode().title()
                        + (rules.timeLimit().isZero() ? "" : ", " + text(rules.timeLimit()))
                        + (rules.scoreLimit() == 0 ? "" : ", " + rules.scoreLimit() + " frags")
                        + ".");
    }

    private void clearScores(long now) {
        leftPlayers.clear();
        teams.clear();
        race.clearRound(now);
        for (Fighter fighter : fighters.values()) {
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
            Optional<PlayerScore> best,
            Optional<TeamScore> team,
            String undecided) {
        startIntermission(now);
        dispatchEnd(
                new ArenaEvent.RoundEnded(
                        now, reason, best.map(PlayerScore::player), team.map(TeamScore::team)));
        announce(
                now,
                team.map(it -> wins("The " + it.team() + " team", it.frags()))
                        .or(() -> best.map(this::wins))
                        .orElse(undecided));
    }

    private void startIntermission(long now) {
        race.abortAll();
        enter(Phase.INTERMISSION, now, rules.intermission());
        missiles.clear(now);
        if (deadline == NEVER) {
            deadline = now;
        }
    }

    private static String wins(String name, int frags) {
        return name + " wins with " + frags + (frags == 1 ? " frag." : " frags.");
    }

    private String wins(PlayerScore best) {
        return race.millis(best.player().id())
                .map(millis -> best.player().name() + " wins with " + RaceTimes.text(millis) + ".")
                .orElseGet(() -> wins(best.player().name(), best.score().frags()));
    }

    /** The best player of a match without teams; empty if two are the best. */
    private Optional<PlayerScore> winner() {
        List<PlayerScore> standings = standings();
        boolean tied =
                standings.size() > 1
                        && standings.get(0).score().frags() == standings.get(1).score().frags();
        return standings.isEmpty()
                        || tied
                        || rules.mode().hasTeams()
                        || isRace() && standings.getFirst().score().frags() == 0
                ? Optional.empty()
                : Optional.of(standings.getFirst());
    }

    private Optional<TeamScore> winningTeam() {
        return rules.mode().hasTeams() ? teams.best().map(this::teamScore) : Optional.empty();
    }

    /**
     * Pauses the match, or lets it go on: meanwhile its time stands still and no player is hit.
     *
     * @return whether that changed anything
     */
    public boolean setPaused(long now, boolean paused) {
        if (paused == isPaused() || phase == Phase.OFF || phase == Phase.IDLE) {
            return false;
        }
        race.abortAll();
        if (paused) {
            pausedAt = now;
        } else {
            deadline = deadline == NEVER ? NEVER : deadline + Math.max(0, now - pausedAt);
            pausedAt = NEVER;
        }
        referee.reportChange();
        return true;
    }

    /** A player of this server is about to join. */
    void beforeJoin(long now) {
        if (phase == Phase.IDLE) {
            beginWarmUp(now);
        }
    }

    /** Adds a player; its score and team of this round are kept if it only was away. */
    Fighter add(ActivePlayer player, @Nullable Subscriber subscriber) {
        Fighter fighter = new Fighter(player, subscriber, referee);
        if (isRace() && subscriber != null) {
            race.add(fighter, key(player, subscriber));
        } else if (isOn() && subscriber != null) {
            LeftPlayer before = leftPlayers.remove(key(player, subscriber));
            Team team = before == null ? null : before.team();
            fighter.setScore(before == null ? Score.ZERO : before.score());
            if (rules.mode().hasTeams()) {
                fighter.setTeam(team == null ? teams.ofNewcomer(fighters.values()) : team);
            }
        }
        fighters.put(player.id, fighter);
        return fighter;
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
        fighter.endLife();
        fighters.remove(fighter.player.id);
        race.remove(now, fighter.player.id);
        Subscriber subscriber = fighter.subscriber;
        if (!isOn() || !referee.isPlaying(fighter)) {
            return;
        }
        boolean isKept = fighter.team().isPresent() || !fighter.score().equals(Score.ZERO);
        if (subscriber != null && isKept && leftPlayers.size() < MAX_LEFT_PLAYERS) {
            leftPlayers.put(
                    key(fighter.player, subscriber),
                    new LeftPlayer(fighter.score(), fighter.team().orElse(null)));
        }
        if (phase != Phase.IDLE && fighters.values().stream().noneMatch(referee::isPlaying)) {
            if (phase == Phase.PLAYING) {
                endUndecided(now, RoundEndReason.ABANDONED);
            }
            phase = Phase.IDLE;
            missiles.clear(now);
            deadline = NEVER;
            pausedAt = NEVER;
            leftPlayers.clear();
            teams.clear();
            race.close(now);
        }
    }

    private static String key(ActivePlayer player, Subscriber subscriber) {
        InetSocketAddress address = subscriber.viewer.connectionInfo().address();
        return player.game()
                + ' '
                + (address == null ? "" : address.getAddress().getHostAddress())
                + ' '
                + player.name();
    }

    /**
     * Flies missiles, brings items back, and ends what is over.
     *
     * @return when to call again
     */
    long advance(long now) {
        // Missiles first, as a kill may end the round.
        long nextStep = Math.min(missiles.advance(now), race.advance(now));
        return Math.min(Math.min(nextStep, items.advance(now)), advancePhase(now));
    }

    private long advancePhase(long now) {
        if (phase == Phase.OFF || isPaused() || deadline == NEVER) {
            return NEVER;
        }
        if (now >= deadline) {
            if (referee.awaitsOthers(now - deadline)) {
                return now + AWAIT_INTERVAL_NANOS;
            }
            switch (phase) {
                case WARM_UP -> startRound(now);
                case PLAYING -> endRound(now, RoundEndReason.TIME_LIMIT);
                case INTERMISSION -> {
                    // The next level may take long to be prepared.
                    deadline = NEVER;
                    rotation.accept(now);
                }
                case OFF, IDLE -> deadline = NEVER;
            }
        } else if (phase == Phase.PLAYING
                && !lastCall
                && rules.timeLimit().toNanos() > LAST_CALL_NANOS
                && deadline - now <= LAST_CALL_NANOS) {
            lastCall = true;
            announce(now, "One minute left.");
        }
        if (deadline == NEVER) {
            return NEVER;
        }
        return phase == Phase.PLAYING && !lastCall && deadline - now > LAST_CALL_NANOS
                ? deadline - LAST_CALL_NANOS
                : deadline;
    }

    private void addFrags(Fighter killer, int frags) {
        killer.setScore(killer.score().plus(frags, 0));
        killer.team().ifPresent(team -> teams.add(team, frags));
    }

    /** Ends the round if a player, or its team, has as many frags as it takes. */
    private void checkScoreLimit(long now, Fighter killer) {
        checkScoreLimit(now, killer.team().map(teams::frags).orElse(killer.score().frags()));
    }

    private void checkScoreLimit(long now, int best) {
        if (phase == Phase.PLAYING && rules.scoreLimit() > 0 && best >= rules.scoreLimit()) {
            endRound(now, RoundEndReason.SCORE_LIMIT);
        }
    }

    private void scored(long now, Fighter fighter) {
        dispatcher.dispatch(
                new ArenaEvent.Scored(
                        now,
                        fighter.player.snapshot(),
                        fighter.score(),
                        fighter.team().map(this::teamScore)),
                fighter.player);
    }

    private void teamChanged(long now, Fighter fighter) {
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

    /** Decides about fights by the phase of the match. */
    private final class MatchReferee implements Fighter.Referee, SharedMatch {
        private final InterestTracker interestTracker;
        private final CheatPolicyEnforcer cheatPolicy;

        /** Null without other servers. */
        private @Nullable Listener listener;

        /** Null if the rounds are this server's own. */
        private @Nullable Rounds rounds;

        /** How the round ended; null before its end. */
        private ArenaEvent.@Nullable RoundEnded lastEnd;

        MatchReferee(InterestTracker interestTracker, CheatPolicyEnforcer cheatPolicy) {
            this.interestTracker = interestTracker;
            this.cheatPolicy = cheatPolicy;
        }

        @Override
        public boolean isOn() {
            return Match.this.isOn();
        }

        @Override
        public boolean isFighting() {
            return Match.this.isFighting();
        }

        @Override
        public MatchRules rules() {
            return rules;
        }

        @Override
        public @Nullable Fighter fighter(PlayerId id) {
            return fighters.get(id);
        }

        @Override
        public void onHit(ArenaEvent.Hit hit, Fighter victim) {
            dispatcher.dispatch(hit, victim.player);
        }

        /** Scores, removes the body, and ends the round if it is decided. */
        @Override
        public void onDeath(long now, Fighter victim, Fighter killer, DamageMeans means) {
            boolean counts = phase == Phase.PLAYING && !isRace();
            race.abort(victim.player.id);
            int frags = !counts ? 0 : killer == victim || killer.isTeammateOf(victim) ? -1 : 1;
            boolean isOwn = !killer.player.id.isOfOtherServer();
            Score killerScore = killer.score().plus(frags, 0);
            if (counts) {
                victim.setScore(victim.score().plus(0, 1));
            }
            if (counts && isOwn) {
                addFrags(killer, frags);
                killerScore = killer.score();
            } else if (counts && listener != null) {
                // Its own server counts it, and reports the score to all.
                listener.onFrags(killer.player.id, frags);
            }
            Score shown = killerScore;
            interestTracker.despawn(
                    now,
                    victim.player,
                    () -> {
                        dispatcher.dispatch(
                                new ArenaEvent.Died(
                                        now,
                                        victim.player.snapshot(),
                                        killer.player.snapshot(),
                                        means,
                                        shown),
                                victim.player);
                        if (counts && isOwn && killer != victim) {
                            scored(now, killer);
                        }
                        if (counts) {
                            scored(now, victim);
                        }
                    });
            if (counts && isOwn) {
                checkScoreLimit(now, killer);
            }
        }

        @Override
        public boolean isShared() {
            return listener != null;
        }

        @Override
        public void send(ArenaEvent.Hit hit) {
            if (listener != null) {
                listener.onHit(hit);
            }
        }

        @Override
        public void setListener(Listener sender) {
            listener = sender;
        }

        @Override
        public void setRounds(Rounds agreement) {
            rounds = agreement;
        }

        private void reportChange() {
            if (rounds != null) {
                rounds.onChange();
            }
        }

        private boolean awaitsOthers(long overdue) {
            return rounds != null && rounds.awaitsOthers(overdue);
        }

        /** Whether the match is played while this player is here. */
        private boolean isPlaying(Fighter fighter) {
            return fighter.subscriber != null
                    || rounds != null && fighter.player.id.isOfOtherServer();
        }

        @Override
        public Optional<RoundState> round(long now) {
            return switch (phase) {
                case OFF, IDLE -> Optional.empty();
                case WARM_UP -> Optional.of(round(now, RoundState.Stage.WARM_UP));
                case PLAYING -> Optional.of(round(now, RoundState.Stage.PLAYING));
                case INTERMISSION -> Optional.of(round(now, RoundState.Stage.INTERMISSION));
            };
        }

        private RoundState round(long now, RoundState.Stage stage) {
            Optional<ArenaEvent.RoundEnded> end = Optional.ofNullable(lastEnd);
            return new RoundState(
                    round,
                    stage,
                    isPaused(),
                    timeLeft(now),
                    end.map(ArenaEvent.RoundEnded::reason),
                    end.flatMap(ArenaEvent.RoundEnded::winner).map(Player::id),
                    end.flatMap(ArenaEvent.RoundEnded::team));
        }

        @Override
        public boolean hasPlayers() {
            return Match.this.isOn() && fighters.values().stream().anyMatch(this::isPlaying);
        }

        @Override
        public void adopt(long now, RoundState state) {
            if (!hasPlayers()) {
                throw new IllegalStateException("no player plays a match");
            }
            Phase next =
                    switch (state.stage()) {
                        case WARM_UP -> Phase.WARM_UP;
                        case PLAYING -> Phase.PLAYING;
                        case INTERMISSION -> Phase.INTERMISSION;
                    };
            boolean wasPaused = isPaused();
            boolean isOther = phase != next || round != state.round();
            if (isOther) {
                setPaused(now, false);
                change(now, next, state);
                round = state.round();
            }
            if (wasPaused != state.paused()) {
                race.abortAll();
                announce(now, state.paused() ? "The match is paused." : "The match goes on.");
            }
            deadline =
                    state.left()
                            .or(() -> next == Phase.INTERMISSION ? OVER : Optional.empty())
                            .map(left -> now + limited(left, length(next)).toNanos())
                            .orElseGet(() ->
                                    length(next).isZero() ? NEVER : now + length(next).toNanos());
            pausedAt = state.paused() ? now : NEVER;
            lastCall = (isOther || lastCall) && deadline <= now + LAST_CALL_NANOS;
        }

        private void change(long now, Phase next, RoundState state) {
            if (phase == Phase.PLAYING && next != Phase.INTERMISSION) {
                endUndecided(now, RoundEndReason.RESTARTED);
            }
            switch (next) {
                case WARM_UP -> startWarmUp(now);
                case PLAYING -> startRound(now);
                default -> adoptEnd(now, state);
            }
        }

        private void adoptEnd(long now, RoundState state) {
            RoundEndReason reason = state.end().orElse(RoundEndReason.SKIPPED);
            if (phase != Phase.PLAYING) {
                startIntermission(now);
            } else if (reason != RoundEndReason.TIME_LIMIT
                    && reason != RoundEndReason.SCORE_LIMIT) {
                startIntermission(now);
                endUndecided(now, reason);
            } else {
                // Times of races are each server's own.
                Optional<PlayerScore> best =
                        isRace()
                                ? winner()
                                : state.winner()
                                        .map(fighters::get)
                                        .map(it ->
                                                new PlayerScore(it.player.snapshot(), it.score()));
                endRound(
                        now,
                        reason,
                        best,
                        state.winningTeam().map(Match.this::teamScore),
                        state.winner().isPresent()
                                ? "The round ends."
                                : "The round ends without a winner.");
            }
        }

        /** How long a phase is by the rules; zero if it does not end by itself. */
        private Duration length(Phase which) {
            return switch (which) {
                case WARM_UP -> rules.warmUp();
                case PLAYING -> rules.timeLimit();
                case INTERMISSION -> rules.intermission();
                case OFF, IDLE -> Duration.ZERO;
            };
        }

        private static Duration limited(Duration left, Duration length) {
            return !length.isZero() && left.compareTo(length) > 0 ? length : left;
        }

        @Override
        public Map<Team, Integer> teamFrags() {
            return rules.mode().hasTeams()
                    ? Stream.of(Team.values())
                            .collect(Collectors.toMap(team -> team, teams::ownFrags))
                    : Map.of();
        }

        @Override
        public void setTeamFragsOfOthers(long now, Map<Team, Integer> frags) {
            if (!rules.mode().hasTeams() || phase == Phase.OFF || phase == Phase.IDLE) {
                return;
            }
            for (Team team : Team.values()) {
                if (teams.setFragsOfOthers(team, frags.getOrDefault(team, 0))) {
                    // The games show a team's score with that of a player.
                    fighters.values().stream()
                            .filter(it -> it.player.id.isOfOtherServer() && it.isIn(team))
                            .findFirst()
                            .ifPresent(it -> scored(now, it));
                    checkScoreLimit(now, teams.frags(team));
                }
            }
        }

        private @Nullable Fighter mirrored(PlayerId id) {
            return id.isOfOtherServer() ? fighters.get(id) : null;
        }

        @Override
        public HitResult receive(ArenaEvent.Hit hit, long made) {
            Fighter attacker = mirrored(hit.attacker().id());
            Fighter victim = fighters.get(hit.id());
            return attacker == null || victim == null || victim.subscriber == null
                    ? HitResult.NO_EFFECT
                    : victim.receive(attacker, hit, made);
        }

        @Override
        public void mirror(ArenaEvent.OfFight event) {
            Fighter player = mirrored(event.id());
            if (player == null || !isOn() || isRace()) {
                return;
            }
            switch (event) {
                case ArenaEvent.Hit hit -> mirrorHit(player, hit);
                case ArenaEvent.Died died -> mirrorDeath(player, died);
                case ArenaEvent.Scored scored -> {
                    if (!player.score().equals(scored.score())) {
                        player.setScore(scored.score());
                        scored(scored.time(), player);
                    }
                }
                case ArenaEvent.TeamChanged changed -> {
                    if (rules.mode().hasTeams() && !player.isIn(changed.team())) {
                        player.setTeam(changed.team());
                        teamChanged(changed.time(), player);
                    }
                }
            }
        }

        private void mirrorHit(Fighter victim, ArenaEvent.Hit hit) {
            Fighter attacker = fighters.get(hit.attacker().id());
            victim.mirrorVitals(hit.vitals());
            if (attacker != null) {
                onHit(
                        new ArenaEvent.Hit(
                                hit.time(),
                                victim.player.snapshot(),
                                attacker.player.snapshot(),
                                hit.means(),
                                hit.damage(),
                                hit.knockback(),
                                hit.place(),
                                hit.vitals()),
                        victim);
            }
        }

        private void mirrorDeath(Fighter victim, ArenaEvent.Died died) {
            Fighter killer = fighters.get(died.killer().id());
            interestTracker.despawn(
                    died.time(),
                    victim.player,
                    () -> {
                        if (killer != null) {
                            dispatcher.dispatch(
                                    new ArenaEvent.Died(
                                            died.time(),
                                            victim.player.snapshot(),
                                            killer.player.snapshot(),
                                            died.means(),
                                            died.score()),
                                    victim.player);
                        }
                    });
        }

        @Override
        public void credit(long now, PlayerId id, int frags) {
            Fighter killer = fighters.get(id);
            if (killer != null
                    && killer.subscriber != null
                    && phase == Phase.PLAYING
                    && !isRace()) {
                addFrags(killer, frags);
                scored(now, killer);
                checkScoreLimit(now, killer);
            }
        }

        @Override
        public Optional<TeamRefusal> changeTeam(long now, Fighter player, Team to) {
            Optional<TeamRefusal> refusal = TeamTable.refusal(now, player, to, fighters.values());
            if (refusal.isEmpty()) {
                player.switchTeam(now, to);
                missiles.clear(now, player.player.id);
                interestTracker.despawn(now, player.player);
                teamChanged(now, player);
            }
            return refusal;
        }

        @Override
        public ItemSpawns items() {
            return items;
        }

        @Override
        public Optional<Missile> launch(
                long now,
                PlayerId owner,
                MissileRules missileRules,
                Missile.Launch launch,
                Missile.Listener listener,
                Missiles.Bodies bodies) {
            return missiles.launch(now, owner, missileRules, launch, listener, bodies);
        }

        @Override
        public void report(long now, ActivePlayer player, ShotViolation violation) {
            cheatPolicy.enforce(now, player, violation);
        }
    }
}

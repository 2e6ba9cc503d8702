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

    /** The scores of players that have left this round are kept for at most this many. */
    private static final int MAX_KEPT_SCORES = 1_024;

    private static final long NEVER = Long.MAX_VALUE;
    private static final long LAST_CALL_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final EventDispatcher dispatcher;
    private final InterestTracker interestTracker;
    private final CheatPolicyEnforcer cheatPolicy;
    private final Fighter.Referee referee = new MatchReferee();
    private final Missiles missiles = new Missiles();
    private final Map<PlayerId, Fighter> fighters = new LinkedHashMap<>();
    private final Map<String, Score> leftScores = new HashMap<>();
    private MatchRules rules = MatchRules.NONE;
    private Phase phase = Phase.OFF;
    private LongConsumer rotation = this::begin;

    /** When the phase ends, as if it were not paused. */
    private long deadline = NEVER;

    private long pausedAt = NEVER;
    private boolean lastCall;

    Match(
            EventDispatcher dispatcher,
            InterestTracker interestTracker,
            CheatPolicyEnforcer cheatPolicy) {
        this.dispatcher = dispatcher;
        this.interestTracker = interestTracker;
        this.cheatPolicy = cheatPolicy;
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
    }

    public MatchRules rules() {
        return rules;
    }

    public Phase phase() {
        return phase;
    }

    /** Whether a match is played here at all. */
    public boolean isOn() {
        return phase != Phase.OFF;
    }

    /** Whether hits count now. */
    public boolean isFighting() {
        return (phase == Phase.WARM_UP || phase == Phase.PLAYING) && !isPaused();
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
                + (rules.scoreLimit() == 0 ? "" : ", limit " + rules.scoreLimit() + " frags");
    }

    /** Scores of the players of this server that have lived, the best first. */
    public List<PlayerScore> standings() {
        List<PlayerScore> standings = new ArrayList<>();
        for (Fighter fighter : fighters.values()) {
            if (fighter.subscriber != null) {
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
            dispatcher.dispatch(
                    new ArenaEvent.RoundEnded(now, RoundEndReason.RESTARTED, Optional.empty()));
        }
        beginWarmUp(now);
    }

    private void beginWarmUp(long now) {
        setPaused(now, false);
        if (rules.warmUp().isZero()) {
            startRound(now);
            return;
        }
        enter(Phase.WARM_UP, now, rules.warmUp());
        clearScores(now);
        announce(now, "Warm-up: the round starts in " + text(rules.warmUp()) + ".");
    }

    private void enter(Phase next, long now, Duration length) {
        phase = next;
        lastCall = false;
        deadline = length.isZero() ? NEVER : now + length.toNanos();
    }

    private void startRound(long now) {
        enter(Phase.PLAYING, now, rules.timeLimit());
        clearScores(now);
        fighters.values().forEach(Fighter::endLife);
        missiles.clear(now);
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
        leftScores.clear();
        for (Fighter fighter : fighters.values()) {
            if (!fighter.score().equals(Score.ZERO)) {
                fighter.setScore(Score.ZERO);
                scored(now, fighter);
            }
        }
    }

    private void endRound(long now, RoundEndReason reason) {
        List<PlayerScore> standings = standings();
        boolean tied =
                standings.size() > 1
                        && standings.get(0).score().frags() == standings.get(1).score().frags();
        Optional<PlayerScore> best =
                standings.isEmpty() || tied ? Optional.empty() : Optional.of(standings.getFirst());
        enter(Phase.INTERMISSION, now, rules.intermission());
        missiles.clear(now);
        if (deadline == NEVER) {
            deadline = now;
        }
        dispatcher.dispatch(new ArenaEvent.RoundEnded(now, reason, best.map(PlayerScore::player)));
        announce(
                now,
                best.map(it ->
                                it.player().name()
                                        + " wins with "
                                        + it.score().frags()
                                        + (it.score().frags() == 1 ? " frag." : " frags."))
                        .orElse("The round ends without a winner."));
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
        if (paused) {
            pausedAt = now;
        } else {
            deadline = deadline == NEVER ? NEVER : deadline + Math.max(0, now - pausedAt);
            pausedAt = NEVER;
        }
        return true;
    }

    /** A player is about to join. */
    void beforeJoin(long now) {
        if (phase == Phase.IDLE) {
            beginWarmUp(now);
        }
    }

    /** Adds a player; its score of this round is kept if it only was away. */
    Fighter add(ActivePlayer player, @Nullable Subscriber subscriber) {
        Fighter fighter = new Fighter(player, subscriber, referee);
        fighters.put(player.id, fighter);
        if (isOn() && subscriber != null) {
            fighter.setScore(
                    Optional.ofNullable(leftScores.remove(key(player, subscriber)))
                            .orElse(Score.ZERO));
        }
        return fighter;
    }

    /** The events of a player that has joined. */
    void joined(long now, Fighter fighter) {
        if (!fighter.score().equals(Score.ZERO)) {
            scored(now, fighter);
        }
    }

    /** Removes a player that has left. */
    void remove(long now, Fighter fighter) {
        fighter.endLife();
        fighters.remove(fighter.player.id);
        Subscriber subscriber = fighter.subscriber;
        if (subscriber == null || !isOn()) {
            return;
        }
        if (!fighter.score().equals(Score.ZERO) && leftScores.size() < MAX_KEPT_SCORES) {
            leftScores.put(key(fighter.player, subscriber), fighter.score());
        }
        if (fighters.values().stream().allMatch(it -> it.subscriber == null)) {
            if (phase == Phase.PLAYING) {
                dispatcher.dispatch(
                        new ArenaEvent.RoundEnded(now, RoundEndReason.ABANDONED, Optional.empty()));
            }
            phase = Phase.IDLE;
            missiles.clear(now);
            deadline = NEVER;
            pausedAt = NEVER;
            leftScores.clear();
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
     * Flies missiles, and ends what is over.
     *
     * @return when to call again
     */
    long advance(long now) {
        // Missiles first, as a kill may end the round.
        long nextStep = missiles.advance(now);
        return Math.min(nextStep, advancePhase(now));
    }

    private long advancePhase(long now) {
        if (phase == Phase.OFF || isPaused() || deadline == NEVER) {
            return NEVER;
        }
        if (now >= deadline) {
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

    private void scored(long now, Fighter fighter) {
        dispatcher.dispatch(
                new ArenaEvent.Scored(now, fighter.player.snapshot(), fighter.score()),
                fighter.player);
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
    private final class MatchReferee implements Fighter.Referee {
        @Override
        public boolean isOn() {
            return Match.this.isOn();
        }

        @Override
        public boolean isFighting() {
            return Match.this.isFighting();
        }

        @Override
        public double damageFactor(String game) {
            return rules.damageFactor(game);
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
            boolean counts = phase == Phase.PLAYING;
            if (counts) {
                victim.setScore(victim.score().plus(0, 1));
                killer.setScore(killer.score().plus(killer == victim ? -1 : 1, 0));
            }
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
                                        killer.score()),
                                victim.player);
                        if (counts && killer != victim) {
                            scored(now, killer);
                        }
                        if (counts) {
                            scored(now, victim);
                        }
                    });
            if (phase == Phase.PLAYING
                    && rules.scoreLimit() > 0
                    && killer.score().frags() >= rules.scoreLimit()) {
                endRound(now, RoundEndReason.SCORE_LIMIT);
            }
        }

        @Override
        public long maxRewindNanos() {
            return rules.rewind().toNanos();
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

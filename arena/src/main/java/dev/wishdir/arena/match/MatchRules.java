package dev.wishdir.arena.match;

import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.arena.flag.FlagRules;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;

/**
 * The rules of the match that all games of an arena play.
 *
 * @param timeLimit of a round; zero for none
 * @param scoreLimit frags of a player or of a team, or captures of a team, that end a round; 0 for
 *     none
 * @param warmUp time before a round in which hits count and scores do not; may be zero
 * @param intermission time after a round, in which no player is hit
 * @param damageFactors by game, what the damage of its weapons is multiplied by; 1 if not listed
 * @param rewind how far back the victims of a shot may be that the server decides, as its shooter
 *     saw them; at most {@link #MAX_REWIND}
 * @param friendlyFire whether players hurt others of their own team
 * @param items whether the items of the levels lie there
 * @param flags of a match with flags
 */
public record MatchRules(
        MatchMode mode,
        Duration timeLimit,
        int scoreLimit,
        Duration warmUp,
        Duration intermission,
        Map<String, Double> damageFactors,
        Duration rewind,
        boolean friendlyFire,
        boolean items,
        FlagRules flags) {
    public static final Duration DEFAULT_REWIND = Duration.ofMillis(200);
    public static final Duration MAX_REWIND = Duration.ofMillis(400);
    public static final Duration DEFAULT_TIME_LIMIT = Duration.ofMinutes(10);
    public static final Duration DEFAULT_INTERMISSION = Duration.ofSeconds(10);

    /** The longest time that a rule may have. */
    public static final Duration MAX_DURATION = Duration.ofHours(24);

    public static final int MAX_SCORE_LIMIT = 10_000;

    /** Captures that end a round of a match with flags. */
    public static final int DEFAULT_CAPTURE_LIMIT = 8;

    public static final double MAX_DAMAGE_FACTOR = 100;

    /** No match. */
    public static final MatchRules NONE = of(MatchMode.NONE);

    /**
     * @throws IllegalArgumentException if a number is out of range
     */
    public MatchRules {
        Objects.requireNonNull(mode, "mode");
        Objects.requireNonNull(flags, "flags");
        checkTime("time limit", Objects.requireNonNull(timeLimit, "timeLimit"));
        checkTime("warm-up", Objects.requireNonNull(warmUp, "warmUp"));
        checkTime("intermission", Objects.requireNonNull(intermission, "intermission"));
        if (scoreLimit < 0 || scoreLimit > MAX_SCORE_LIMIT) {
            throw new IllegalArgumentException(
                    "the score limit must be 0 to " + MAX_SCORE_LIMIT + ", is " + scoreLimit);
        }
        if (Objects.requireNonNull(rewind, "rewind").isNegative()
                || rewind.compareTo(MAX_REWIND) > 0) {
            throw new IllegalArgumentException(
                    "the rewind of shots must be 0 to 400 ms, is " + rewind.toMillis() + " ms");
        }
        damageFactors = Map.copyOf(Objects.requireNonNull(damageFactors, "damageFactors"));
        damageFactors.forEach((game, factor) -> {
            if (!(factor > 0 && factor <= MAX_DAMAGE_FACTOR)) {
                throw new IllegalArgumentException(
                        "the damage factor of "
                                + game
                                + " must be above 0 and at most 100, is "
                                + factor);
            }
        });
    }

    /** These rules with other times: of a round, and before and after it. */
    public MatchRules withTimes(Duration round, Duration before, Duration after) {
        return with(round, scoreLimit, before, after, damageFactors, rewind, items, flags);
    }

    /** These rules with another score limit. */
    public MatchRules withScoreLimit(int frags) {
        return with(timeLimit, frags, warmUp, intermission, damageFactors, rewind, items, flags);
    }

    /** These rules with other factors of the damage, by game. */
    public MatchRules withDamageFactors(Map<String, Double> factors) {
        return with(timeLimit, scoreLimit, warmUp, intermission, factors, rewind, items, flags);
    }

    /** These rules with another limit of how far back victims are put. */
    public MatchRules withRewind(Duration limit) {
        return with(
                timeLimit, scoreLimit, warmUp, intermission, damageFactors, limit, items, flags);
    }

    /** These rules without items. */
    public MatchRules withoutItems() {
        return with(
                timeLimit, scoreLimit, warmUp, intermission, damageFactors, rewind, false, flags);
    }

    /** These rules with other rules of flags. */
    public MatchRules withFlags(FlagRules given) {
        return with(
                timeLimit, scoreLimit, warmUp, intermission, damageFactors, rewind, items, given);
    }

    private MatchRules with(
            Duration timeLimit,
            int scoreLimit,
            Duration warmUp,
            Duration intermission,
            Map<String, Double> damageFactors,
            Duration rewind,
            boolean items,
            FlagRules flags) {
        return new MatchRules(
                mode,
                timeLimit,
                scoreLimit,
                warmUp,
                intermission,
                damageFactors,
                rewind,
                friendlyFire,
                items,
                flags);
    }

    private static void checkTime(String name, Duration time) {
        if (time.isNegative() || time.compareTo(MAX_DURATION) > 0) {
            throw new IllegalArgumentException("the " + name + " must be 0 to 24 h, is " + time);
        }
    }

    /**
     * The default rules of a mode: rounds of ten minutes without warm-up, and without a score limit
     * but in a match with flags.
     */
    public static MatchRules of(MatchMode mode) {
        return new MatchRules(
                mode,
                DEFAULT_TIME_LIMIT,
                mode.hasFlags() ? DEFAULT_CAPTURE_LIMIT : 0,
                Duration.ZERO,
                DEFAULT_INTERMISSION,
                Map.of(),
                DEFAULT_REWIND,
                false,
                true,
                FlagRules.DEFAULT);
    }

    /** Factor of the damage of a game's weapons. */
    double damageFactor(String game) {
        return damageFactors.getOrDefault(game, 1.0);
    }
}

package dev.wishdir.arena.flag;

import java.time.Duration;
import java.util.Objects;

/**
 * The rules of a match with flags that an operator may change.
 *
 * @param returnTime how long a dropped flag lies before it comes home; zero for not at all
 * @param homeNeeded whether a player captures only while its own flag is at home
 */
public record FlagRules(Duration returnTime, boolean homeNeeded) {
    /** Longest time that a dropped flag may lie. */
    public static final Duration MAX_RETURN_TIME = Duration.ofMinutes(2);

    public static final FlagRules DEFAULT = new FlagRules(Duration.ofSeconds(20), true);

    /**
     * @throws IllegalArgumentException if the time is out of range
     */
    public FlagRules {
        if (Objects.requireNonNull(returnTime, "returnTime").isNegative()
                || returnTime.compareTo(MAX_RETURN_TIME) > 0) {
            throw new IllegalArgumentException(
                    "the return time of flags must be 0 to 120 s, is "
                            + returnTime.toMillis() / 1_000.0
                            + " s");
        }
    }
}

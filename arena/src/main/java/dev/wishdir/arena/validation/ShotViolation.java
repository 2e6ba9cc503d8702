package dev.wishdir.arena.validation;

import dev.wishdir.arena.event.ViolationRule;

/**
 * A shot or a hit that its game's rules do not allow, as a client claims it. It has no effect.
 *
 * @param rule one that {@linkplain ViolationRule#isOfShot is of shots}
 * @param measured what the client claims, in the unit of the rule
 * @param allowed what it may, the allowance included
 * @param allowance what of {@code allowed} is for lag and precision
 * @param isLate whether it was allowed some time ago, so that an honest client whose view is old
 *     claims it: it is not reported
 */
public record ShotViolation(
        ViolationRule rule, double measured, double allowed, double allowance, boolean isLate) {
    public ShotViolation(ViolationRule rule, double measured, double allowed, double allowance) {
        this(rule, measured, allowed, allowance, false);
    }

    public ShotViolation asLate() {
        return new ShotViolation(rule, measured, allowed, allowance, true);
    }
}

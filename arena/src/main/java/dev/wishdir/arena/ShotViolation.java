package dev.wishdir.arena;

/**
 * A shot or a hit that its game's rules do not allow, as a client claims it. It has no effect.
 *
 * @param rule one that {@linkplain ViolationRule#isOfShot is of shots}
 * @param measured what the client claims, in the unit of the rule
 * @param allowed what it may, the allowance included
 * @param allowance what of {@code allowed} is for lag and precision
 */
public record ShotViolation(
        ViolationRule rule, double measured, double allowed, double allowance) {}

package dev.wishdir.arena.combat;

/**
 * The rules by which a game's missile flies.
 *
 * @param stepNanos the game's interval between two tests of the missile's way
 * @param lifetimeNanos after which it times out, from its launch
 * @param ownerImmuneNanos for which it does not meet its owner, from its launch; {@link
 *     Long#MAX_VALUE} for ever
 * @param margin added to the boxes of bodies on all sides, metres
 * @param bodies the box of a body
 * @param motion where nothing is in its way
 * @param walls the solids of the shooter's level
 */
public record MissileRules(
        long stepNanos,
        long lifetimeNanos,
        long ownerImmuneNanos,
        double margin,
        BodyBox bodies,
        MissileMotion motion,
        WallTrace walls) {
    public static final long MIN_STEP_NANOS = 10_000_000;

    /** The longest time that any missile flies or rests. */
    public static final long MAX_LIFETIME_NANOS = 60_000_000_000L;

    /**
     * @throws IllegalArgumentException if a time is out of range
     */
    public MissileRules {
        if (stepNanos < MIN_STEP_NANOS) {
            throw new IllegalArgumentException(
                    "the step of a missile must be at least 10 ms, is " + stepNanos + " ns");
        }
        if (lifetimeNanos < 0 || lifetimeNanos > MAX_LIFETIME_NANOS) {
            throw new IllegalArgumentException(
                    "the lifetime of a missile must be 0 to 60 s, is " + lifetimeNanos + " ns");
        }
    }
}

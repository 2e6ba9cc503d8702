package dev.wishdir.bedrock.server;

import dev.wishdir.arena.BodyBox;
import dev.wishdir.arena.MissileMotion;
import dev.wishdir.arena.MissileRules;
import dev.wishdir.arena.WallTrace;
import dev.wishdir.bedrock.movement.BedrockBody;
import dev.wishdir.bedrock.movement.BedrockMotion;
import dev.wishdir.motion.CollisionSpace;
import dev.wishdir.motion.Vec3;

/** Bows and arrows as in the original game, in the arena's units. */
final class ArrowRules {
    /** A bow that was drawn for less does not shoot. */
    static final int MIN_DRAW_TICKS = 3;

    /** The speed of an arrow of a fully drawn bow, metres a second. */
    static final double MAX_SPEED = 5.0 * BedrockMotion.TICKS_PER_SECOND;

    private static final double FULL_DRAW_TICKS = 20;
    private static final double MIN_POWER = 0.1;

    /** Points of the original for each metre a tick of an arrow's speed. */
    private static final double DAMAGE = 2;

    /** Metres a tick, each tick. */
    private static final double GRAVITY = 0.05;

    /** What the air leaves of the speed in a tick. */
    private static final double DRAG = 0.99;

    /** An arrow that neither falls faster nor slower, metres a tick. */
    private static final double FALL_SPEED = GRAVITY / (1 - DRAG);

    /** It lies where it met a wall until this time after its launch. */
    private static final long LIFETIME_NANOS = 10_000_000_000L;

    private static final long OWNER_IMMUNE_NANOS = 5 * BedrockMotion.TICK_NANOS;
    private static final double MARGIN_METRES = 0.3;
    private static final double CROUCHED_HEIGHT_METRES = 1.5;

    private static final BodyBox BODY =
            new BodyBox(
                    BedrockBody.SIZE.width(), BedrockBody.SIZE.height(), CROUCHED_HEIGHT_METRES);

    private ArrowRules() {}

    /**
     * The power of a shot, 0 to 1.
     *
     * @param drawnNanos for how long the bow was drawn
     * @return 0 if it does not shoot
     */
    static double power(long drawnNanos) {
        double ticks = (double) drawnNanos / BedrockMotion.TICK_NANOS;
        double part = ticks / FULL_DRAW_TICKS;
        double power = Math.min((part * part + 2 * part) / 3, 1);
        return ticks < MIN_DRAW_TICKS || power < MIN_POWER ? 0 : power;
    }

    /**
     * The damage of an arrow.
     *
     * @param speed with which it hits, metres a second
     * @param isFull whether its bow was fully drawn
     * @param chance 0 to 1: the share of what a fully drawn bow may add
     */
    static double damage(double speed, boolean isFull, double chance) {
        double points = Math.ceil(DAMAGE * speed / BedrockMotion.TICKS_PER_SECOND);
        return MeleeRules.POINTS * (isFull ? points + Math.floor(points / 2 * chance) : points);
    }

    /** How arrows fly in a level. */
    static MissileRules missile(CollisionSpace space) {
        return new MissileRules(
                BedrockMotion.TICK_NANOS,
                LIFETIME_NANOS,
                OWNER_IMMUNE_NANOS,
                MARGIN_METRES,
                BODY,
                ArrowRules::after,
                WallTrace.of(space));
    }

    /**
     * An arrow after a time: in each tick the air slows it, then it falls faster, then it moves.
     * This is the sum of these steps, which is as good for a part of a tick.
     */
    static MissileMotion.State after(MissileMotion.State before, double seconds) {
        double ticks = seconds * BedrockMotion.TICKS_PER_SECOND;
        double left = Math.pow(DRAG, ticks);
        Vec3 sinking = new Vec3(0, 0, -FALL_SPEED * BedrockMotion.TICKS_PER_SECOND);
        Vec3 rest = before.velocity().minus(sinking);
        double way = DRAG * (1 - left) / (1 - DRAG) / BedrockMotion.TICKS_PER_SECOND;
        return new MissileMotion.State(
                before.place().plus(rest.times(way)).plus(sinking.times(seconds)),
                rest.times(left).plus(sinking));
    }
}

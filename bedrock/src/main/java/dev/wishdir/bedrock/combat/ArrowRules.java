package dev.wishdir.bedrock.combat;

import dev.wishdir.bedrock.movement.BedrockMotion;

/** The power and damage of bows and crossbows as in the original game, in the arena's units. */
public final class ArrowRules {
    /** A bow that was drawn for less does not shoot. */
    static final int MIN_DRAW_TICKS = 3;

    /** The speed of an arrow of a fully drawn bow, metres a second. */
    public static final double MAX_SPEED = 5.0 * BedrockMotion.TICKS_PER_SECOND;

    /** For how long a crossbow is drawn until an arrow lies in it. */
    public static final long LOAD_NANOS = 25 * BedrockMotion.TICK_NANOS;

    /** The damage of an arrow of a crossbow, which is always drawn alike. */
    public static final double CROSSBOW_DAMAGE = 9 * MeleeRules.POINTS;

    private static final double FULL_DRAW_TICKS = 20;
    private static final double MIN_POWER = 0.1;

    /** Points of the original for each metre a tick of an arrow's speed. */
    private static final double DAMAGE = 2;

    private ArrowRules() {}

    /**
     * The power of a shot, 0 to 1.
     *
     * @param drawnNanos for how long the bow was drawn
     * @return 0 if it does not shoot
     */
    public static double power(long drawnNanos) {
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
    public static double damage(double speed, boolean isFull, double chance) {
        double points = Math.ceil(DAMAGE * speed / BedrockMotion.TICKS_PER_SECOND);
        return MeleeRules.POINTS * (isFull ? points + Math.floor(points / 2 * chance) : points);
    }
}

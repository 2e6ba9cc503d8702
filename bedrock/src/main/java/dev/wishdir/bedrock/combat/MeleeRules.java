package dev.wishdir.bedrock.combat;

import dev.wishdir.bedrock.movement.BedrockMotion;
import dev.wishdir.motion.Vec3;

/** Blows as in the original game, in the arena's units. */
public final class MeleeRules {
    /** A player of the original has 20 points of health, one of the arena 100. */
    public static final double POINTS = 5;

    /** The whole health of a player, points of the original. */
    public static final int MAX_HEALTH = 20;

    /** From the eyes to the victim's box. */
    public static final double REACH_METRES = 3;

    /** After a blow, only the excess of a harder one counts for this long. */
    public static final long INVULNERABLE_NANOS = 10 * BedrockMotion.TICK_NANOS;

    /** A player that falls hits harder. */
    static final double CRITICAL_FACTOR = 1.5;

    /**
     * Quad damage multiplies damage by this, not the push: strength of level III, which the client
     * shows. The game itself adds to blows only; arrows and tridents here, too, as in other games.
     */
    public static final int QUAD_FACTOR = 3;

    private static final double FIST_DAMAGE = 1;
    private static final double IRON_SWORD_DAMAGE = 7;

    /** A trident in the hand, and one that is thrown. */
    private static final double TRIDENT_DAMAGE = 8;

    /** The push of a blow, as much along as up. */
    private static final double PUSH = 0.4 * BedrockMotion.TICKS_PER_SECOND;

    private MeleeRules() {}

    /** The damage of a blow with an item; any but sword and trident is as good as the fist. */
    public static double damage(Weapon item, boolean isCritical) {
        double damage =
                switch (item) {
                    case IRON_SWORD -> IRON_SWORD_DAMAGE;
                    case TRIDENT -> TRIDENT_DAMAGE;
                    default -> FIST_DAMAGE;
                };
        return POINTS * damage * (isCritical ? CRITICAL_FACTOR : 1);
    }

    /**
     * The change of the victim's velocity: a blow halves what it had, and pushes it away and up.
     *
     * @param velocity of the victim
     */
    public static Vec3 knockback(Vec3 attacker, Vec3 victim, Vec3 velocity) {
        double x = victim.x() - attacker.x();
        double y = victim.y() - attacker.y();
        double apart = Math.hypot(x, y);
        if (apart < 1e-6) {
            return Vec3.ZERO;
        }
        double up = Math.min(velocity.z() / 2 + PUSH, PUSH);
        return new Vec3(
                PUSH * x / apart - velocity.x() / 2,
                PUSH * y / apart - velocity.y() / 2,
                up - velocity.z());
    }

    /** Health as clients have it: 0 exactly if the body is dead. */
    public static int health(double health) {
        return health > 0 ? (int) Math.ceil(health / POINTS) : 0;
    }
}

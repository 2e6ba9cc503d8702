package dev.wishdir.bedrock.combat;

import dev.wishdir.arena.combat.BodyBox;
import dev.wishdir.arena.combat.MissileMotion;
import dev.wishdir.arena.combat.MissileRules;
import dev.wishdir.arena.combat.WallTrace;
import dev.wishdir.arena.event.DamageMeans;
import dev.wishdir.bedrock.movement.BedrockBody;
import dev.wishdir.bedrock.movement.BedrockMotion;
import dev.wishdir.motion.CollisionSpace;
import dev.wishdir.motion.Vec3;

/** Projectiles of this game's players, and their flight, in the arena's units. */
public enum Projectile implements MissileMotion {
    ARROW(DamageMeans.PISTOL, 0.05, "random.bowhit"),
    SNOWBALL(DamageMeans.MACHINE_GUN, 0.03, ""),
    TRIDENT(DamageMeans.RIFLE, 0.05, "item.trident.hit");

    /** Factor of the speed in a tick. */
    private static final double DRAG = 0.99;

    /** Time after its launch until which a projectile in a wall stays. */
    private static final long LIFETIME_NANOS = 10_000_000_000L;

    private static final long OWNER_IMMUNE_NANOS = 5 * BedrockMotion.TICK_NANOS;
    private static final double MARGIN_METRES = 0.3;
    private static final double CROUCHED_HEIGHT_METRES = 1.5;

    private static final BodyBox BODY =
            new BodyBox(
                    BedrockBody.SIZE.width(), BedrockBody.SIZE.height(), CROUCHED_HEIGHT_METRES);

    private final DamageMeans means;

    /** The velocity at which the air takes what it falls faster. */
    private final Vec3 sinking;

    private final String impactSound;

    /**
     * @param gravity metres a tick, each tick
     * @param impactSound empty if it breaks
     */
    Projectile(DamageMeans means, double gravity, String impactSound) {
        this.means = means;
        this.impactSound = impactSound;
        double fallSpeed = gravity / (1 - DRAG);
        sinking = new Vec3(0, 0, -fallSpeed * BedrockMotion.TICKS_PER_SECOND);
    }

    /** The kind of weapon as which other games show it. */
    public DamageMeans means() {
        return means;
    }

    /** The name of the sound with which it meets a wall or a body; empty for none. */
    public String impactSound() {
        return impactSound;
    }

    /** Whether it breaks where it meets a wall, instead of staying there. */
    public boolean breaks() {
        return this == SNOWBALL;
    }

    /** Rules of its flight in a level. */
    public MissileRules rules(CollisionSpace space) {
        return new MissileRules(
                BedrockMotion.TICK_NANOS,
                LIFETIME_NANOS,
                OWNER_IMMUNE_NANOS,
                MARGIN_METRES,
                BODY,
                this,
                WallTrace.of(space));
    }

    /**
     * It after a time: in each tick the air slows it, then it falls faster, then it moves. This is
     * the sum of these steps, which is as good for a part of a tick.
     */
    @Override
    public MissileMotion.State after(MissileMotion.State before, double seconds) {
        double ticks = seconds * BedrockMotion.TICKS_PER_SECOND;
        double left = Math.pow(DRAG, ticks);
        Vec3 rest = before.velocity().minus(sinking);
        double way = DRAG * (1 - left) / (1 - DRAG) / BedrockMotion.TICKS_PER_SECOND;
        return new MissileMotion.State(
                before.place().plus(rest.times(way)).plus(sinking.times(seconds)),
                rest.times(left).plus(sinking));
    }
}

package dev.wishdir.quake2.server.combat;

import dev.wishdir.idtech.PlaneWorld;
import dev.wishdir.motion.Vec3f;
import dev.wishdir.quake2.message.PlayerState;
import dev.wishdir.quake2.movement.PlayerHulls;
import dev.wishdir.quake2.movement.Quake2Motion;

/** Hazards of a level to a body: falls, lava, slime, and water without air. */
public final class Hazards {
    private static final int LAVA = 8;
    private static final int SLIME = 16;
    private static final int LIQUIDS = 0x38;
    private static final int LAVA_DAMAGE = 3;
    private static final double FALL_FACTOR = 0.0001;
    private static final double SAFE_FALL = 30;

    /** Frames of the game's ten a second for which a body has air. */
    private static final int AIR_FRAMES = 120;

    /** More than a second, as captures show. */
    private static final int DROWN_INTERVAL_FRAMES = 11;

    private static final int FIRST_DROWN_DAMAGE = 4;
    private static final int MORE_DROWN_DAMAGE = 2;
    private static final int MAX_DROWN_DAMAGE = 15;

    /** Upward velocity at the end of the last frame, units a second. */
    private double lastUp;

    private int submerged;
    private int drownDamage = FIRST_DROWN_DAMAGE;

    /** A new body. */
    public void clear() {
        lastUp = 0;
        breathe();
    }

    private void breathe() {
        submerged = 0;
        drownDamage = FIRST_DROWN_DAMAGE;
    }

    /**
     * Ends one of the game's ten frames a second.
     *
     * @param fallsHurt the same during a whole life
     * @return the damage of this frame
     */
    public int endFrame(PlayerState state, PlaneWorld world, boolean fallsHurt) {
        float x = state.origin().x() / 8f;
        float y = state.origin().y() / 8f;
        float feet = (float) (state.origin().z() / 8.0 - Quake2Motion.FEET);
        int eye = PlayerHulls.isDucked(state) ? Quake2Motion.DUCKED_EYE : Quake2Motion.EYE;
        float height = (float) (Quake2Motion.FEET + eye);
        int liquid = world.contents(new Vec3f(x, y, feet + 1)) & LIQUIDS;
        int depth = liquid == 0 ? 0 : 1;
        if (depth == 1 && isLiquid(world, x, y, feet + height / 2)) {
            depth = isLiquid(world, x, y, feet + height) ? 3 : 2;
        }
        int damage = fallsHurt ? fall(state, depth) : 0;
        damage += (liquid & LAVA) != 0 ? LAVA_DAMAGE * depth : 0;
        damage += (liquid & SLIME) != 0 ? depth : 0;
        return damage + drown(depth == 3);
    }

    private static boolean isLiquid(PlaneWorld world, float x, float y, float z) {
        return (world.contents(new Vec3f(x, y, z)) & LIQUIDS) != 0;
    }

    /** The same fall hurts differently, as the velocity is that of the last frame. */
    private int fall(PlayerState state, int depth) {
        double up = state.velocity().z() / 8.0;
        boolean grounded = (state.pmFlags() & PlayerState.ON_GROUND) != 0;
        double change = grounded ? up - lastUp : lastUp < 0 && up > lastUp ? lastUp : 0;
        lastUp = up;
        if (depth == 3) {
            return 0;
        }
        double fall = change * change * FALL_FACTOR / (depth == 0 ? 1 : 2 * depth);
        return fall > SAFE_FALL ? (int) Math.max(1, (fall - SAFE_FALL) / 2) : 0;
    }

    private int drown(boolean under) {
        if (!under) {
            breathe();
            return 0;
        }
        submerged++;
        if (submerged <= AIR_FRAMES || (submerged - AIR_FRAMES) % DROWN_INTERVAL_FRAMES != 1) {
            return 0;
        }
        int damage = Math.min(drownDamage, MAX_DROWN_DAMAGE);
        drownDamage += MORE_DROWN_DAMAGE;
        return damage;
    }
}

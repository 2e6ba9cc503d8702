package dev.wishdir.idtech;

import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.CollisionSpace;
import dev.wishdir.motion.Medium;
import dev.wishdir.motion.Vec3;
import dev.wishdir.motion.Vec3f;

import java.util.List;

/**
 * The space of a Quake's map, in canonical units; its axes are the canonical ones.
 *
 * @param scale units per metre
 * @param mask the contents that stop a body
 * @param ladder the contents of ladders
 * @param hurtAreas in which the map hurts bodies, metres
 */
public record MapSpace(
        CollisionWorld world, double scale, int mask, int ladder, List<Bounds> hurtAreas)
        implements CollisionSpace {
    /** Water, slime and lava, in both games. */
    private static final int LIQUID_CONTENTS = 32 | 16 | 8;

    /** Slime and lava, in both games. */
    private static final int DEADLY_CONTENTS = 16 | 8;

    public MapSpace {
        hurtAreas = List.copyOf(hurtAreas);
    }

    /** The space of a map without ladders and areas that hurt. */
    public MapSpace(CollisionWorld world, double scale, int mask) {
        this(world, scale, mask, 0, List.of());
    }

    @Override
    public double free(Vec3 from, Vec3 to, double width, double height) {
        float half = (float) (width / 2 * scale);
        Trace trace =
                world.trace(
                        units(from),
                        new Vec3f(-half, -half, 0),
                        new Vec3f(half, half, (float) (height * scale)),
                        units(to),
                        mask);
        return trace.startSolid() ? 0 : trace.fraction();
    }

    @Override
    public Medium medium(Vec3 at) {
        int contents = world.contents(units(at));
        return (contents & LIQUID_CONTENTS) != 0
                ? Medium.WATER
                : (contents & ladder) != 0 ? Medium.LADDER : Medium.AIR;
    }

    @Override
    public boolean isDeadly(Vec3 at) {
        for (int i = 0; i < hurtAreas.size(); i++) {
            if (hurtAreas.get(i).contains(at)) {
                return true;
            }
        }
        return (world.contents(units(at)) & DEADLY_CONTENTS) != 0;
    }

    private Vec3f units(Vec3 metres) {
        return new Vec3f(
                (float) (metres.x() * scale),
                (float) (metres.y() * scale),
                (float) (metres.z() * scale));
    }
}

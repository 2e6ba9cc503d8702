package dev.wishdir.quake3.server.combat;

import dev.wishdir.arena.combat.BodyBox;
import dev.wishdir.idtech.Axes;
import dev.wishdir.motion.Vec3;
import dev.wishdir.motion.Vec3f;
import dev.wishdir.quake3.combat.WeaponRules;
import dev.wishdir.quake3.movement.PlayerBody;
import dev.wishdir.quake3.movement.Quake3Motion;

import java.util.ArrayList;
import java.util.List;

/** Places and directions of shots: docs/protocols/quake3.md#shots. Units, unless it says metres. */
public final class ShotGeometry {
    /** The box of a body: 15 units to each side, 56 high, 40 if it is crouched. */
    static final BodyBox BODY =
            new BodyBox(30 / Quake3Motion.SCALE, 56 / Quake3Motion.SCALE, 40 / Quake3Motion.SCALE);

    private static final float FAR = 131_072;
    private static final float BULLET_SPREAD = 200 * 16;
    private static final float PELLET_SPREAD = 700 * 16;
    private static final float DIRECTION_UNITS = 4_096;

    private ShotGeometry() {}

    /** The random numbers of a shot, which a client repeats from the same seed. */
    static final class Seed {
        private int value;

        Seed(int value) {
            this.value = value;
        }

        /** From 0 to 1. */
        float next() {
            value = 69_069 * value + 1;
            return (value & 0xFFFF) / 65_536f;
        }

        /** From -1 to 1. */
        float around() {
            return 2 * (next() - 0.5f);
        }
    }

    /** Farthest end of the bullet of a shot with a seed. */
    static Vec3f bulletEnd(Vec3f muzzle, Axes view, int number) {
        Seed seed = new Seed(number);
        float angle = (float) (Math.PI * 2) * seed.next();
        float up = (float) Math.sin(angle) * seed.around() * BULLET_SPREAD;
        float right = (float) Math.cos(angle) * seed.around() * BULLET_SPREAD;
        return muzzle.along(FAR, view.forward()).along(-right, view.left()).along(up, view.up());
    }

    /** The direction of a shotgun's shot as clients receive it. */
    static Vec3f sentDirection(Vec3f forward) {
        return PlayerBody.truncated(forward.times(DIRECTION_UNITS));
    }

    /** Farthest ends of the pellets of a shot, computed from what clients receive. */
    static List<Vec3f> pelletEnds(Vec3f muzzle, Vec3f sent, int number) {
        Vec3f forward = sent.normalised();
        Vec3f right = perpendicular(forward);
        Vec3f up = forward.cross(right);
        Seed seed = new Seed(number);
        List<Vec3f> ends = new ArrayList<>(WeaponRules.PELLETS);
        for (int i = 0; i < WeaponRules.PELLETS; i++) {
            float aside = seed.around() * PELLET_SPREAD;
            float above = seed.around() * PELLET_SPREAD;
            ends.add(muzzle.along(FAR, forward).along(aside, right).along(above, up));
        }
        return ends;
    }

    /** A point or direction in metres. */
    static Vec3 metres(Vec3f units) {
        return new Vec3(units.x(), units.y(), units.z()).times(1 / Quake3Motion.SCALE);
    }

    /** A point or direction in units. */
    public static Vec3f units(Vec3 metres) {
        return new Vec3f(
                (float) (metres.x() * Quake3Motion.SCALE),
                (float) (metres.y() * Quake3Motion.SCALE),
                (float) (metres.z() * Quake3Motion.SCALE));
    }

    /** A point without fractions, towards another: an explosion is not in the wall. */
    public static Vec3f rounded(Vec3f at, Vec3f towards) {
        return new Vec3f(
                rounded(at.x(), towards.x()),
                rounded(at.y(), towards.y()),
                rounded(at.z(), towards.z()));
    }

    private static float rounded(float at, float towards) {
        return towards <= at ? (int) at : (int) at + 1;
    }

    /** Some direction perpendicular to another: of the axis along which this is the shortest. */
    static Vec3f perpendicular(Vec3f direction) {
        float x = Math.abs(direction.x());
        float y = Math.abs(direction.y());
        float z = Math.abs(direction.z());
        Vec3f axis =
                x <= y && x <= z
                        ? new Vec3f(1, 0, 0)
                        : y <= z ? new Vec3f(0, 1, 0) : new Vec3f(0, 0, 1);
        return axis.along(-direction.dot(axis), direction).normalised();
    }
}

package dev.wishdir.quake3.server.combat;

import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.combat.BodyBox;
import dev.wishdir.arena.combat.SplashLaw;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.idtech.Trace;
import dev.wishdir.motion.Vec3;
import dev.wishdir.motion.Vec3f;
import dev.wishdir.quake3.combat.Weapon;
import dev.wishdir.quake3.combat.WeaponRules;
import dev.wishdir.quake3.movement.PlayerBody;
import dev.wishdir.quake3.movement.Pmove;
import dev.wishdir.quake3.movement.Quake3Motion;
import dev.wishdir.quake3.server.view.RunningLevel;

import java.util.Optional;

/** Explosions in the running level, and what is solid in it for shots. */
final class BlastHandler {
    /** Surfaces that no shot marks, as the sky. */
    static final int NO_IMPACT = 16;

    /** Half the width of the square whose corners an explosion may see, units. */
    private static final float CORNER = 15;

    private final RunningLevel running;
    private final HitHandler hits;

    BlastHandler(RunningLevel running, HitHandler hits) {
        this.running = running;
        this.hits = hits;
    }

    /** The first solid of the level on a line. */
    Trace trace(Vec3f from, Vec3f to) {
        return running.world().trace(from, Vec3f.ZERO, Vec3f.ZERO, to, Pmove.SOLID);
    }

    /**
     * Hurts the bodies that an explosion reaches.
     *
     * @param factor of the damage
     * @param except the body that was hit directly, which the explosion spares
     */
    void explode(
            long now,
            ArenaPlayer player,
            Weapon weapon,
            int factor,
            Vec3f at,
            Optional<PlayerId> except) {
        WeaponRules law = WeaponRules.of(weapon);
        double radius = law.splashRadius() / Quake3Motion.SCALE;
        for (SplashLaw.Reached reached :
                player.combatant()
                        .splash(
                                now,
                                ShotGeometry.metres(at),
                                radius,
                                ShotGeometry.BODY,
                                new Blast())) {
            if (except.equals(Optional.of(reached.victim()))) {
                continue;
            }
            int points = (int) (factor * law.splashDamage() * (1 - reached.distance() / radius));
            Vec3f feet = ShotGeometry.units(reached.box().feet());
            Vec3f origin = feet.withZ(feet.z() + (float) Quake3Motion.FEET);
            Vec3f direction = origin.minus(at);
            if (points > 0) {
                hits.hit(
                        now,
                        player,
                        reached.victim(),
                        points,
                        direction.withZ(direction.z() + 24),
                        origin,
                        law.splashMeans());
            }
        }
    }

    /** The law of explosions: docs/protocols/quake3.md#damage. */
    private final class Blast implements SplashLaw {
        /** To the box as it is linked: without fractions, and a unit larger on all sides. */
        @Override
        public double distance(Vec3 explosion, BodyBox.Placed box) {
            Vec3f feet = ShotGeometry.units(box.feet());
            Vec3f linked = PlayerBody.truncated(feet.withZ(feet.z() + (float) Quake3Motion.FEET));
            Vec3 place = Quake3Motion.feet(linked.x(), linked.y(), linked.z());
            return new BodyBox.Placed(place, box.width(), box.height())
                    .grown(1 / Quake3Motion.SCALE)
                    .distance(explosion);
        }

        @Override
        public boolean isSeen(Vec3 explosion, BodyBox.Placed box) {
            Vec3f from = ShotGeometry.units(explosion);
            Vec3f centre = ShotGeometry.units(box.centre());
            if (isFree(from, centre)) {
                return true;
            }
            for (int corner = 0; corner < 4; corner++) {
                Vec3f aside =
                        new Vec3f(
                                (corner & 1) == 0 ? CORNER : -CORNER,
                                (corner & 2) == 0 ? CORNER : -CORNER,
                                0);
                if (isFree(from, centre.plus(aside))) {
                    return true;
                }
            }
            return false;
        }

        private boolean isFree(Vec3f from, Vec3f to) {
            return trace(from, to).fraction() == 1;
        }
    }
}

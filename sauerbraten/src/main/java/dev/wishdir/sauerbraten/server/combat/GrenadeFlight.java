package dev.wishdir.sauerbraten.server.combat;

import dev.wishdir.arena.combat.Combatant.Blast;
import dev.wishdir.arena.combat.HitGeometry;
import dev.wishdir.motion.CollisionSpace;
import dev.wishdir.motion.Medium;
import dev.wishdir.motion.Vec3;
import dev.wishdir.sauerbraten.combat.Weapon;
import dev.wishdir.sauerbraten.movement.GrenadeMotion;
import dev.wishdir.sauerbraten.movement.SauerbratenMotion;

import java.util.ArrayList;
import java.util.List;

/**
 * The ways that a grenade can have taken from a claimed throw. Up to its first bounce there is one.
 * How much of its speed a bounce leaves along a surface is not known exactly: the ways with the
 * most and the least are followed, and the farther a grenade has come since, the farther it may be
 * from them. Metres, metres a second.
 */
final class GrenadeFlight {
    private static final double METRE = SauerbratenMotion.SCALE;

    /** Factors of the speed along a surface at a bounce: rolling off, to touching lightly. */
    private static final double[] ALONG = {0.6, 0.8, 1};

    private static final double STEP_SECONDS = GrenadeMotion.STEP_SECONDS;

    /**
     * Largest distance from a followed way for each metre that it has come horizontally since its
     * first bounce: one that bounces up and down has no speed to stray with.
     */
    private static final double STRAY = 0.2;

    private final CollisionSpace space;
    private final Vec3 start;
    private final Vec3 velocity;

    /**
     * @param from where the shot begins, to where it ends
     * @param space of the level; the way in an {@linkplain CollisionSpace#OPEN unknown} one can't
     *     be followed
     */
    GrenadeFlight(Vec3 from, Vec3 to, CollisionSpace space) {
        this.space = space;
        start = from;
        velocity =
                GrenadeMotion.launch(
                        to.minus(from), Weapon.GRENADE_LAUNCHER.projectileSpeed() / METRE);
    }

    /**
     * The places at which it can have been.
     *
     * @param least the time since the throw, seconds
     * @param most at least 0
     */
    List<Blast> between(double least, double most) {
        List<Blast> places = new ArrayList<>();
        if (space.equals(CollisionSpace.OPEN)) {
            places.add(new Blast(start, reach(velocity.length(), most)));
            return places;
        }
        follow(start, least, most, places);
        return places;
    }

    /** The places if the grenade has passed an edge that it meets here, or has met one. */
    List<Blast> besideEdges(double least, double most) {
        List<Blast> places = new ArrayList<>();
        if (space.equals(CollisionSpace.OPEN)) {
            return places;
        }
        HitGeometry.startsBeside(space, start, velocity)
                .forEach(from -> follow(from, least, most, places));
        return places;
    }

    private void follow(Vec3 from, double least, double most, List<Blast> places) {
        for (double along : ALONG) {
            if (!follow(from, along, least, most, places)) {
                break;
            }
        }
    }

    /** Farthest distance in a time. */
    private static double reach(double speed, double seconds) {
        return speed * seconds + GrenadeMotion.GRAVITY / 2 * seconds * seconds;
    }

    /**
     * Follows one way.
     *
     * @return whether it bounced
     */
    private boolean follow(Vec3 from, double along, double least, double most, List<Blast> places) {
        GrenadeMotion motion = new GrenadeMotion(space);
        GrenadeMotion.State state = new GrenadeMotion.State(from, velocity, false);
        double since = 0;
        for (double time = 0; ; time += STEP_SECONDS) {
            Vec3 at = state.at();
            double speed = state.velocity().length();
            if (time + STEP_SECONDS > least) {
                places.add(new Blast(at, STEP_SECONDS * speed + STRAY * since));
            }
            if (time >= most) {
                return state.bounced();
            }
            if (space.medium(at) != Medium.AIR) {
                // Water slows it in a way that is not known exactly.
                places.add(new Blast(at, STRAY * since + reach(speed, most - time)));
                return true;
            }
            state = motion.step(state, along);
            since += state.bounced() ? state.at().minus(at).horizontal() : 0;
        }
    }
}

package dev.wishdir.sauerbraten.client;

import dev.wishdir.motion.CollisionSpace;
import dev.wishdir.motion.Vec3;
import dev.wishdir.sauerbraten.combat.Weapon;
import dev.wishdir.sauerbraten.message.ActionMessage;
import dev.wishdir.sauerbraten.message.Heading;
import dev.wishdir.sauerbraten.movement.GrenadeMotion;
import dev.wishdir.sauerbraten.movement.SauerbratenMotion;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * The rockets and grenades of a headless client in flight. As the original, it moves them itself,
 * explodes them at the first body or in time, and judges which bodies the explosion reaches.
 */
final class LocalMissiles {
    private static final double METRE = SauerbratenMotion.SCALE;
    private static final long STEP_NANOS = (long) (GrenadeMotion.STEP_SECONDS * 1e9);

    /** Factor of a grenade's speed along a surface at a bounce. */
    private static final double ALONG = 0.8;

    private static final long NEVER = Long.MAX_VALUE;

    /** The length of a direction on the wire. */
    private static final double DIRECTION = 100;

    private static final class Flight {
        final Weapon gun;
        final int id;
        final CollisionSpace space;
        final Vec3 end;

        /** Time at which it explodes by itself. */
        final long due;

        GrenadeMotion.State state;
        long time;

        Flight(Weapon gun, int id, CollisionSpace space, long now, Vec3 from, Vec3 to) {
            this.gun = gun;
            this.id = id;
            this.space = space;
            Vec3 way = to.minus(from);
            double speed = gun.projectileSpeed() / METRE;
            Vec3 velocity =
                    gun == Weapon.GRENADE_LAUNCHER
                            ? GrenadeMotion.launch(way, speed)
                            : way.times(speed / Math.max(1e-6, way.length()));
            state = new GrenadeMotion.State(from, velocity, false);
            end = to;
            time = now;
            due = now + 1_000_000L * gun.flightMillis(way.length() * METRE);
        }

        /**
         * Moves it on.
         *
         * @return where it explodes; empty if it flies on
         */
        Optional<Vec3> advance(long now, Collection<Target> targets) {
            while (time + STEP_NANOS <= now || now >= due && time < due) {
                Vec3 before = state.at();
                time += STEP_NANOS;
                state = step();
                Vec3 after = state.at();
                Optional<Target> met = Target.first(before, after, targets);
                if (met.isPresent()) {
                    Vec3 way = after.minus(before);
                    double entry = met.get().entry(before, after);
                    return Optional.of(
                            before.plus(way.times(entry / Math.max(1e-6, way.length()))));
                }
            }
            return now < due
                    ? Optional.empty()
                    : Optional.of(gun == Weapon.GRENADE_LAUNCHER ? state.at() : end);
        }

        private GrenadeMotion.State step() {
            if (gun == Weapon.GRENADE_LAUNCHER) {
                return new GrenadeMotion(space).step(state, ALONG);
            }
            Vec3 next = state.at().plus(state.velocity().times(GrenadeMotion.STEP_SECONDS));
            return new GrenadeMotion.State(time > due ? end : next, state.velocity(), false);
        }
    }

    private final List<Flight> flights = new ArrayList<>();

    /** Those of another map do not explode. */
    void clear() {
        flights.clear();
    }

    /**
     * A missile starts.
     *
     * @param id its number, the client's milliseconds
     */
    void launch(Weapon gun, int id, CollisionSpace space, long now, Vec3 from, Vec3 to) {
        flights.add(new Flight(gun, id, space, now, from, to));
    }

    /** Time of the next call of {@link #explosions}, nanoseconds. */
    long deadline() {
        return flights.stream().mapToLong(it -> it.time + STEP_NANOS).min().orElse(NEVER);
    }

    /**
     * Moves all on.
     *
     * @param clock milliseconds of the client
     * @param self its own body, which an explosion reaches, too; empty without one
     * @return the explosions, each with the bodies that it reaches
     */
    List<ActionMessage> explosions(
            long now, int clock, Collection<Target> targets, Optional<Target> self) {
        List<ActionMessage> messages = new ArrayList<>();
        for (Iterator<Flight> all = flights.iterator(); all.hasNext(); ) {
            Flight flight = all.next();
            Optional<Vec3> place = flight.advance(now, targets);
            if (place.isPresent()) {
                all.remove();
                List<Target> bodies = new ArrayList<>(targets);
                self.ifPresent(bodies::add);
                messages.add(
                        new ActionMessage.Explode(
                                clock,
                                flight.gun.number(),
                                flight.id,
                                blast(flight.gun, place.get(), bodies)));
            }
        }
        return messages;
    }

    private static List<ActionMessage.Hit> blast(
            Weapon gun, Vec3 place, Collection<Target> targets) {
        List<ActionMessage.Hit> hits = new ArrayList<>();
        double radius = gun.radius() / METRE;
        for (Target target : targets) {
            double distance = target.middle().distance(place);
            if (distance < radius) {
                hits.add(hit(target, distance, 1, target.middle().minus(place)));
            }
        }
        return hits;
    }

    /** A hit as it is sent. */
    static ActionMessage.Hit hit(Target target, double distance, int rays, Vec3 way) {
        return new ActionMessage.Hit(
                target.cn(), target.lifeseq(), (int) (distance * METRE * 16), rays, heading(way));
    }

    private static Heading heading(Vec3 way) {
        Vec3 units = SauerbratenMotion.units(way);
        double length = Math.max(1e-6, units.length());
        return new Heading(
                (int) (units.x() / length * DIRECTION),
                (int) (units.y() / length * DIRECTION),
                (int) (units.z() / length * DIRECTION));
    }
}

package dev.wishdir.sauerbraten.client;

import dev.wishdir.motion.CollisionSpace;
import dev.wishdir.motion.Vec3;
import dev.wishdir.sauerbraten.message.ActionMessage;
import dev.wishdir.sauerbraten.message.Heading;
import dev.wishdir.sauerbraten.message.Point;
import dev.wishdir.sauerbraten.message.State;
import dev.wishdir.sauerbraten.movement.SauerbratenMotion;
import dev.wishdir.sauerbraten.protocol.Gun;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/**
 * The weapons and the health of a headless client. As the original, it judges for itself what its
 * shots hit. It throws no grenades.
 */
final class LocalFighter {
    private static final double METRE = SauerbratenMotion.SCALE;
    private static final double RADIUS = SauerbratenMotion.BODY.width() / 2;
    private static final double HEIGHT = SauerbratenMotion.BODY.height();

    private static final int FIRST_AMMO_TYPE = 8;
    private static final int HEALTH_TYPE = 14;
    private static final int BOOST_TYPE = 15;
    private static final int HEALTH_POINTS = 25;
    private static final int BOOST_POINTS = 50;
    private static final int BOOST_HEALTH = 100;
    private static final int MAX_BOOSTED = 200;

    /** The guns in the order in which clients choose one when theirs is empty. */
    private static final List<Gun> ORDER =
            List.of(
                    Gun.CHAINGUN,
                    Gun.ROCKET_LAUNCHER,
                    Gun.SHOTGUN,
                    Gun.RIFLE,
                    Gun.PISTOL,
                    Gun.FIST);

    /** Spread by the number of the gun, in the game's own measure. */
    private static final double[] SPREAD = {0, 400, 100, 0, 0, 0, 50};

    private static final double SPREAD_DISTANCE = 1024 / METRE;

    /**
     * The shortest shot. Bodies of headless clients may overlap, and servers drop a shot that ends
     * where it began.
     */
    private static final double MIN_SHOT_METRES = 1 / METRE;

    /**
     * Another player as it may be hit.
     *
     * @param feet metres
     */
    record Target(int cn, int lifeseq, Vec3 feet) {}

    /** A rocket in flight. */
    private record Rocket(int id, Vec3 end, long due) {}

    private final RandomGenerator random;
    private final List<Rocket> rockets = new ArrayList<>();
    private int[] ammo = new int[Gun.values().length];
    private Gun gun = Gun.FIST;
    private final ItemView items = new ItemView();
    private double health;
    private int maxHealth;
    private long readyAt = Long.MIN_VALUE;

    LocalFighter(RandomGenerator random) {
        this.random = random;
    }

    /** Begins a life as the server ordered it. */
    void spawn(State state) {
        health = state.health();
        maxHealth = state.maxhealth();
        gun = Gun.of(state.gun()).orElse(Gun.FIST);
        ammo = new int[Gun.values().length];
        for (int i = 0; i < state.ammo().size(); i++) {
            ammo[i + 1] = state.ammo().get(i);
        }
        readyAt = Long.MIN_VALUE;
    }

    double health() {
        return health;
    }

    void setHealth(double left) {
        health = left;
    }

    /** Rockets of another map do not explode. */
    void clear() {
        rockets.clear();
        items.clear();
    }

    /** The items that the server has placed. */
    ItemView items() {
        return items;
    }

    /** Gets what an item of a type gives, as the original counts it by itself; armour is not. */
    void take(int type) {
        switch (type) {
            case HEALTH_TYPE -> health = Math.min(health + HEALTH_POINTS, maxHealth);
            case BOOST_TYPE -> {
                maxHealth = Math.min(maxHealth + BOOST_POINTS, MAX_BOOSTED);
                health = Math.min(health + BOOST_HEALTH, maxHealth);
            }
            default ->
                    Gun.of(type - FIRST_AMMO_TYPE + 1)
                            .filter(it -> type >= FIRST_AMMO_TYPE && type < HEALTH_TYPE)
                            .ifPresent(it ->
                                    ammo[it.number()] =
                                            Math.min(
                                                    ammo[it.number()] + it.pickup(), it.maxAmmo()));
        }
    }

    /**
     * Fires at a point.
     *
     * @param clock milliseconds of the client
     * @param eye metres
     * @return the messages: another gun if this one was empty, and the shot; empty if the gun is
     *     not ready
     */
    List<ActionMessage> shoot(
            long now,
            int clock,
            Vec3 eye,
            Vec3 at,
            Collection<Target> targets,
            CollisionSpace space,
            SauerbratenMotion motion) {
        Vec3 way = at.minus(eye);
        if (now < readyAt || way.length() < 1e-3) {
            return List.of();
        }
        List<ActionMessage> messages = new ArrayList<>();
        if (gun != Gun.FIST && ammo[gun.number()] <= 0 || gun == Gun.GRENADE_LAUNCHER) {
            gun =
                    ORDER.stream()
                            .filter(it -> it == Gun.FIST || ammo[it.number()] > 0)
                            .findFirst()
                            .orElse(Gun.FIST);
            messages.add(new ActionMessage.GunSelect(gun.number()));
        }
        Vec3 aim = end(eye, way.times(1 / way.length()), gun.range / METRE, space);
        ammo[gun.number()]--;
        readyAt = now + TimeUnit.MILLISECONDS.toNanos(gun.delayMillis);
        List<ActionMessage.Hit> hits = new ArrayList<>();
        Vec3 to = aim;
        if (gun == Gun.ROCKET_LAUNCHER) {
            double flight = aim.distance(eye) * METRE / gun.projectileSpeed();
            rockets.add(new Rocket(clock, aim, now + (long) (flight * 1e9)));
        } else if (gun.rays == 1) {
            to = end(eye, direction(eye, strayed(eye, aim)), eye.distance(aim), space);
            Optional<Target> hit = first(eye, to, targets);
            if (hit.isPresent()) {
                double reached = entry(eye, to, hit.get().feet());
                to = at(eye, to, Math.max(reached, MIN_SHOT_METRES));
                hits.add(hit(hit.get(), eye, to, 1));
            }
        } else {
            Map<Target, Integer> rays = new LinkedHashMap<>();
            for (int i = 0; i < gun.rays; i++) {
                Vec3 ray = end(eye, direction(eye, strayed(eye, aim)), gun.range / METRE, space);
                first(eye, ray, targets).ifPresent(target -> rays.merge(target, 1, Integer::sum));
            }
            rays.forEach((target, count) -> hits.add(hit(target, eye, aim, count)));
        }
        messages.add(
                new ActionMessage.Shoot(
                        clock, gun.number(), point(eye, motion), point(to, motion), hits));
        return messages;
    }

    /** The explosions that are due, each with the players that it reaches. */
    List<ActionMessage> explosions(long now, int clock, Collection<Target> targets) {
        List<ActionMessage> messages = new ArrayList<>();
        for (Iterator<Rocket> all = rockets.iterator(); all.hasNext(); ) {
            Rocket rocket = all.next();
            if (now >= rocket.due()) {
                all.remove();
                messages.add(
                        new ActionMessage.Explode(
                                clock,
                                Gun.ROCKET_LAUNCHER.number(),
                                rocket.id(),
                                blast(rocket.end(), targets)));
            }
        }
        return messages;
    }

    /** When the next rocket explodes, nanoseconds. */
    long deadline() {
        return rockets.stream().mapToLong(Rocket::due).min().orElse(Long.MAX_VALUE);
    }

    private static List<ActionMessage.Hit> blast(Vec3 place, Collection<Target> targets) {
        List<ActionMessage.Hit> hits = new ArrayList<>();
        double radius = Gun.ROCKET_LAUNCHER.radius() / METRE;
        for (Target target : targets) {
            Vec3 middle = target.feet().plus(new Vec3(0, 0, HEIGHT / 2));
            double distance = middle.distance(place);
            if (distance < radius) {
                hits.add(
                        new ActionMessage.Hit(
                                target.cn(),
                                target.lifeseq(),
                                (int) (distance * METRE * 16),
                                1,
                                heading(middle.minus(place))));
            }
        }
        return hits;
    }

    private static ActionMessage.Hit hit(Target target, Vec3 eye, Vec3 to, int rays) {
        return new ActionMessage.Hit(
                target.cn(),
                target.lifeseq(),
                (int) (eye.distance(to) * METRE * 16),
                rays,
                heading(to.minus(eye)));
    }

    private static Heading heading(Vec3 way) {
        Vec3 units = SauerbratenMotion.units(way);
        double length = Math.max(1e-6, units.length());
        return new Heading(
                (int) (units.x() / length * 100),
                (int) (units.y() / length * 100),
                (int) (units.z() / length * 100));
    }

    private static Point point(Vec3 metres, SauerbratenMotion motion) {
        Vec3 sixteenths = motion.toNative(metres).times(16);
        return new Point((int) sixteenths.x(), (int) sixteenths.y(), (int) sixteenths.z());
    }

    /** The end of a ray, moved by chance as far as the gun strays. */
    private Vec3 strayed(Vec3 eye, Vec3 aim) {
        double most = SPREAD[gun.number()] * aim.distance(eye) / SPREAD_DISTANCE / METRE;
        Vec3 ball;
        do {
            ball =
                    new Vec3(
                            random.nextDouble() - 0.5,
                            random.nextDouble() - 0.5,
                            random.nextDouble() - 0.5);
        } while (ball.length() > 0.5);
        return aim.plus(new Vec3(ball.x(), ball.y(), ball.z() / 2).times(most));
    }

    private static Vec3 direction(Vec3 from, Vec3 to) {
        Vec3 way = to.minus(from);
        return way.times(1 / Math.max(1e-6, way.length()));
    }

    private static Vec3 at(Vec3 from, Vec3 to, double distance) {
        return from.plus(direction(from, to).times(distance));
    }

    private static Vec3 end(Vec3 from, Vec3 direction, double range, CollisionSpace space) {
        Vec3 to = from.plus(direction.times(range));
        return from.plus(to.minus(from).times(space.free(from, to, 0.01, 0.01)));
    }

    private static Optional<Target> first(Vec3 from, Vec3 to, Collection<Target> targets) {
        Target first = null;
        double nearest = Double.POSITIVE_INFINITY;
        for (Target target : targets) {
            double entry = entry(from, to, target.feet());
            if (entry < nearest) {
                nearest = entry;
                first = target;
            }
        }
        return Optional.ofNullable(first);
    }

    /**
     * The distance at which a line enters the upright cylinder of a body; infinite if it misses.
     */
    static double entry(Vec3 from, Vec3 to, Vec3 feet) {
        Vec3 way = direction(from, to);
        double x = from.x() - feet.x();
        double y = from.y() - feet.y();
        double a = way.x() * way.x() + way.y() * way.y();
        double b = x * way.x() + y * way.y();
        double c = x * x + y * y - RADIUS * RADIUS;
        double in = 0;
        double out = from.distance(to);
        if (a < 1e-12) {
            if (c > 0) {
                return Double.POSITIVE_INFINITY;
            }
        } else {
            double root = b * b - a * c;
            if (root < 0) {
                return Double.POSITIVE_INFINITY;
            }
            in = Math.max(in, (-b - Math.sqrt(root)) / a);
            out = Math.min(out, (-b + Math.sqrt(root)) / a);
        }
        if (Math.abs(way.z()) < 1e-12) {
            if (from.z() < feet.z() || from.z() > feet.z() + HEIGHT) {
                return Double.POSITIVE_INFINITY;
            }
        } else {
            double low = (feet.z() - from.z()) / way.z();
            double high = (feet.z() + HEIGHT - from.z()) / way.z();
            in = Math.max(in, Math.min(low, high));
            out = Math.min(out, Math.max(low, high));
        }
        return in <= out ? in : Double.POSITIVE_INFINITY;
    }
}

package dev.wishdir.sauerbraten.client;

import dev.wishdir.game.BotWeapon;
import dev.wishdir.motion.CollisionSpace;
import dev.wishdir.motion.Vec3;
import dev.wishdir.sauerbraten.combat.Weapon;
import dev.wishdir.sauerbraten.message.ActionMessage;
import dev.wishdir.sauerbraten.message.Point;
import dev.wishdir.sauerbraten.message.State;
import dev.wishdir.sauerbraten.movement.SauerbratenMotion;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/**
 * The weapons and the health of a headless client. As the original, it judges for itself what its
 * shots hit.
 */
final class LocalFighter {
    private static final double METRE = SauerbratenMotion.SCALE;

    private static final int FIRST_AMMO_TYPE = 8;
    private static final int HEALTH_TYPE = 14;
    private static final int BOOST_TYPE = 15;
    private static final int HEALTH_POINTS = 25;
    private static final int BOOST_POINTS = 50;
    private static final int BOOST_HEALTH = 100;
    private static final int MAX_BOOSTED = 200;

    /** The guns in the order in which clients choose one when theirs is empty. */
    private static final List<Weapon> ORDER =
            List.of(
                    Weapon.CHAINGUN,
                    Weapon.ROCKET_LAUNCHER,
                    Weapon.SHOTGUN,
                    Weapon.RIFLE,
                    Weapon.PISTOL,
                    Weapon.FIST);

    /**
     * The shortest shot. Bodies of headless clients may overlap, and servers drop a shot that ends
     * where it began.
     */
    private static final double MIN_SHOT_METRES = 1 / METRE;

    private final RandomGenerator random;
    private final LocalMissiles missiles = new LocalMissiles();
    private int[] ammo = new int[Weapon.values().length];
    private Weapon gun = Weapon.FIST;

    /** The gun to take in hand for the next shot; empty for the one in hand. */
    private Optional<Weapon> wanted = Optional.empty();

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
        gun = Weapon.of(state.gun()).orElse(Weapon.FIST);
        ammo = new int[Weapon.values().length];
        for (int i = 0; i < state.ammo().size(); i++) {
            ammo[i + 1] = state.ammo().get(i);
        }
        readyAt = Long.MIN_VALUE;
        wanted = Optional.empty();
    }

    /** The guns with ammunition. */
    List<BotWeapon> weapons() {
        return Arrays.stream(Weapon.values()).filter(this::canFire).map(WeaponTable::of).toList();
    }

    /** Takes a gun in hand with the next shot. */
    void select(BotWeapon weapon) {
        wanted = WeaponTable.gun(weapon);
    }

    private boolean canFire(Weapon each) {
        return each == Weapon.FIST || ammo[each.number()] > 0;
    }

    double health() {
        return health;
    }

    void setHealth(double left) {
        health = left;
    }

    /** Missiles of another map do not explode. */
    void clear() {
        missiles.clear();
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
                    Weapon.of(type - FIRST_AMMO_TYPE + 1)
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
        Weapon next =
                wanted.filter(this::canFire)
                        .or(() -> Optional.of(gun).filter(this::canFire))
                        .orElseGet(this::firstWithAmmo);
        if (next != gun) {
            gun = next;
            messages.add(new ActionMessage.GunSelect(gun.number()));
        }
        Vec3 aim = end(eye, way.times(1 / way.length()), gun.range / METRE, space);
        ammo[gun.number()]--;
        readyAt = now + TimeUnit.MILLISECONDS.toNanos(gun.delayMillis);
        List<ActionMessage.Hit> hits = new ArrayList<>();
        Vec3 to = aim;
        if (gun.hasProjectile()) {
            missiles.launch(gun, clock, space, now, eye, aim);
        } else if (gun.rays == 1) {
            to = end(eye, direction(eye, strayed(eye, aim)), eye.distance(aim), space);
            Optional<Target> hit = Target.first(eye, to, targets);
            if (hit.isPresent()) {
                double reached = hit.get().entry(eye, to);
                to = at(eye, to, Math.max(reached, MIN_SHOT_METRES));
                hits.add(LocalMissiles.hit(hit.get(), eye.distance(to), 1, to.minus(eye)));
            }
        } else {
            Map<Target, Integer> rays = new LinkedHashMap<>();
            for (int i = 0; i < gun.rays; i++) {
                Vec3 ray = end(eye, direction(eye, strayed(eye, aim)), gun.range / METRE, space);
                Target.first(eye, ray, targets)
                        .ifPresent(target -> rays.merge(target, 1, Integer::sum));
            }
            Vec3 end = aim;
            rays.forEach((target, count) ->
                    hits.add(LocalMissiles.hit(target, eye.distance(end), count, end.minus(eye))));
        }
        messages.add(
                new ActionMessage.Shoot(
                        clock, gun.number(), point(eye, motion), point(to, motion), hits));
        return messages;
    }

    private Weapon firstWithAmmo() {
        return ORDER.stream().filter(this::canFire).findFirst().orElse(Weapon.FIST);
    }

    /** The rockets and grenades in flight. */
    LocalMissiles missiles() {
        return missiles;
    }

    private static Point point(Vec3 metres, SauerbratenMotion motion) {
        Vec3 sixteenths = motion.toNative(metres).times(16);
        return new Point((int) sixteenths.x(), (int) sixteenths.y(), (int) sixteenths.z());
    }

    /** The end of a ray, moved by chance as far as the gun strays. */
    private Vec3 strayed(Vec3 eye, Vec3 aim) {
        double most = 2 * WeaponTable.spread(gun) * aim.distance(eye);
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
}

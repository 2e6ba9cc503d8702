package dev.wishdir.quake2.server.combat;

import dev.wishdir.arena.combat.Combatant.Ray;
import dev.wishdir.arena.combat.ShotTrace.BodyHit;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.idtech.Trace;
import dev.wishdir.motion.CollisionSpace;
import dev.wishdir.motion.Vec3;
import dev.wishdir.quake2.combat.MeansOfDeath;
import dev.wishdir.quake2.combat.Recoil;
import dev.wishdir.quake2.combat.ViewAxes;
import dev.wishdir.quake2.combat.Weapon;
import dev.wishdir.quake2.message.Direction;
import dev.wishdir.quake2.message.ServerMessage.MuzzleFlash;
import dev.wishdir.quake2.message.TempEntity;
import dev.wishdir.quake2.movement.ShotSpace;
import dev.wishdir.quake2.server.view.RunningLevel;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * Carries out shots: where they go, which bodies they meet, and what the clients see of it. All of
 * a shot is decided here, at the moment at which its command runs; rays meet bodies where their
 * shooter was shown them.
 *
 * <p>Units of the game, unless said.
 */
public final class ShotHandler {
    /** Range of bullets. */
    private static final int RANGE_UNITS = 8192;

    private static final double MUZZLE_ASIDE = 8;
    private static final double RAIL_ASIDE = 7;
    private static final double BOLT_AHEAD = 24;
    private static final double MISSILE_AHEAD = 8;
    private static final double HYPERBLASTER_RING = 4;
    private static final int HYPERBLASTER_FIRST = 6;
    private static final int CHAINGUN_FLASH = 2;

    /** Spray of a weapon's bullets: stray of a ray in 8192 units, and effect of each. */
    private record Spray(int aside, int above, int pellets, int damage, int kick) {
        static Spray of(Weapon weapon) {
            return switch (weapon) {
                case SHOTGUN -> new Spray(500, 500, 12, 4, 8);
                case SUPER_SHOTGUN -> new Spray(1000, 500, 10, 6, 12);
                case MACHINE_GUN -> new Spray(300, 500, 1, 8, 2);
                default -> new Spray(300, 500, 1, 6, 2);
            };
        }
    }

    /** Sum of a shot's effects on one body. */
    private record Sum(double damage, double kick, Vec3 place) {
        Sum plus(double more, double moreKick) {
            return new Sum(damage + more, kick + moreKick, place);
        }
    }

    private final RunningLevel level;
    private final EffectSink effects;
    private final HitHandler hits;
    private final MissileHandler missiles;
    private final RandomGenerator random;

    public ShotHandler(
            RunningLevel level,
            EffectSink effects,
            HitHandler hits,
            MissileHandler missiles,
            RandomGenerator random) {
        this.level = level;
        this.effects = effects;
        this.hits = hits;
        this.missiles = missiles;
        this.random = random;
    }

    /** Handler of hits, which knows the weapon that killed. */
    HitHandler hits() {
        return hits;
    }

    /**
     * Fires a weapon.
     *
     * @param bullets number of bullets, 1 for most weapons
     * @param frame that the gun shows
     */
    Recoil fire(long now, Shooter from, Weapon weapon, int bullets, int frame) {
        Recoil recoil = recoil(from, weapon);
        switch (weapon) {
            case BLASTER ->
                    missiles.bolt(
                            now,
                            from,
                            from.muzzle(BOLT_AHEAD, MUZZLE_ASIDE, 0),
                            MeansOfDeath.BLASTER,
                            MissileHandler.BLASTER_TRAIL);
            case HYPERBLASTER -> hyperblaster(now, from, frame);
            case ROCKET_LAUNCHER ->
                    missiles.rocket(now, from, from.muzzle(MISSILE_AHEAD, MUZZLE_ASIDE, 0));
            case GRENADE_LAUNCHER ->
                    missiles.grenade(now, from, from.muzzle(MISSILE_AHEAD, MUZZLE_ASIDE, 0));
            case BFG -> missiles.bfg(now, from, from.muzzle(MISSILE_AHEAD, MUZZLE_ASIDE, 0));
            case HAND_GRENADE -> throw new IllegalArgumentException("a hand grenade is thrown");
            case RAILGUN -> rail(now, from);
            case SUPER_SHOTGUN -> {
                Map<PlayerId, Sum> sums = new LinkedHashMap<>();
                spray(now, from, weapon, from.axes(0, -5), from.muzzle(0, MUZZLE_ASIDE, 0), sums);
                spray(now, from, weapon, from.axes(0, 5), from.muzzle(0, MUZZLE_ASIDE, 0), sums);
                hit(now, from, weapon, sums);
            }
            case CHAINGUN -> {
                Map<PlayerId, Sum> sums = new LinkedHashMap<>();
                for (int i = 0; i < bullets; i++) {
                    Vec3 start = from.muzzle(0, 7 + 4 * chance(), 4 * chance());
                    spray(now, from, weapon, from.axes(), start, sums);
                }
                hit(now, from, weapon, sums);
            }
            case SHOTGUN, MACHINE_GUN -> {
                Map<PlayerId, Sum> sums = new LinkedHashMap<>();
                ViewAxes aim =
                        weapon == Weapon.SHOTGUN
                                ? from.axes()
                                : from.axes(recoil.pitch(), recoil.yaw());
                spray(now, from, weapon, aim, from.muzzle(0, MUZZLE_ASIDE, 0), sums);
                hit(now, from, weapon, sums);
            }
        }
        if (weapon != Weapon.BFG) {
            flash(from, weapon, bullets);
        }
        return recoil;
    }

    /** The flash of a BFG, with which its sound begins, comes before its shot. */
    void windUp(Shooter from, Weapon weapon) {
        flash(from, weapon, 1);
    }

    private void flash(Shooter from, Weapon weapon, int bullets) {
        effects.send(from.id(), new MuzzleFlash(false, from.entity(), flash(weapon, bullets)));
    }

    /**
     * Throws a hand grenade, or explodes it in the hand.
     *
     * @param fuseNanos until it explodes
     */
    void throwGrenade(long now, Shooter from, long fuseNanos, boolean isHeld) {
        Vec3 start = from.muzzle(MISSILE_AHEAD, MUZZLE_ASIDE, 0);
        if (isHeld) {
            missiles.heldGrenade(now, from, start);
        } else {
            missiles.handGrenade(now, from, start, fuseNanos);
        }
    }

    /** A random number from -1 to 1. */
    private double chance() {
        return random.nextDouble() * 2 - 1;
    }

    /** The number of a shot's muzzle flash. */
    static int flash(Weapon weapon, int bullets) {
        return switch (weapon) {
            case BLASTER -> 0;
            case MACHINE_GUN -> 1;
            case SHOTGUN -> 2;
            case CHAINGUN -> CHAINGUN_FLASH + bullets;
            case RAILGUN -> 6;
            case ROCKET_LAUNCHER -> 7;
            case GRENADE_LAUNCHER -> 8;
            case BFG -> 12;
            case HAND_GRENADE -> throw new IllegalArgumentException("a hand grenade has no flash");
            case SUPER_SHOTGUN -> 13;
            case HYPERBLASTER -> 14;
        };
    }

    private Recoil recoil(Shooter from, Weapon weapon) {
        Vec3 back = from.axes().forward().times(-2);
        return switch (weapon) {
            case SHOTGUN, SUPER_SHOTGUN -> new Recoil(-2, 0, 0, back);
            case RAILGUN -> new Recoil(-3, 0, 0, back.times(1.5));
            case MACHINE_GUN, CHAINGUN ->
                    new Recoil(
                            weapon == Weapon.CHAINGUN ? 0.7 * chance() : 0,
                            0.7 * chance(),
                            0.7 * chance(),
                            new Vec3(0.35 * chance(), 0.35 * chance(), 0.35 * chance()));
            // The BFG kicks the view for longer.
            case BFG, HAND_GRENADE -> new Recoil(0, 0, 0, back);
            case BLASTER, HYPERBLASTER, ROCKET_LAUNCHER, GRENADE_LAUNCHER ->
                    new Recoil(-1, 0, 0, back);
        };
    }

    private void hyperblaster(long now, Shooter from, int frame) {
        double turn = Math.toRadians((frame - HYPERBLASTER_FIRST + 1) * 60.0);
        Vec3 ring =
                from.axes()
                        .of(
                                -HYPERBLASTER_RING * Math.sin(turn),
                                0,
                                HYPERBLASTER_RING * Math.cos(turn));
        boolean bright = frame == HYPERBLASTER_FIRST || frame == HYPERBLASTER_FIRST + 3;
        missiles.bolt(
                now,
                from,
                from.muzzle(BOLT_AHEAD, MUZZLE_ASIDE, 0).plus(ring),
                MeansOfDeath.HYPERBLASTER,
                bright ? MissileHandler.HYPERBLASTER_TRAIL : 0);
    }

    /** Bullets or pellets of one barrel. */
    private void spray(
            long now,
            Shooter from,
            Weapon weapon,
            ViewAxes aim,
            Vec3 start,
            Map<PlayerId, Sum> sums) {
        ShotSpace space = level.shotSpace();
        if (space.sweep(from.origin(), start).fraction() < 1) {
            // The gun is in a wall.
            return;
        }
        Spray spray = Spray.of(weapon);
        int hole = spray.pellets > 1 ? TempEntity.SHOTGUN : TempEntity.GUNSHOT;
        for (int i = 0; i < spray.pellets; i++) {
            Vec3 way = aim.of(RANGE_UNITS, spray.aside * chance(), spray.above * chance());
            Trace wall = space.sweep(start, start.plus(way));
            Vec3 end = ShotSpace.wide(wall.end());
            BodyHit body = first(now, from, start, end);
            if (body != null) {
                sums.merge(
                        body.victim(),
                        new Sum(spray.damage, spray.kick, body.place()),
                        (sum, _) -> sum.plus(spray.damage, spray.kick));
            } else if (wall.fraction() < 1 && !ShotSpace.isSky(wall.surface())) {
                effects.send(
                        from.id(),
                        TempEntity.at(
                                hole,
                                ShotSpace.eighths(end),
                                Direction.nearest(wall.plane().normal())),
                        true);
            }
        }
    }

    private static @Nullable BodyHit first(long now, Shooter from, Vec3 start, Vec3 end) {
        return from.player()
                .combatant()
                .trace(now, ray(start, end), ShotSpace.BODY, from.rewindNanos())
                .first()
                .orElse(null);
    }

    private static Ray ray(Vec3 start, Vec3 end) {
        return new Ray(
                start.times(1 / ShotSpace.SCALE),
                end.times(1 / ShotSpace.SCALE),
                CollisionSpace.OPEN);
    }

    private void hit(long now, Shooter from, Weapon weapon, Map<PlayerId, Sum> sums) {
        Vec3 aim = from.axes().forward();
        int factor = from.factor(now);
        sums.forEach((victim, sum) ->
                hits.hit(
                        now,
                        from.player(),
                        victim,
                        MeansOfDeath.of(weapon),
                        sum.damage * factor,
                        ShotSpace.knockback(aim, sum.kick * factor),
                        sum.place));
    }

    /** The rail goes through all bodies up to the first wall. */
    private void rail(long now, Shooter from) {
        Vec3 start = from.muzzle(0, RAIL_ASIDE, 0);
        Vec3 aim = from.axes().forward();
        Vec3 end =
                ShotSpace.wide(
                        level.shotSpace().sweep(start, start.plus(aim.times(RANGE_UNITS))).end());
        Map<PlayerId, Sum> sums = new HashMap<>();
        from.player()
                .combatant()
                .trace(now, ray(start, end), ShotSpace.BODY, from.rewindNanos())
                .bodies()
                .forEach(body -> sums.put(body.victim(), new Sum(100, 200, body.place())));
        hit(now, from, Weapon.RAILGUN, sums);
        effects.send(
                from.id(),
                TempEntity.along(
                        TempEntity.RAIL_TRAIL, ShotSpace.eighths(start), ShotSpace.eighths(end)));
    }
}

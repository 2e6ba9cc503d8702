package dev.wishdir.quake3.server.combat;

import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.combat.Missile;
import dev.wishdir.arena.combat.MissileMotion;
import dev.wishdir.arena.combat.MissileRules;
import dev.wishdir.arena.combat.WallTrace;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.idtech.Trace;
import dev.wishdir.motion.Vec3;
import dev.wishdir.motion.Vec3f;
import dev.wishdir.quake3.combat.Weapon;
import dev.wishdir.quake3.combat.WeaponRules;
import dev.wishdir.quake3.message.EntityField;
import dev.wishdir.quake3.message.EntityState;
import dev.wishdir.quake3.movement.PlayerBody;
import dev.wishdir.quake3.movement.Quake3Motion;
import dev.wishdir.quake3.server.view.CombatEntities;
import dev.wishdir.quake3.server.view.CombatEntities.Content;
import dev.wishdir.quake3.server.view.DirectionByte;
import dev.wishdir.quake3.server.view.RunningLevel;
import dev.wishdir.quake3.server.view.TempEvent;

import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A missile of this game in flight: the arena flies it, clients compute it from its trajectory. It
 * is sent when it starts, bounces and ends: docs/protocols/quake3.md#missiles.
 */
final class MissileFlight implements Missile.Listener {
    private static final int ET_MISSILE = 3;
    private static final int TR_STATIONARY = 0;
    private static final int TR_LINEAR = 2;
    private static final int TR_GRAVITY = 5;
    private static final int EF_BOUNCE_HALF = 32;
    private static final int METAL = 0x1000;

    /** Age of a missile when it is first tested. */
    private static final int HEAD_START_MILLIS = 50;

    private static final double GRAVITY_METRES = 800 / Quake3Motion.SCALE;
    private static final double BOUNCE = 0.65;
    private static final float MIN_FLOOR = 0.2f;
    private static final float MIN_BOUNCE_SPEED = 40;
    private static final float GRENADE_LIFT = 0.2f;

    private final BlastHandler blasts;
    private final CombatEntities entities;
    private final HitHandler hits;
    private final RunningLevel running;
    private final ArenaPlayer player;
    private final Weapon weapon;
    private final WeaponRules law;

    /** Of the damage: what its player had when it was launched. */
    private int factor = 1;

    private int number = -1;
    private Vec3f base = Vec3f.ZERO;
    private int events;

    MissileFlight(
            BlastHandler blasts,
            CombatEntities entities,
            HitHandler hits,
            RunningLevel running,
            ArenaPlayer player,
            Weapon weapon) {
        this.blasts = blasts;
        this.entities = entities;
        this.hits = hits;
        this.running = running;
        this.player = player;
        this.weapon = weapon;
        law = WeaponRules.of(weapon);
    }

    private boolean isGrenade() {
        return weapon == Weapon.GRENADE_LAUNCHER;
    }

    /** The velocity of a missile that is launched in a direction, units a second. */
    static Vec3f velocity(Weapon weapon, Vec3f forward) {
        Vec3f direction =
                weapon == Weapon.GRENADE_LAUNCHER
                        ? forward.withZ(forward.z() + GRENADE_LIFT).normalised()
                        : forward;
        return PlayerBody.truncated(direction.times(WeaponRules.of(weapon).speed()));
    }

    /** The motion of a missile in the air. */
    static MissileMotion motion(Weapon weapon) {
        return MissileMotion.parabola(weapon == Weapon.GRENADE_LAUNCHER ? GRAVITY_METRES : 0);
    }

    /** The velocity after a bounce, units a second. */
    static Vec3f bounced(Vec3f velocity, Vec3f normal) {
        return ShotGeometry.units(
                MissileMotion.reflected(
                        ShotGeometry.metres(velocity),
                        new Vec3(normal.x(), normal.y(), normal.z()),
                        BOUNCE));
    }

    /** Whether a missile rests after a bounce. */
    static boolean rests(Vec3f bounced, Vec3f normal) {
        return normal.z() > MIN_FLOOR && bounced.length() < MIN_BOUNCE_SPEED;
    }

    /** Launches it, unless there are too many missiles. */
    void launch(long now, Vec3f muzzle, Vec3f forward) {
        factor = HitHandler.factor(now, player);
        Vec3f velocity = velocity(weapon, forward);
        MissileRules rules =
                new MissileRules(
                        RunningLevel.FRAME_NANOS,
                        TimeUnit.MILLISECONDS.toNanos(law.lifeMillis()),
                        Long.MAX_VALUE,
                        0,
                        ShotGeometry.BODY,
                        motion(weapon),
                        this::wall);
        Missile.Launch launch =
                new Missile.Launch(
                        law.means().kind(),
                        ShotGeometry.metres(muzzle),
                        ShotGeometry.metres(velocity),
                        now - TimeUnit.MILLISECONDS.toNanos(HEAD_START_MILLIS),
                        now + RunningLevel.FRAME_NANOS);
        if (player.combatant().launch(now, rules, launch, this).isPresent()) {
            base = muzzle;
            number =
                    entities.missile(
                            new Content(
                                    flying(muzzle, velocity, running.time(now) - HEAD_START_MILLIS)
                                            .build()));
        }
    }

    private Optional<WallTrace.WallHit> wall(Vec3 from, Vec3 to) {
        Trace hit = blasts.trace(ShotGeometry.units(from), ShotGeometry.units(to));
        if (hit.fraction() == 1) {
            return Optional.empty();
        }
        Vec3f normal = hit.plane().normal();
        return Optional.of(
                new WallTrace.WallHit(
                        hit.fraction(),
                        new Vec3(normal.x(), normal.y(), normal.z()),
                        hit.surface()));
    }

    private EntityState.Builder flying(Vec3f from, Vec3f velocity, int time) {
        return flying(from, velocity, time, weapon)
                .set(EntityField.POS_TR_TYPE, isGrenade() ? TR_GRAVITY : TR_LINEAR)
                .set(EntityField.E_FLAGS, isGrenade() ? EF_BOUNCE_HALF : 0);
    }

    /** A missile that flies on a straight line since a time. */
    static EntityState.Builder flying(Vec3f from, Vec3f velocity, int time, Weapon weapon) {
        return CombatEntities.at(from)
                .set(EntityField.E_TYPE, ET_MISSILE)
                .set(EntityField.WEAPON, weapon.number())
                .set(EntityField.POS_TR_TYPE, TR_LINEAR)
                .set(EntityField.POS_TR_TIME, time)
                .real(EntityField.POS_TR_DELTA_0, velocity.x())
                .real(EntityField.POS_TR_DELTA_1, velocity.y())
                .real(EntityField.POS_TR_DELTA_2, velocity.z());
    }

    @Override
    public Optional<MissileMotion.State> onImpact(
            long now, Missile missile, Missile.Impact impact) {
        Vec3f place = ShotGeometry.units(impact.state().place());
        Vec3f velocity = ShotGeometry.units(impact.state().velocity());
        return switch (impact) {
            case Missile.Impact.Body(_, PlayerId victim) -> {
                hits.hit(now, player, victim, law.damage() * factor, velocity, place, law.means());
                explode(
                        now,
                        ShotGeometry.rounded(place, base),
                        TempEvent.MISSILE_HIT,
                        velocity.normalised().times(-1),
                        Optional.of(victim));
                yield Optional.empty();
            }
            case Missile.Impact.Wall(_, WallTrace.WallHit hit) -> onWall(now, place, velocity, hit);
            case Missile.Impact.TimeOut _ -> {
                explode(
                        now,
                        PlayerBody.truncated(place),
                        TempEvent.MISSILE_MISS,
                        new Vec3f(0, 0, 1),
                        Optional.empty());
                yield Optional.empty();
            }
        };
    }

    private Optional<MissileMotion.State> onWall(
            long now, Vec3f place, Vec3f velocity, WallTrace.WallHit hit) {
        if ((hit.surface() & BlastHandler.NO_IMPACT) != 0) {
            entities.remove(number);
            return Optional.empty();
        }
        Vec3f normal =
                new Vec3f(
                        (float) hit.normal().x(),
                        (float) hit.normal().y(),
                        (float) hit.normal().z());
        if (isGrenade()) {
            return Optional.of(bounce(now, place, velocity, normal));
        }
        explode(
                now,
                ShotGeometry.rounded(place, base),
                (hit.surface() & METAL) != 0
                        ? TempEvent.MISSILE_MISS_METAL
                        : TempEvent.MISSILE_MISS,
                normal,
                Optional.empty());
        return Optional.empty();
    }

    private MissileMotion.State bounce(long now, Vec3f place, Vec3f velocity, Vec3f normal) {
        Vec3f units = bounced(velocity, normal);
        boolean rests = rests(units, normal);
        base = rests ? place : place.plus(normal);
        EntityState.Builder state = flying(base, rests ? Vec3f.ZERO : units, running.time(now));
        if (rests) {
            state.set(EntityField.POS_TR_TYPE, TR_STATIONARY);
        }
        entities.change(
                number,
                new Content(state.set(EntityField.EVENT, event(TempEvent.GRENADE_BOUNCE)).build()));
        return new MissileMotion.State(
                ShotGeometry.metres(base), rests ? Vec3.ZERO : ShotGeometry.metres(units));
    }

    /** An event of the missile's own entity: clients detect a new one by its counter. */
    private int event(TempEvent event) {
        events++;
        return event.number() | (events & 3) << 8;
    }

    private void explode(
            long now, Vec3f at, TempEvent event, Vec3f direction, Optional<PlayerId> victim) {
        Content last =
                new Content(
                        CombatEntities.at(at)
                                .set(EntityField.WEAPON, weapon.number())
                                .set(EntityField.EVENT, event(event))
                                .set(EntityField.EVENT_PARM, DirectionByte.of(direction))
                                .build());
        entities.end(
                number,
                running.time(now),
                victim.map(id -> last.naming(EntityField.OTHER_ENTITY_NUM, id)).orElse(last));
        blasts.explode(now, player, weapon, factor, at, victim);
    }

    @Override
    public void onRemoved(long now, Missile missile) {
        entities.remove(number);
    }
}

package dev.wishdir.quake3.server.combat;

import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.combat.Combatant.Ray;
import dev.wishdir.arena.combat.ShotTrace;
import dev.wishdir.arena.combat.ShotTrace.BodyHit;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.idtech.Axes;
import dev.wishdir.idtech.Trace;
import dev.wishdir.motion.CollisionSpace;
import dev.wishdir.motion.Vec3f;
import dev.wishdir.quake3.combat.BodyEvent;
import dev.wishdir.quake3.combat.Weapon;
import dev.wishdir.quake3.combat.WeaponRules;
import dev.wishdir.quake3.message.EntityField;
import dev.wishdir.quake3.message.EntityState;
import dev.wishdir.quake3.message.Usercmd;
import dev.wishdir.quake3.movement.PlayerBody;
import dev.wishdir.quake3.server.view.CombatEntities;
import dev.wishdir.quake3.server.view.CombatEntities.Content;
import dev.wishdir.quake3.server.view.DirectionByte;
import dev.wishdir.quake3.server.view.RunningLevel;
import dev.wishdir.quake3.server.view.TempEvent;

import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Fires the weapons of this game's players: docs/protocols/quake3.md#shots. The victims of a
 * straight shot are where its shooter saw them.
 */
public final class ShotHandler {
    private static final float GAUNTLET_REACH = 32;
    private static final float LIGHTNING_REACH = 768;
    private static final float RAIL_REACH = 8_192;
    private static final int RAIL_BODIES = 4;
    private static final int NO_EXPLOSION = 255;

    private final RunningLevel running;
    private final CombatEntities entities;
    private final HitHandler hits;
    private final BlastHandler blasts;

    public ShotHandler(RunningLevel running, CombatEntities entities, HitHandler hits) {
        this.running = running;
        this.entities = entities;
        this.hits = hits;
        blasts = new BlastHandler(running, hits);
    }

    /** A shot of a player at a place in time. */
    private record Shot(
            long now,
            int time,
            ArenaPlayer player,
            PlayerBody body,
            Vec3f muzzle,
            Axes view,
            long rewind,
            int seed) {
        Vec3f forward() {
            return view.forward();
        }

        Vec3f right() {
            return view.left().times(-1);
        }
    }

    private Shot shot(long now, ArenaPlayer player, PlayerBody body, Usercmd command) {
        int time = running.time(now);
        return new Shot(
                now,
                time,
                player,
                body,
                body.muzzle(),
                body.view(),
                TimeUnit.MILLISECONDS.toNanos(time - command.serverTime()),
                command.serverTime() & 0xFF);
    }

    /**
     * Strikes with the gauntlet, which is tried before the move of a command with the button held.
     *
     * @return whether it meets a body
     */
    boolean strike(long now, ArenaPlayer player, PlayerBody body, Usercmd command) {
        if ((command.buttons() & (Usercmd.ATTACK | Usercmd.TALK)) != Usercmd.ATTACK
                || !body.canStrike()) {
            return false;
        }
        Shot shot = shot(now, player, body, command);
        Vec3f end = shot.muzzle().along(GAUNTLET_REACH, shot.forward());
        Optional<BodyHit> met = trace(shot, trace(shot.muzzle(), end).end()).first();
        met.ifPresent(hit -> {
            if (HitHandler.factor(now, player) > 1) {
                body.combat().show(BodyEvent.QUAD, 0);
            }
            missileHit(shot, hit, Weapon.GAUNTLET);
            damage(shot, hit, Weapon.GAUNTLET);
        });
        return met.isPresent();
    }

    /** Fires the weapon in hand; the body has moved by the command. */
    void fire(long now, ArenaPlayer player, PlayerBody body, Usercmd command) {
        Optional<Weapon> weapon = body.weapon();
        if (weapon.isEmpty()) {
            return;
        }
        Shot shot = shot(now, player, body, command);
        switch (weapon.get()) {
            // It has struck before the move.
            case GAUNTLET -> {}
            case MACHINE_GUN -> bullet(shot);
            case SHOTGUN -> pellets(shot);
            case LIGHTNING_GUN -> lightning(shot);
            case RAILGUN -> rail(shot);
            case GRENADE_LAUNCHER, ROCKET_LAUNCHER, PLASMA_GUN, BFG ->
                    new MissileFlight(blasts, entities, hits, running, player, weapon.get())
                            .launch(now, shot.muzzle(), shot.forward());
        }
    }

    private Trace trace(Vec3f from, Vec3f to) {
        return blasts.trace(from, to);
    }

    private static ShotTrace trace(Shot shot, Vec3f end) {
        return shot.player()
                .combatant()
                .trace(
                        shot.now(),
                        new Ray(
                                ShotGeometry.metres(shot.muzzle()),
                                ShotGeometry.metres(end),
                                CollisionSpace.OPEN),
                        ShotGeometry.BODY,
                        shot.rewind());
    }

    private void damage(Shot shot, BodyHit hit, Weapon weapon) {
        WeaponRules law = WeaponRules.of(weapon);
        hits.hit(
                shot.now(),
                shot.player(),
                hit.victim(),
                law.damage() * HitHandler.factor(shot.now(), shot.player()),
                shot.forward(),
                ShotGeometry.units(hit.place()),
                law.means());
    }

    private void bullet(Shot shot) {
        Vec3f far = ShotGeometry.bulletEnd(shot.muzzle(), shot.view(), shot.seed());
        Trace wall = trace(shot.muzzle(), far);
        Optional<BodyHit> met = trace(shot, wall.end()).first();
        if (met.isPresent()) {
            Vec3f place =
                    ShotGeometry.rounded(ShotGeometry.units(met.get().place()), shot.muzzle());
            entities.event(
                    shot.time(),
                    TempEvent.BULLET_HIT_FLESH,
                    by(shot, CombatEntities.at(place))
                            .naming(EntityField.EVENT_PARM, met.get().victim()));
            damage(shot, met.get(), Weapon.MACHINE_GUN);
        } else if (marks(wall)) {
            entities.event(
                    shot.time(),
                    TempEvent.BULLET_HIT_WALL,
                    by(
                            shot,
                            CombatEntities.at(ShotGeometry.rounded(wall.end(), shot.muzzle()))
                                    .set(
                                            EntityField.EVENT_PARM,
                                            DirectionByte.of(wall.plane().normal()))));
        }
    }

    /** An event of the shooter, from whose weapon clients draw it. */
    private static Content by(Shot shot, EntityState.Builder state) {
        PlayerId shooter = shot.player().id();
        return new Content(state.build())
                .naming(EntityField.OTHER_ENTITY_NUM, shooter)
                .naming(EntityField.CLIENT_NUM, shooter);
    }

    private static boolean marks(Trace wall) {
        return wall.fraction() < 1 && (wall.surface() & BlastHandler.NO_IMPACT) == 0;
    }

    /** Each client draws the pellets by itself, from the same numbers. */
    private void pellets(Shot shot) {
        Vec3f sent = ShotGeometry.sentDirection(shot.forward());
        entities.event(
                shot.time(),
                TempEvent.SHOTGUN,
                new Content(
                                CombatEntities.at(shot.muzzle())
                                        .real(EntityField.ORIGIN2_0, sent.x())
                                        .real(EntityField.ORIGIN2_1, sent.y())
                                        .real(EntityField.ORIGIN2_2, sent.z())
                                        .set(EntityField.EVENT_PARM, shot.seed())
                                        .build())
                        .naming(EntityField.OTHER_ENTITY_NUM, shot.player().id()));
        for (Vec3f far : ShotGeometry.pelletEnds(shot.muzzle(), sent, shot.seed())) {
            trace(shot, trace(shot.muzzle(), far).end())
                    .first()
                    .ifPresent(hit -> damage(shot, hit, Weapon.SHOTGUN));
        }
    }

    private void lightning(Shot shot) {
        Trace wall = trace(shot.muzzle(), shot.muzzle().along(LIGHTNING_REACH, shot.forward()));
        Optional<BodyHit> met = trace(shot, wall.end()).first();
        if (met.isPresent()) {
            missileHit(shot, met.get(), Weapon.LIGHTNING_GUN);
            damage(shot, met.get(), Weapon.LIGHTNING_GUN);
        } else if (marks(wall)) {
            entities.event(
                    shot.time(),
                    TempEvent.MISSILE_MISS,
                    CombatEntities.at(ShotGeometry.rounded(wall.end(), shot.muzzle()))
                            .set(EntityField.EVENT_PARM, DirectionByte.of(wall.plane().normal())));
        }
    }

    private void missileHit(Shot shot, BodyHit hit, Weapon weapon) {
        Vec3f place = ShotGeometry.rounded(ShotGeometry.units(hit.place()), shot.muzzle());
        entities.event(
                shot.time(),
                TempEvent.MISSILE_HIT,
                new Content(
                                CombatEntities.at(place)
                                        .set(EntityField.WEAPON, weapon.number())
                                        .set(
                                                EntityField.EVENT_PARM,
                                                DirectionByte.of(shot.forward().times(-1)))
                                        .build())
                        .naming(EntityField.OTHER_ENTITY_NUM, hit.victim()));
    }

    private void rail(Shot shot) {
        Trace wall = trace(shot.muzzle(), shot.muzzle().along(RAIL_REACH, shot.forward()));
        Vec3f end = wall.end();
        int explosion = marks(wall) ? DirectionByte.of(wall.plane().normal()) : NO_EXPLOSION;
        int met = 0;
        for (BodyHit hit : trace(shot, wall.end()).bodies()) {
            damage(shot, hit, Weapon.RAILGUN);
            met++;
            if (met == RAIL_BODIES) {
                end = ShotGeometry.units(hit.place());
                explosion = DirectionByte.of(shot.forward().times(-1));
                break;
            }
        }
        Vec3f from = shot.muzzle().along(4, shot.right()).along(-1, shot.view().up());
        entities.event(
                shot.time(),
                TempEvent.RAIL_TRAIL,
                new Content(
                                CombatEntities.at(ShotGeometry.rounded(end, shot.muzzle()))
                                        .real(EntityField.ORIGIN2_0, from.x())
                                        .real(EntityField.ORIGIN2_1, from.y())
                                        .real(EntityField.ORIGIN2_2, from.z())
                                        .set(EntityField.WEAPON, Weapon.RAILGUN.number())
                                        .set(EntityField.EVENT_PARM, explosion)
                                        .build())
                        .naming(EntityField.CLIENT_NUM, shot.player().id()));
    }
}

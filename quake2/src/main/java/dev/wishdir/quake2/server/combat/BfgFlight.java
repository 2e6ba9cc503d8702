package dev.wishdir.quake2.server.combat;

import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.combat.BodyBox;
import dev.wishdir.arena.combat.Combatant.Ray;
import dev.wishdir.arena.combat.Missile;
import dev.wishdir.arena.combat.Missile.Impact;
import dev.wishdir.arena.combat.MissileMotion;
import dev.wishdir.arena.combat.ShotTrace.BodyHit;
import dev.wishdir.arena.combat.SplashLaw;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.idtech.Trace;
import dev.wishdir.motion.CollisionSpace;
import dev.wishdir.motion.Vec3;
import dev.wishdir.quake2.combat.MeansOfDeath;
import dev.wishdir.quake2.combat.PrecacheTable;
import dev.wishdir.quake2.message.Direction;
import dev.wishdir.quake2.message.Sound;
import dev.wishdir.quake2.message.TempEntity;
import dev.wishdir.quake2.movement.Quake2Motion;
import dev.wishdir.quake2.movement.ShotSpace;
import dev.wishdir.quake2.server.combat.BlastHandler.Blast;
import dev.wishdir.quake2.server.view.MissileEntities;
import dev.wishdir.quake2.server.view.MissileEntities.Look;
import dev.wishdir.quake2.server.view.RunningLevel;

import java.util.Optional;

/**
 * The flight of a BFG's ball: a laser to each body in reach at each step, a blast where it ends,
 * and a step later its effect on all that the ball and its player see.
 */
final class BfgFlight implements MissileFlight {
    /** The light of the ball, a bit of its entity. */
    static final int LIGHT = 128;

    private static final double LASER_REACH = 256;
    private static final double LASER_LENGTH = 2048;
    private static final double LASER_DAMAGE = 5;
    private static final double LASER_KICK = 1;
    private static final int LASER_SPARKS = 4;

    /** Lasers pass the centre of a body by a unit on each axis, as captures show. */
    private static final Vec3 LASER_OFF = new Vec3(1, 1, 1).times(1 / ShotSpace.SCALE);

    private static final double DIRECT_DAMAGE = 200;
    private static final Blast BLAST = new Blast(200, 100, MeansOfDeath.BFG_BLAST);
    private static final double EFFECT_DAMAGE = 200;
    private static final double EFFECT_RADIUS = 1000;

    /** It ends this long before the impact, seconds: one step. */
    private static final double BACK_SECONDS = 0.1;

    /** The last frame of the picture of the blast, as captures show; the first is 0. */
    private static final int LAST_FRAME = 5;

    private static final int FLYING = -1;

    private final RunningLevel level;
    private final EffectSink effects;
    private final HitHandler hits;
    private final BlastHandler blasts;
    private final MissileEntities table;
    private final ArenaPlayer player;
    private final int factor;

    /** Of the picture of the blast. */
    private int frame = FLYING;

    /**
     * @param factor of the damage, which the player had when it launched the ball
     */
    BfgFlight(
            RunningLevel level,
            EffectSink effects,
            HitHandler hits,
            BlastHandler blasts,
            MissileEntities table,
            ArenaPlayer player,
            int factor) {
        this.level = level;
        this.effects = effects;
        this.hits = hits;
        this.blasts = blasts;
        this.table = table;
        this.player = player;
        this.factor = factor;
    }

    @Override
    public void onStep(long now, Missile missile) {
        Vec3 place = missile.state().place();
        if (frame == FLYING) {
            player
                    .combatant()
                    .splash(
                            now,
                            place,
                            LASER_REACH / ShotSpace.SCALE,
                            ShotSpace.BODY,
                            BlastHandler.DISTANCE)
                    .stream()
                    .filter(reached -> !isOwn(reached))
                    .forEach(reached -> shootLaser(now, place, reached));
            return;
        }
        frame++;
        if (frame > LAST_FRAME) {
            missile.remove();
            return;
        }
        showBlast(missile);
        if (frame == 1) {
            reachAll(now, place);
        }
    }

    private boolean isOwn(SplashLaw.Reached reached) {
        return reached.victim().equals(player.id());
    }

    /** A laser through a body and what is behind it, up to the first solid. */
    private void shootLaser(long now, Vec3 place, SplashLaw.Reached reached) {
        Vec3 way = reached.box().centre().minus(LASER_OFF).minus(place);
        double length = way.length();
        if (length == 0) {
            return;
        }
        Vec3 aim = way.times(1 / length);
        Vec3 start = place.times(ShotSpace.SCALE);
        Trace wall = level.shotSpace().sweepSolid(start, start.plus(aim.times(LASER_LENGTH)));
        Vec3 end = ShotSpace.wide(wall.end());
        Ray ray = new Ray(place, end.times(1 / ShotSpace.SCALE), CollisionSpace.OPEN);
        for (BodyHit body : player.combatant().trace(now, ray, ShotSpace.BODY, 0).bodies()) {
            hits.hit(
                    now,
                    player,
                    body.victim(),
                    MeansOfDeath.BFG_LASER,
                    factor * LASER_DAMAGE,
                    ShotSpace.knockback(aim, factor * LASER_KICK),
                    body.place());
        }
        PlayerId near = reached.victim();
        if (wall.fraction() < 1) {
            effects.send(
                    near,
                    TempEntity.sparks(
                            LASER_SPARKS,
                            ShotSpace.eighths(end),
                            Direction.nearest(wall.plane().normal())),
                    true);
        }
        effects.send(
                near,
                TempEntity.along(
                        TempEntity.BFG_LASER, ShotSpace.eighths(start), ShotSpace.eighths(end)));
    }

    @Override
    public Optional<MissileMotion.State> onImpact(long now, Missile missile, Impact impact) {
        MissileMotion.State at = impact.state();
        Optional<PlayerId> direct = Optional.empty();
        switch (impact) {
            case Impact.TimeOut _ -> {
                return Optional.empty();
            }
            case Impact.Wall wall -> {
                if (ShotSpace.isSky(wall.hit().surface())) {
                    return Optional.empty();
                }
            }
            case Impact.Body body -> {
                direct = Optional.of(body.victim());
                hits.hit(
                        now,
                        player,
                        body.victim(),
                        MeansOfDeath.BFG_BLAST,
                        factor * DIRECT_DAMAGE,
                        Vec3.ZERO,
                        at.place());
            }
        }
        blasts.blast(now, player, at.place(), direct, BLAST, factor);
        Vec3 place = at.place().minus(at.velocity().times(BACK_SECONDS));
        table.number(missile)
                .ifPresent(number ->
                        effects.send(
                                player.id(),
                                Sound.of(
                                        level.precache().sound("weapons/bfg__x1b.wav"),
                                        number,
                                        Sound.Channel.VOICE)));
        effects.send(
                player.id(),
                TempEntity.at(
                        TempEntity.BFG_BIG_EXPLOSION,
                        ShotSpace.eighths(place.times(ShotSpace.SCALE))));
        frame = 0;
        showBlast(missile);
        return Optional.of(new MissileMotion.State(place, Vec3.ZERO));
    }

    private void showBlast(Missile missile) {
        table.change(
                missile,
                new Look(level.precache().model(PrecacheTable.BFG_BLAST), LIGHT, 0),
                frame);
    }

    /**
     * Hurts all others that can be seen from the ball and from its player. Captures show that its
     * own player is not hurt.
     */
    private void reachAll(long now, Vec3 place) {
        Vec3 eye =
                player.snapshot()
                        .movement()
                        .position()
                        .plus(new Vec3(0, 0, Quake2Motion.FEET / ShotSpace.SCALE));
        ShotSpace space = level.shotSpace();
        SplashLaw seen =
                new SplashLaw() {
                    @Override
                    public double distance(Vec3 explosion, BodyBox.Placed box) {
                        return space.distance(explosion, box);
                    }

                    @Override
                    public boolean isSeen(Vec3 explosion, BodyBox.Placed box) {
                        return space.isSeen(explosion, box) && space.isSeen(eye, box);
                    }
                };
        player
                .combatant()
                .splash(now, place, EFFECT_RADIUS / ShotSpace.SCALE, ShotSpace.BODY, seen)
                .stream()
                .filter(reached -> !isOwn(reached))
                .forEach(reached -> reach(now, reached));
    }

    private void reach(long now, SplashLaw.Reached reached) {
        double share = 1 - Math.sqrt(reached.distance() * ShotSpace.SCALE / EFFECT_RADIUS);
        double damage = Math.floor(factor * EFFECT_DAMAGE * share);
        Vec3 place = BlastHandler.origin(reached.box());
        effects.send(
                reached.victim(),
                TempEntity.at(
                        TempEntity.BFG_EXPLOSION, ShotSpace.eighths(place.times(ShotSpace.SCALE))));
        if (damage > 0) {
            hits.hit(
                    now,
                    player,
                    reached.victim(),
                    MeansOfDeath.BFG_EFFECT,
                    damage,
                    Vec3.ZERO,
                    place);
        }
    }
}

package dev.wishdir.quake2.server.combat;

import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.combat.Combatant.Ray;
import dev.wishdir.arena.combat.Missile;
import dev.wishdir.arena.combat.Missile.Impact;
import dev.wishdir.arena.combat.MissileMotion;
import dev.wishdir.arena.combat.MissileRules;
import dev.wishdir.arena.combat.ShotTrace.BodyHit;
import dev.wishdir.arena.event.DamageMeans;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.idtech.Trace;
import dev.wishdir.motion.CollisionSpace;
import dev.wishdir.motion.Vec3;
import dev.wishdir.quake2.combat.MeansOfDeath;
import dev.wishdir.quake2.combat.PrecacheTable;
import dev.wishdir.quake2.message.Direction;
import dev.wishdir.quake2.message.Sound;
import dev.wishdir.quake2.message.TempEntity;
import dev.wishdir.quake2.movement.ShotSpace;
import dev.wishdir.quake2.server.combat.BlastHandler.Blast;
import dev.wishdir.quake2.server.view.MissileEntities;
import dev.wishdir.quake2.server.view.MissileEntities.Look;
import dev.wishdir.quake2.server.view.RunningLevel;

import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Launches bolts, rockets, grenades and balls of the BFG, and carries out what they do where they
 * end. They fly in the game's steps of 100 ms.
 */
public final class MissileHandler {
    /** Trails, as entities have them. */
    static final int BLASTER_TRAIL = 8;

    static final int HYPERBLASTER_TRAIL = 64;
    static final int ROCKET_TRAIL = 16;
    static final int GRENADE_TRAIL = 32;

    /** A yellow and a green light, and all frames in turn. */
    static final int BFG_TRAIL = BfgFlight.LIGHT | 8192;

    private static final long STEP_NANOS = 100_000_000;
    private static final double BOLT_SPEED = 1000;
    private static final long BOLT_NANOS = 2_000_000_000;
    private static final double BOLT_DAMAGE = 15;
    private static final double ROCKET_SPEED = 650;
    private static final long ROCKET_NANOS = 8_000_000_000_000L / 650;
    private static final int ROCKET_DAMAGE = 100;
    private static final int ROCKET_MORE_DAMAGE = 20;
    private static final Blast ROCKET_BLAST = new Blast(120, 120, MeansOfDeath.ROCKET_SPLASH);
    private static final double GRENADE_SPEED = 600;
    private static final double GRENADE_UP_SPEED = 200;
    private static final double GRENADE_STRAY_SPEED = 10;
    private static final long GRENADE_NANOS = 2_500_000_000L;
    private static final double HAND_GRENADE_SPEED = 400;
    private static final double BFG_SPEED = 400;
    private static final long BFG_NANOS = 20_000_000_000L;

    /** Seconds of the fuse with which a hand grenade is thrown with its usual speed. */
    private static final double HAND_GRENADE_FUSE = 3;

    /** Additional speed of a hand grenade for each second that it was held, units. */
    private static final double HAND_GRENADE_MORE_SPEED = 400 / 3.0;

    private static final Grenade LAUNCHED =
            new Grenade(
                    new Blast(120, 160, MeansOfDeath.GRENADE_SPLASH),
                    MeansOfDeath.GRENADE,
                    PrecacheTable.GRENADE,
                    "",
                    List.of("weapons/grenlb1b.wav"));
    private static final Grenade THROWN =
            new Grenade(
                    new Blast(125, 165, MeansOfDeath.HAND_GRENADE_SPLASH),
                    MeansOfDeath.HAND_GRENADE,
                    PrecacheTable.HAND_GRENADE,
                    "weapons/hgrenc1b.wav",
                    List.of("weapons/hgrenb1a.wav", "weapons/hgrenb2a.wav"));
    private static final double GRAVITY = 800;

    /** A grenade that bounces off a floor slower than this lies still. */
    private static final double REST_SPEED = 60;

    /** Surfaces that are less steep are floors. */
    private static final double FLOOR_NORMAL = 0.7;

    private static final double BOUNCE = 1.5;

    /**
     * A kind of grenade.
     *
     * @param touch what the body that it touches is hit by
     * @param sound that it makes all the time; empty for none
     * @param bounces sounds of a bounce, one of which is heard
     */
    private record Grenade(
            Blast blast, MeansOfDeath touch, String model, String sound, List<String> bounces) {}

    private final RunningLevel level;
    private final EffectSink effects;
    private final HitHandler hits;
    private final BlastHandler blasts;
    private final MissileEntities table;
    private final RandomGenerator random;

    public MissileHandler(
            RunningLevel level,
            EffectSink effects,
            HitHandler hits,
            MissileEntities table,
            RandomGenerator random) {
        this.level = level;
        this.effects = effects;
        this.hits = hits;
        blasts = new BlastHandler(level, effects, hits);
        this.table = table;
        this.random = random;
    }

    /** Gravity first, then the way, in one step, as the game does. */
    private static MissileMotion motion(double gravity) {
        return (before, seconds) -> {
            Vec3 velocity =
                    before.velocity().minus(new Vec3(0, 0, gravity / ShotSpace.SCALE * seconds));
            return new MissileMotion.State(before.place().plus(velocity.times(seconds)), velocity);
        };
    }

    private static Vec3 metres(Vec3 units) {
        return units.times(1 / ShotSpace.SCALE);
    }

    /**
     * Launches a bolt. One that starts behind a wall, or in a body, ends there.
     *
     * @param start units
     * @param trail bits of its entity
     */
    void bolt(long now, Shooter from, Vec3 start, MeansOfDeath means, int trail) {
        ArenaPlayer player = from.player();
        int factor = from.factor(now);
        Vec3 aim = from.axes().forward();
        Trace wall = level.shotSpace().sweep(from.origin(), start);
        Vec3 end = ShotSpace.wide(wall.end());
        Optional<BodyHit> body =
                player.combatant()
                        .trace(
                                now,
                                new Ray(metres(from.origin()), metres(end), CollisionSpace.OPEN),
                                ShotSpace.BODY,
                                0)
                        .first();
        if (body.isPresent()) {
            hitByBolt(now, player, body.get().victim(), means, factor, aim, body.get().place());
            return;
        }
        if (wall.fraction() < 1) {
            hole(from.id(), end, ShotSpace.wide(wall.plane().normal()), wall.surface());
            return;
        }
        PrecacheTable precache = level.precache();
        launch(
                now,
                from,
                means.kind(),
                start,
                aim.times(BOLT_SPEED),
                rules(BOLT_NANOS, 0),
                new Look(
                        precache.model(PrecacheTable.BOLT),
                        trail,
                        precache.sound("misc/lasfly.wav")),
                (time, missile, impact) -> {
                    Vec3 place = impact.state().place();
                    switch (impact) {
                        case Impact.Body hit ->
                                hitByBolt(time, player, hit.victim(), means, factor, aim, place);
                        case Impact.Wall hit ->
                                hole(
                                        missile.owner(),
                                        place.times(ShotSpace.SCALE),
                                        hit.hit().normal(),
                                        hit.hit().surface());
                        case Impact.TimeOut _ -> {
                            // It fades.
                        }
                    }
                    return Optional.empty();
                });
    }

    private void hitByBolt(
            long now,
            ArenaPlayer player,
            PlayerId victim,
            MeansOfDeath means,
            int factor,
            Vec3 aim,
            Vec3 place) {
        Vec3 knockback = ShotSpace.knockback(aim, factor);
        hits.hit(now, player, victim, means, factor * BOLT_DAMAGE, knockback, place);
    }

    private void hole(PlayerId near, Vec3 units, Vec3 normal, int surface) {
        if (!ShotSpace.isSky(surface)) {
            effects.send(
                    near,
                    TempEntity.at(
                            TempEntity.BLASTER,
                            ShotSpace.eighths(units),
                            Direction.nearest(ShotSpace.single(normal))));
        }
    }

    /** Launches a rocket from a place, units. */
    void rocket(long now, Shooter from, Vec3 start) {
        ArenaPlayer player = from.player();
        int factor = from.factor(now);
        int damage = factor * (ROCKET_DAMAGE + random.nextInt(ROCKET_MORE_DAMAGE));
        PrecacheTable precache = level.precache();
        launch(
                now,
                from,
                DamageMeans.ROCKET,
                start,
                from.axes().forward().times(ROCKET_SPEED),
                rules(ROCKET_NANOS, 0),
                new Look(
                        precache.model(PrecacheTable.ROCKET),
                        ROCKET_TRAIL,
                        precache.sound("weapons/rockfly.wav")),
                (time, missile, impact) -> {
                    Optional<PlayerId> direct = Optional.empty();
                    if (impact instanceof Impact.Wall wall
                            && ShotSpace.isSky(wall.hit().surface())) {
                        return Optional.empty();
                    }
                    if (impact instanceof Impact.Body body) {
                        direct = Optional.of(body.victim());
                        hits.hit(
                                time,
                                player,
                                body.victim(),
                                MeansOfDeath.ROCKET,
                                damage,
                                Vec3.ZERO,
                                impact.state().place());
                    }
                    if (!(impact instanceof Impact.TimeOut)) {
                        explode(time, player, impact.state(), direct, ROCKET_BLAST, factor);
                    }
                    return Optional.empty();
                });
    }

    /** Launches a grenade from a place, units. */
    void grenade(long now, Shooter from, Vec3 start) {
        grenade(now, from, start, GRENADE_SPEED, GRENADE_NANOS, LAUNCHED);
    }

    /**
     * Throws a hand grenade from a place, the faster the longer it was held.
     *
     * @param start units
     * @param fuseNanos until it explodes
     */
    void handGrenade(long now, Shooter from, Vec3 start, long fuseNanos) {
        double speed =
                HAND_GRENADE_SPEED
                        + (HAND_GRENADE_FUSE - fuseNanos / 1e9) * HAND_GRENADE_MORE_SPEED;
        grenade(now, from, start, speed, fuseNanos, THROWN);
    }

    /** Explodes a hand grenade in the hand, at a place, units. */
    void heldGrenade(long now, Shooter from, Vec3 start) {
        Vec3 place = metres(start);
        Blast blast = THROWN.blast.by(MeansOfDeath.HELD_GRENADE);
        blasts.blast(now, from.player(), place, Optional.empty(), blast, from.factor(now));
        blasts.show(from.id(), new MissileMotion.State(place, Vec3.ZERO), false);
    }

    private void grenade(
            long now, Shooter from, Vec3 start, double speed, long fuseNanos, Grenade kind) {
        ArenaPlayer player = from.player();
        int factor = from.factor(now);
        Vec3 velocity =
                from.axes()
                        .of(
                                speed,
                                GRENADE_STRAY_SPEED * chance(),
                                GRENADE_UP_SPEED + GRENADE_STRAY_SPEED * chance());
        PrecacheTable precache = level.precache();
        launch(
                now,
                from,
                DamageMeans.GRENADE,
                start,
                velocity,
                rules(fuseNanos, GRAVITY),
                new Look(precache.model(kind.model), GRENADE_TRAIL, precache.sound(kind.sound)),
                (time, missile, impact) ->
                        switch (impact) {
                            case Impact.Wall wall when ShotSpace.isSky(wall.hit().surface()) ->
                                    Optional.empty();
                            case Impact.Wall wall -> {
                                bounce(missile, kind);
                                yield Optional.of(bounced(wall));
                            }
                            case Impact.Body body -> {
                                Vec3 place = body.state().place();
                                PlayerId victim = body.victim();
                                blasts.touch(
                                        time,
                                        player,
                                        place,
                                        victim,
                                        kind.blast.by(kind.touch),
                                        factor);
                                explode(
                                        time,
                                        player,
                                        body.state(),
                                        Optional.of(victim),
                                        kind.blast,
                                        factor);
                                yield Optional.empty();
                            }
                            case Impact.TimeOut out -> {
                                explode(
                                        time,
                                        player,
                                        out.state(),
                                        Optional.empty(),
                                        kind.blast,
                                        factor);
                                yield Optional.empty();
                            }
                        });
    }

    private void bounce(Missile missile, Grenade kind) {
        String sound = kind.bounces.get(random.nextInt(kind.bounces.size()));
        table.number(missile)
                .ifPresent(number ->
                        effects.send(
                                missile.owner(),
                                Sound.of(
                                        level.precache().sound(sound),
                                        number,
                                        Sound.Channel.VOICE)));
    }

    /** Launches the ball of a BFG from a place, units. */
    void bfg(long now, Shooter from, Vec3 start) {
        PrecacheTable precache = level.precache();
        launch(
                now,
                from,
                DamageMeans.BFG,
                start,
                from.axes().forward().times(BFG_SPEED),
                rules(BFG_NANOS, 0),
                new Look(
                        precache.model(PrecacheTable.BFG_BALL),
                        BFG_TRAIL,
                        precache.sound("weapons/bfg__l1a.wav")),
                new BfgFlight(
                        level, effects, hits, blasts, table, from.player(), from.factor(now)));
    }

    private void explode(
            long now,
            ArenaPlayer player,
            MissileMotion.State at,
            Optional<PlayerId> except,
            Blast blast,
            int factor) {
        blasts.blast(now, player, at.place(), except, blast, factor);
        blasts.show(player.id(), at, at.velocity().equals(Vec3.ZERO));
    }

    private double chance() {
        return random.nextDouble() * 2 - 1;
    }

    /** A grenade after a wall, which takes half of its speed towards it. */
    private static MissileMotion.State bounced(Impact.Wall wall) {
        Vec3 normal = wall.hit().normal();
        Vec3 before = wall.state().velocity();
        Vec3 velocity = before.minus(normal.times(BOUNCE * before.dot(normal)));
        boolean rests = normal.z() > FLOOR_NORMAL && velocity.z() < REST_SPEED / ShotSpace.SCALE;
        return new MissileMotion.State(wall.state().place(), rests ? Vec3.ZERO : velocity);
    }

    private MissileRules rules(long lifetimeNanos, double gravity) {
        return new MissileRules(
                STEP_NANOS,
                lifetimeNanos,
                Long.MAX_VALUE,
                0,
                ShotSpace.BODY,
                motion(gravity),
                level.shotSpace());
    }

    private void launch(
            long now,
            Shooter from,
            DamageMeans means,
            Vec3 start,
            Vec3 velocity,
            MissileRules rules,
            Look look,
            MissileFlight flight) {
        from.player()
                .combatant()
                .launch(
                        now,
                        rules,
                        new Missile.Launch(
                                means, metres(start), metres(velocity), now - STEP_NANOS, now),
                        new Missile.Listener() {
                            @Override
                            public void onStep(long time, Missile missile) {
                                flight.onStep(time, missile);
                                if (!missile.isThere()) {
                                    table.remove(missile);
                                }
                            }

                            @Override
                            public Optional<MissileMotion.State> onImpact(
                                    long time, Missile missile, Impact impact) {
                                Optional<MissileMotion.State> next =
                                        flight.onImpact(time, missile, impact);
                                if (next.isEmpty()) {
                                    table.remove(missile);
                                }
                                return next;
                            }

                            @Override
                            public void onRemoved(long time, Missile missile) {
                                table.remove(missile);
                            }
                        })
                .ifPresent(missile -> table.add(missile, start, look));
    }
}

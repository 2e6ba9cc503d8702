package dev.wishdir.quake2.server;

import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.BodyBox;
import dev.wishdir.arena.Combatant;
import dev.wishdir.arena.Combatant.Ray;
import dev.wishdir.arena.DamageMeans;
import dev.wishdir.arena.Missile;
import dev.wishdir.arena.Missile.Impact;
import dev.wishdir.arena.MissileMotion;
import dev.wishdir.arena.MissileRules;
import dev.wishdir.arena.PlayerId;
import dev.wishdir.arena.ShotTrace.BodyHit;
import dev.wishdir.arena.SplashLaw;
import dev.wishdir.idtech.Trace;
import dev.wishdir.motion.CollisionSpace;
import dev.wishdir.motion.Vec3;
import dev.wishdir.quake2.combat.PrecacheTable;
import dev.wishdir.quake2.combat.ViewAxes;
import dev.wishdir.quake2.message.Direction;
import dev.wishdir.quake2.message.Sound;
import dev.wishdir.quake2.message.TempEntity;
import dev.wishdir.quake2.movement.Quake2Motion;
import dev.wishdir.quake2.server.MissileTable.Look;

import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Launches bolts, rockets and grenades, and carries out what they do where they end. They fly in
 * the game's steps of 100 ms.
 */
final class MissileHandler {
    /** Trails, as entities have them. */
    static final int BLASTER_TRAIL = 8;

    static final int HYPERBLASTER_TRAIL = 64;
    static final int ROCKET_TRAIL = 16;
    static final int GRENADE_TRAIL = 32;

    private static final long STEP_NANOS = 100_000_000;
    private static final double BOLT_SPEED = 1000;
    private static final long BOLT_NANOS = 2_000_000_000;
    private static final double BOLT_DAMAGE = 15;
    private static final double ROCKET_SPEED = 650;
    private static final long ROCKET_NANOS = 8_000_000_000_000L / 650;
    private static final int ROCKET_DAMAGE = 100;
    private static final int ROCKET_MORE_DAMAGE = 20;
    private static final double BLAST_DAMAGE = 120;
    private static final double ROCKET_RADIUS = 120;
    private static final double GRENADE_RADIUS = 160;
    private static final double GRENADE_SPEED = 600;
    private static final double GRENADE_UP_SPEED = 200;
    private static final double GRENADE_STRAY_SPEED = 10;
    private static final long GRENADE_NANOS = 2_500_000_000L;
    private static final double GRAVITY = 800;

    /** A grenade that bounces off a floor slower than this lies still. */
    private static final double REST_SPEED = 60;

    /** Surfaces that are less steep are floors. */
    private static final double FLOOR_NORMAL = 0.7;

    private static final double BOUNCE = 1.5;

    /** The knock-back of a player's own blast, by that of others. */
    private static final double OWN_KNOCKBACK = 3.2;

    /** An explosion is shown so long before the impact, seconds. */
    private static final double BACK_SECONDS = 0.02;

    private final RunningLevel level;
    private final EffectSink effects;
    private final MissileTable table;
    private final RandomGenerator random;

    MissileHandler(
            RunningLevel level, EffectSink effects, MissileTable table, RandomGenerator random) {
        this.level = level;
        this.effects = effects;
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
    void bolt(long now, Shooter from, Vec3 start, DamageMeans means, int trail) {
        Combatant combatant = from.player().combatant();
        int factor = from.factor(now);
        Vec3 aim = from.axes().forward();
        Trace wall = level.shotSpace().sweep(from.origin(), start);
        Vec3 end = ShotSpace.wide(wall.end());
        Optional<BodyHit> body =
                combatant
                        .trace(
                                now,
                                new Ray(metres(from.origin()), metres(end), CollisionSpace.OPEN),
                                ShotSpace.BODY,
                                0)
                        .first();
        if (body.isPresent()) {
            hitByBolt(now, combatant, body.get().victim(), means, factor, aim, body.get().place());
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
                means,
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
                                hitByBolt(time, combatant, hit.victim(), means, factor, aim, place);
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

    private static void hitByBolt(
            long now,
            Combatant combatant,
            PlayerId victim,
            DamageMeans means,
            int factor,
            Vec3 aim,
            Vec3 place) {
        combatant.hit(
                now, victim, means, factor * BOLT_DAMAGE, ShotSpace.knockback(aim, factor), place);
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
                        player.combatant()
                                .hit(
                                        time,
                                        body.victim(),
                                        DamageMeans.ROCKET,
                                        damage,
                                        Vec3.ZERO,
                                        impact.state().place());
                    }
                    if (!(impact instanceof Impact.TimeOut)) {
                        explode(
                                time,
                                player,
                                impact.state(),
                                direct,
                                DamageMeans.ROCKET,
                                ROCKET_RADIUS,
                                factor);
                    }
                    return Optional.empty();
                });
    }

    /** Launches a grenade from a place, units. */
    void grenade(long now, Shooter from, Vec3 start) {
        ArenaPlayer player = from.player();
        int factor = from.factor(now);
        ViewAxes axes = from.axes();
        Vec3 velocity =
                axes.of(
                        GRENADE_SPEED,
                        GRENADE_STRAY_SPEED * chance(),
                        GRENADE_UP_SPEED + GRENADE_STRAY_SPEED * chance());
        launch(
                now,
                from,
                DamageMeans.GRENADE,
                start,
                velocity,
                rules(GRENADE_NANOS, GRAVITY),
                new Look(level.precache().model(PrecacheTable.GRENADE), GRENADE_TRAIL, 0),
                (time, missile, impact) ->
                        switch (impact) {
                            case Impact.Wall wall when ShotSpace.isSky(wall.hit().surface()) ->
                                    Optional.empty();
                            case Impact.Wall wall -> {
                                table.number(missile)
                                        .ifPresent(number ->
                                                effects.send(
                                                        missile.owner(),
                                                        Sound.of(
                                                                level.precache()
                                                                        .sound(
                                                                                "weapons/grenlb1b.wav"),
                                                                number,
                                                                Sound.Channel.VOICE)));
                                yield Optional.of(bounced(wall));
                            }
                            case Impact.Body body -> {
                                Vec3 place = body.state().place();
                                touch(time, player, body, factor);
                                explode(
                                        time,
                                        player,
                                        new MissileMotion.State(place, Vec3.ZERO),
                                        Optional.of(body.victim()),
                                        DamageMeans.GRENADE,
                                        GRENADE_RADIUS,
                                        factor);
                                yield Optional.empty();
                            }
                            case Impact.TimeOut out -> {
                                explode(
                                        time,
                                        player,
                                        new MissileMotion.State(out.state().place(), Vec3.ZERO),
                                        Optional.empty(),
                                        DamageMeans.GRENADE,
                                        GRENADE_RADIUS,
                                        factor);
                                yield Optional.empty();
                            }
                        });
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

    /** A grenade hurts the body that it touches by the distance from the body's centre. */
    private static void touch(long now, ArenaPlayer player, Impact.Body body, int factor) {
        Vec3 place = body.state().place();
        player
                .combatant()
                .splash(now, place, GRENADE_RADIUS / ShotSpace.SCALE, ShotSpace.BODY, DISTANCE)
                .stream()
                .filter(reached -> reached.victim().equals(body.victim()))
                .forEach(reached -> {
                    double damage =
                            Math.floor(
                                    factor * BLAST_DAMAGE
                                            - reached.distance() * ShotSpace.SCALE / 2);
                    player.combatant()
                            .hit(
                                    now,
                                    reached.victim(),
                                    DamageMeans.GRENADE,
                                    damage,
                                    pushed(place, reached, damage, 1),
                                    place);
                });
    }

    /** Distances to the centres of bodies, whatever is between. */
    private static final SplashLaw DISTANCE =
            new SplashLaw() {
                @Override
                public double distance(Vec3 explosion, BodyBox.Placed box) {
                    return explosion.distance(box.centre());
                }

                @Override
                public boolean isSeen(Vec3 explosion, BodyBox.Placed box) {
                    return true;
                }
            };

    /**
     * A blast, and how it looks.
     *
     * @param factor of the damage, which the shooter had when it launched the missile
     */
    private void explode(
            long now,
            ArenaPlayer player,
            MissileMotion.State at,
            Optional<PlayerId> except,
            DamageMeans means,
            double radius,
            int factor) {
        Vec3 place = at.place();
        for (SplashLaw.Reached reached :
                player.combatant()
                        .splash(
                                now,
                                place,
                                radius / ShotSpace.SCALE,
                                ShotSpace.BODY,
                                level.shotSpace())) {
            boolean own = reached.victim().equals(player.id());
            double points = factor * BLAST_DAMAGE - reached.distance() * ShotSpace.SCALE / 2;
            double damage = Math.floor(own ? points / 2 : points);
            if (damage > 0 && !except.filter(reached.victim()::equals).isPresent()) {
                player.combatant()
                        .hit(
                                now,
                                reached.victim(),
                                means,
                                damage,
                                pushed(place, reached, damage, own ? OWN_KNOCKBACK : 1),
                                place);
            }
        }
        effects.send(
                player.id(),
                TempEntity.at(
                        means == DamageMeans.ROCKET
                                ? TempEntity.ROCKET_EXPLOSION
                                : TempEntity.GRENADE_EXPLOSION,
                        ShotSpace.eighths(
                                place.minus(at.velocity().times(BACK_SECONDS))
                                        .times(ShotSpace.SCALE))));
    }

    /** The knock-back of a blast: away from it, by the damage. */
    private static Vec3 pushed(
            Vec3 place, SplashLaw.Reached reached, double damage, double factor) {
        Vec3 way =
                reached.box()
                        .feet()
                        .plus(new Vec3(0, 0, Quake2Motion.FEET / ShotSpace.SCALE))
                        .minus(place);
        double length = way.length();
        return length == 0
                ? Vec3.ZERO
                : ShotSpace.knockback(way.times(1 / length), damage * factor);
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

    /** What happens where a missile ends. */
    @FunctionalInterface
    private interface End {
        Optional<MissileMotion.State> at(long now, Missile missile, Impact impact);
    }

    private void launch(
            long now,
            Shooter from,
            DamageMeans means,
            Vec3 start,
            Vec3 velocity,
            MissileRules rules,
            Look look,
            End end) {
        from.player()
                .combatant()
                .launch(
                        now,
                        rules,
                        new Missile.Launch(
                                means, metres(start), metres(velocity), now - STEP_NANOS, now),
                        new Missile.Listener() {
                            @Override
                            public Optional<MissileMotion.State> onImpact(
                                    long time, Missile missile, Impact impact) {
                                Optional<MissileMotion.State> next = end.at(time, missile, impact);
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

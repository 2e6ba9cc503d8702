package dev.wishdir.sauerbraten.server.combat;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.combat.Combatant;
import dev.wishdir.arena.combat.PlaceClaims;
import dev.wishdir.arena.combat.StraightFlight;
import dev.wishdir.arena.event.PlayerAction;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.event.ViolationRule;
import dev.wishdir.arena.validation.ShotViolation;
import dev.wishdir.motion.CollisionSpace;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.loop.Counters;
import dev.wishdir.sauerbraten.combat.ClientState;
import dev.wishdir.sauerbraten.combat.GunState;
import dev.wishdir.sauerbraten.combat.Weapon;
import dev.wishdir.sauerbraten.combat.WeaponRules;
import dev.wishdir.sauerbraten.message.ActionMessage;
import dev.wishdir.sauerbraten.message.Heading;
import dev.wishdir.sauerbraten.message.Point;
import dev.wishdir.sauerbraten.movement.SauerbratenMotion;
import dev.wishdir.sauerbraten.server.movement.PlaceHandler;
import dev.wishdir.sauerbraten.server.session.Broadcaster;
import dev.wishdir.sauerbraten.server.session.ClientTable;
import dev.wishdir.sauerbraten.server.session.SauerbratenSession;
import dev.wishdir.sauerbraten.server.view.ForeignPlayers;
import dev.wishdir.sauerbraten.server.view.RunningLevel;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongUnaryOperator;

/**
 * Handles shots and explosions in a match. The client says what it hit; the server keeps the
 * original's account of guns and rays, and checks each hit against the level and the victim's path.
 * A hit that fails has no effect, and its shot is shown all the same; the client is not notified.
 */
public final class ShotHandler {
    private static final double METRE = SauerbratenMotion.SCALE;
    private static final Vec3 EYE = new Vec3(0, 0, SauerbratenMotion.EYE_HEIGHT / METRE);

    /** A client draws a projectile a frame early and explodes it some frames late, milliseconds. */
    private static final int EARLY_MILLIS = 100;

    private static final int LATE_MILLIS = 1000;

    /** A client on a busy machine stands still for so long: its explosion has no effect. */
    private static final int MAX_STALL_MILLIS = 5000;

    /** A shot is lost and sent again for at least this long: docs/protocols/enet.md#timers. */
    private static final long MAX_HELD_UP_NANOS = 5_000_000_000L;

    private final Arena arena;
    private final ClientTable clients;
    private final Broadcaster broadcaster;
    private final RunningLevel geometry;
    private final PlaceHandler places;
    private final Counters counters;
    private final LongUnaryOperator peerTime;

    /**
     * @param peerTime the time of the clients, which passed while the server slept
     */
    public ShotHandler(
            Arena arena,
            ClientTable clients,
            Broadcaster broadcaster,
            RunningLevel geometry,
            PlaceHandler places,
            Counters counters,
            LongUnaryOperator peerTime) {
        this.arena = arena;
        this.clients = clients;
        this.broadcaster = broadcaster;
        this.geometry = geometry;
        this.places = places;
        this.counters = counters;
        this.peerTime = peerTime;
    }

    void shoot(long now, SauerbratenSession from, ActionMessage.Shoot shot) {
        GunState guns = from.guns;
        if (from.mapCopy.isElsewhere(now)) {
            counters.count("sauerbraten.shot.other-map");
            return;
        }
        GunState.Refusal refusal = guns.fire(now, shot);
        if (refusal != null) {
            onRefused(now, from, shot, refusal);
            return;
        }
        Weapon gun = Weapon.of(shot.gun()).orElseThrow();
        from.movement.validator().allowImpulse(peerTime.applyAsLong(now));
        broadcaster.send(
                new ActionMessage.ShotFx(from.cn, shot.gun(), shot.id(), shot.from(), shot.to()),
                other ->
                        other != from && (other.viewer.showsBody(from.cn) || !from.life.hasBody()));
        from.player().performAction(now, PlayerAction.ATTACK);
        PlaceClaims.Claim origin =
                isPlaced(from) ? origin(now, from, shot) : PlaceClaims.Claim.refuted();
        if (gun.hasProjectile()) {
            guns.launch(new GunState.Projectile(gun, shot, origin));
        } else if (!origin.isRefuted()) {
            hitWithRays(now, from, gun, shot, origin);
        }
    }

    /** Whether the place of the shooter is known: it has a body, or just lost it. */
    private boolean isPlaced(SauerbratenSession from) {
        boolean placed = !from.life.hasBody() || from.player().snapshot().spawned();
        if (!placed) {
            counters.count("sauerbraten.shot.no-body");
        }
        return placed;
    }

    /** The claim that a shot began at its player. */
    private PlaceClaims.Claim origin(long now, SauerbratenSession from, ActionMessage.Shoot shot) {
        Vec3 eye = metres(shot.from());
        Optional<ShotViolation> violation =
                from.player()
                        .combatant()
                        .checkOrigin(
                                now,
                                eye,
                                SauerbratenMotion.EYE_HEIGHT / METRE,
                                SauerbratenMotion.LIMITS.speed(),
                                geometry.level().space());
        if (violation.isPresent() && isLate(now, from, shot, violation.get().measured())) {
            counters.count("sauerbraten.shot.late");
            return PlaceClaims.Claim.refuted();
        }
        if (!isAllowed(now, from, from.player().id(), violation)) {
            return PlaceClaims.Claim.refuted();
        }
        return places.claim(now, from, eye.minus(EYE), 0, ViolationRule.SHOT_ORIGIN);
    }

    /**
     * Whether the network can have held up a shot so long that its player was there. Positions are
     * not sent again, and overtake a shot that was lost: its player was where it claims before the
     * path that is known.
     *
     * @param distance of the shot from the path, metres
     */
    private static boolean isLate(
            long now, SauerbratenSession from, ActionMessage.Shoot shot, double distance) {
        long heldUp = Math.min(from.guns.heldUpNanos(now, shot), MAX_HELD_UP_NANOS);
        double unknown = (heldUp - Combatant.PATH_NANOS) / 1e9;
        return unknown > 0
                && distance
                        <= Combatant.ORIGIN_ALLOWANCE_METRES
                                + SauerbratenMotion.LIMITS.speed() * unknown;
    }

    private void onRefused(
            long now, SauerbratenSession from, ActionMessage.Shoot shot, GunState.Refusal refusal) {
        counters.count(
                "sauerbraten.shot." + refusal.name().toLowerCase(Locale.ROOT).replace('_', '-'));
        switch (refusal) {
            case TOO_EARLY ->
                    report(
                            now,
                            from,
                            new ShotViolation(
                                    ViolationRule.SHOT_RATE,
                                    from.guns.waited(shot),
                                    from.guns.delayMillis(),
                                    0));
            case RANGE -> {
                double range = Weapon.of(shot.gun()).orElseThrow().range + 1;
                if (GunState.length(shot) > range) {
                    report(
                            now,
                            from,
                            new ShotViolation(
                                    ViolationRule.SHOT_RANGE,
                                    GunState.length(shot) / METRE,
                                    range / METRE,
                                    1 / METRE));
                }
            }
            // Honest clients do these, too: they learn late of a death, of a pick-up that another
            // player got, and the network holds shots up.
            case NO_LIFE, NO_GUN, NO_AMMO, AHEAD -> {}
        }
    }

    private void hitWithRays(
            long now,
            SauerbratenSession from,
            Weapon gun,
            ActionMessage.Shoot shot,
            PlaceClaims.Claim origin) {
        Combatant.Ray ray = line(shot, gun);
        Combatant shooter = from.player().combatant();
        int factor = from.guns.factor(now);
        Function<PlayerId, Optional<ShotViolation>> check =
                judged(
                        from,
                        origin,
                        shot.hits(),
                        victim ->
                                shooter.checkRay(
                                        now, victim, ray, SauerbratenMotion.BODY, gun.spread()));
        origin.whenProven(
                now,
                at -> {
                    long rays =
                            WeaponRules.rayHits(
                                    gun,
                                    factor,
                                    shot.hits(),
                                    hit -> isLiving(from, hit),
                                    (hit, damage) -> hit(at, from, gun, hit, damage, check));
                    if (rays > gun.rays) {
                        report(
                                at,
                                from,
                                new ShotViolation(ViolationRule.RAY_COUNT, rays, gun.rays, 0));
                    }
                });
    }

    /**
     * A check of the victims of a claim. Those of a claim that waits are judged now: later they are
     * elsewhere.
     */
    private Function<PlayerId, Optional<ShotViolation>> judged(
            SauerbratenSession from,
            PlaceClaims.Claim origin,
            List<ActionMessage.Hit> hits,
            Function<PlayerId, Optional<ShotViolation>> check) {
        if (!origin.isWaiting()) {
            return check;
        }
        Map<PlayerId, Optional<ShotViolation>> found = new HashMap<>();
        hits.stream()
                .filter(hit -> isLiving(from, hit))
                .forEach(hit -> found.computeIfAbsent(target(from, hit.target()).id(), check));
        return victim -> found.computeIfAbsent(victim, check);
    }

    void explode(long now, SauerbratenSession from, ActionMessage.Explode explosion) {
        GunState.Projectile projectile = from.guns.explode(explosion);
        if (projectile == null) {
            counters.count("sauerbraten.shot.no-projectile");
            return;
        }
        from.movement.validator().allowImpulse(peerTime.applyAsLong(now));
        broadcaster.send(
                from.cn, new ActionMessage.ExplodeFx(from.cn, explosion.gun(), explosion.id()));
        Weapon gun = projectile.gun();
        // As 32 bits, which wrap.
        int flown = explosion.millis() - explosion.id();
        int longest = gun.flightMillis(GunState.length(projectile.shot())) + LATE_MILLIS;
        if (projectile.origin().isRefuted()) {
            return;
        }
        if (flown > longest && flown <= longest + MAX_STALL_MILLIS) {
            counters.count("sauerbraten.shot.late");
            return;
        }
        if (flown < 0 || flown > longest) {
            report(
                    now,
                    from,
                    new ShotViolation(ViolationRule.FLIGHT_TIME, flown, longest, LATE_MILLIS));
            return;
        }
        if (!from.guns.isInTime(now, explosion)) {
            counters.count("sauerbraten.shot.ahead");
            return;
        }
        hitWithBlast(now, from, projectile, explosion.hits(), flown);
    }

    private void hitWithBlast(
            long now,
            SauerbratenSession from,
            GunState.Projectile projectile,
            List<ActionMessage.Hit> hits,
            long flownMillis) {
        Weapon gun = projectile.gun();
        int factor = from.guns.factor(now);
        Map<PlayerId, Integer> distances = new HashMap<>();
        hits.stream()
                .filter(hit -> isLiving(from, hit))
                .forEach(hit -> distances.putIfAbsent(target(from, hit.target()).id(), hit.dist()));
        List<Combatant.Blast> places = hits.isEmpty() ? List.of() : places(projectile, flownMillis);
        // Only for hits that fail, and once for all of an explosion.
        List<Combatant.Blast> besideEdges = new ArrayList<>();
        CollisionSpace space = geometry.level().space();
        Function<PlayerId, Optional<ShotViolation>> check =
                judged(
                        from,
                        projectile.origin(),
                        hits,
                        victim -> {
                            double distance = distances.getOrDefault(victim, 0) / 16.0 / METRE;
                            Combatant shooter = from.player().combatant();
                            Optional<ShotViolation> violation =
                                    shooter.checkBlast(
                                            now,
                                            victim,
                                            places,
                                            SauerbratenMotion.BODY,
                                            distance,
                                            space);
                            if (violation.isEmpty() || gun != Weapon.GRENADE_LAUNCHER) {
                                return violation;
                            }
                            if (besideEdges.isEmpty()) {
                                besideEdges.addAll(
                                        grenade(projectile)
                                                .besideEdges(
                                                        least(flownMillis), most(flownMillis)));
                            }
                            return violation.filter(_ ->
                                    shooter.checkBlast(
                                                    now,
                                                    victim,
                                                    besideEdges,
                                                    SauerbratenMotion.BODY,
                                                    distance,
                                                    space)
                                            .isPresent());
                        });
        projectile
                .origin()
                .whenProven(
                        now,
                        at ->
                                WeaponRules.blastHits(
                                        gun,
                                        factor,
                                        from.cn,
                                        hits,
                                        hit -> isLiving(from, hit),
                                        (hit, damage) -> hit(at, from, gun, hit, damage, check)));
    }

    /** Places at which a projectile can have exploded after a time. */
    private List<Combatant.Blast> places(GunState.Projectile projectile, long flownMillis) {
        double least = least(flownMillis);
        double most = most(flownMillis);
        if (projectile.gun() == Weapon.GRENADE_LAUNCHER) {
            return grenade(projectile).between(least, most);
        }
        double speed = projectile.gun().projectileSpeed() / METRE;
        return StraightFlight.between(ray(projectile.shot()), speed * least, speed * most);
    }

    private GrenadeFlight grenade(GunState.Projectile projectile) {
        Combatant.Ray ray = ray(projectile.shot());
        return new GrenadeFlight(ray.from(), ray.to(), ray.space());
    }

    private static double least(long flownMillis) {
        return (flownMillis - LATE_MILLIS) / 1000.0;
    }

    private static double most(long flownMillis) {
        return (flownMillis + EARLY_MILLIS) / 1000.0;
    }

    /** Whether the target of a hit has the life that it names. */
    private boolean isLiving(SauerbratenSession from, ActionMessage.Hit hit) {
        Optional<PlayerId> foreign = from.viewer.foreignPlayer(hit.target());
        if (foreign.isPresent()) {
            return hit.lifeseq() == ForeignPlayers.LIFESEQ
                    && arena.player(foreign.get())
                            .filter(target -> target.combatant().isAlive())
                            .isPresent();
        }
        return clients.session(hit.target())
                .filter(SauerbratenSession::isJoined)
                .filter(target -> target.player().combatant().isAlive())
                .filter(target -> target.life.state() == ClientState.ALIVE)
                .filter(target -> target.life.lifeseq() == hit.lifeseq())
                .isPresent();
    }

    private void hit(
            long now,
            SauerbratenSession from,
            Weapon gun,
            ActionMessage.Hit hit,
            int damage,
            Function<PlayerId, Optional<ShotViolation>> check) {
        ArenaPlayer target = target(from, hit.target());
        PlayerId victim = target.id();
        boolean isOwn = victim.equals(from.player().id());
        if (!isOwn) {
            Optional<ShotViolation> violation = check.apply(victim);
            if (gun.hasProjectile() && isBehindWall(violation)) {
                // The original client does not look for walls around its explosions.
                counters.count("sauerbraten.shot.blast-through-wall");
                return;
            }
            if (!isAllowed(now, from, victim, violation)) {
                return;
            }
        }
        Heading direction = isOwn ? Heading.BLANK : WeaponRules.direction(hit.dir());
        Vec3 middle = new Vec3(0, 0, SauerbratenMotion.BODY.height() / 2);
        boolean counted =
                from.player()
                        .combatant()
                        .hit(
                                now,
                                victim,
                                gun.means,
                                damage,
                                WeaponRules.knockback(gun, damage, direction),
                                target.snapshot().movement().position().plus(middle));
        if (!counted) {
            counters.count("sauerbraten.shot.no-effect");
        }
    }

    private static boolean isBehindWall(Optional<ShotViolation> violation) {
        return violation.filter(it -> it.rule() == ViolationRule.SHOT_THROUGH_SOLID).isPresent();
    }

    /** The living target of a hit, by the number that the shooter knows. */
    private ArenaPlayer target(SauerbratenSession from, int cn) {
        return from.viewer
                .foreignPlayer(cn)
                .flatMap(arena::player)
                .orElseGet(() -> clients.session(cn).orElseThrow().player());
    }

    /**
     * @param of whose place was checked
     */
    private boolean isAllowed(
            long now, SauerbratenSession from, PlayerId of, Optional<ShotViolation> violation) {
        if (violation.isPresent()
                && (violation.get().isLate() || from.player().combatant().isNewLife(now, of))) {
            counters.count("sauerbraten.shot.late");
        } else {
            violation.ifPresent(it -> report(now, from, it));
        }
        return violation.isEmpty();
    }

    private void report(long now, SauerbratenSession from, ShotViolation violation) {
        counters.count("sauerbraten.shot.refused");
        from.player().combatant().report(now, violation);
    }

    /** The line of the rays of a shot: those that stray pass an edge that its middle meets. */
    private Combatant.Ray line(ActionMessage.Shoot shot, Weapon gun) {
        Combatant.Ray ray = ray(shot);
        return gun.spread() == 0
                ? ray
                : new Combatant.Ray(ray.from(), ray.at(gun.range / METRE), ray.space());
    }

    private Combatant.Ray ray(ActionMessage.Shoot shot) {
        return new Combatant.Ray(metres(shot.from()), metres(shot.to()), geometry.level().space());
    }

    private Vec3 metres(Point point) {
        return geometry.motion()
                .toCanonical(new Vec3(point.x(), point.y(), point.z()).times(1.0 / 16));
    }
}

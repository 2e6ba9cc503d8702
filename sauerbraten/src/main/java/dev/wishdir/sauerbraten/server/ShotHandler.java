package dev.wishdir.sauerbraten.server;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.arena.Combatant;
import dev.wishdir.arena.PlayerAction;
import dev.wishdir.arena.PlayerId;
import dev.wishdir.arena.ShotViolation;
import dev.wishdir.arena.ViolationRule;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.Counters;
import dev.wishdir.sauerbraten.message.ActionMessage;
import dev.wishdir.sauerbraten.message.Heading;
import dev.wishdir.sauerbraten.message.Point;
import dev.wishdir.sauerbraten.movement.SauerbratenMotion;
import dev.wishdir.sauerbraten.protocol.Gun;

import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongUnaryOperator;

/**
 * Handles shots and explosions in a match. The client says what it hit; the server keeps the
 * original's account of guns and rays, and checks each hit against the level and the victim's path.
 * A hit that fails has no effect, and its shot is shown all the same; the client is not notified.
 */
final class ShotHandler {
    private static final double METRE = SauerbratenMotion.SCALE;

    /** A client draws a projectile a frame early and explodes it some frames late, milliseconds. */
    private static final int EARLY_MILLIS = 100;

    private static final int LATE_MILLIS = 1000;

    /** A shot is lost and sent again for at least this long: docs/protocols/enet.md#timers. */
    private static final long MAX_HELD_UP_NANOS = 5_000_000_000L;

    private final Arena arena;
    private final ClientTable clients;
    private final Broadcaster broadcaster;
    private final MapGeometry geometry;
    private final Counters counters;
    private final LongUnaryOperator peerTime;

    /**
     * @param peerTime the time of the clients, which passed while the server slept
     */
    ShotHandler(
            Arena arena,
            ClientTable clients,
            Broadcaster broadcaster,
            MapGeometry geometry,
            Counters counters,
            LongUnaryOperator peerTime) {
        this.arena = arena;
        this.clients = clients;
        this.broadcaster = broadcaster;
        this.geometry = geometry;
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
        Gun gun = Gun.of(shot.gun()).orElseThrow();
        from.movement.validator().allowImpulse(peerTime.applyAsLong(now));
        broadcaster.send(
                new ActionMessage.ShotFx(from.cn, shot.gun(), shot.id(), shot.from(), shot.to()),
                other ->
                        other != from && (other.viewer.showsBody(from.cn) || !from.life.hasBody()));
        from.player().performAction(now, PlayerAction.ATTACK);
        boolean valid = isPlaced(from) && beganAtPlayer(now, from, shot);
        if (gun.hasProjectile()) {
            guns.launch(new GunState.Projectile(gun, shot, valid));
        } else if (valid) {
            hitWithRays(now, from, gun, shot);
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

    private boolean beganAtPlayer(long now, SauerbratenSession from, ActionMessage.Shoot shot) {
        Optional<ShotViolation> violation =
                from.player()
                        .combatant()
                        .checkOrigin(
                                now,
                                metres(shot.from()),
                                SauerbratenMotion.EYE_HEIGHT / METRE,
                                SauerbratenMotion.LIMITS.speed(),
                                geometry.level().space());
        if (violation.isPresent() && isLate(now, from, shot, violation.get().measured())) {
            counters.count("sauerbraten.shot.late");
            return false;
        }
        return isAllowed(now, from, from.player().id(), violation);
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
                double range = Gun.of(shot.gun()).orElseThrow().range + 1;
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

    private void hitWithRays(long now, SauerbratenSession from, Gun gun, ActionMessage.Shoot shot) {
        Combatant.Ray ray = ray(shot);
        Combatant shooter = from.player().combatant();
        long rays =
                ShotRules.rayHits(
                        gun,
                        from.guns.factor(now),
                        shot.hits(),
                        hit -> isLiving(from, hit),
                        (hit, damage) ->
                                hit(
                                        now,
                                        from,
                                        gun,
                                        hit,
                                        damage,
                                        victim ->
                                                shooter.checkRay(
                                                        now,
                                                        victim,
                                                        ray,
                                                        SauerbratenMotion.BODY,
                                                        gun.spread())));
        if (rays > gun.rays) {
            report(now, from, new ShotViolation(ViolationRule.RAY_COUNT, rays, gun.rays, 0));
        }
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
        Gun gun = projectile.gun();
        long flown = (long) explosion.millis() - explosion.id();
        int longest = gun.flightMillis(GunState.length(projectile.shot())) + LATE_MILLIS;
        if (!projectile.valid()) {
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
        ShotRules.blastHits(
                gun,
                from.guns.factor(now),
                from.cn,
                explosion.hits(),
                hit -> isLiving(from, hit),
                (hit, damage) ->
                        hit(
                                now,
                                from,
                                gun,
                                hit,
                                damage,
                                victim -> checkBlast(now, from, projectile, flown, hit, victim)));
    }

    private Optional<ShotViolation> checkBlast(
            long now,
            SauerbratenSession from,
            GunState.Projectile projectile,
            long flownMillis,
            ActionMessage.Hit hit,
            PlayerId victim) {
        Combatant shooter = from.player().combatant();
        Combatant.Ray ray = ray(projectile.shot());
        double distance = hit.dist() / 16.0 / METRE;
        double speed = projectile.gun().projectileSpeed() / METRE / 1000;
        if (projectile.gun() == Gun.GRENADE_LAUNCHER) {
            double seconds = (flownMillis + EARLY_MILLIS) / 1000.0;
            double fallen = Gun.GRAVITY / METRE / 2 * seconds * seconds;
            double thrown = speed * 1000 * seconds;
            return shooter.checkReach(
                    now, victim, ray.from(), SauerbratenMotion.BODY, thrown + fallen + distance);
        }
        Combatant.Flown flown =
                new Combatant.Flown(
                        speed * (flownMillis - LATE_MILLIS), speed * (flownMillis + EARLY_MILLIS));
        return shooter.checkFlight(now, victim, ray, SauerbratenMotion.BODY, flown, distance);
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
            Gun gun,
            ActionMessage.Hit hit,
            int damage,
            Function<PlayerId, Optional<ShotViolation>> check) {
        ArenaPlayer target = target(from, hit.target());
        PlayerId victim = target.id();
        boolean isOwn = victim.equals(from.player().id());
        if (!isOwn && !isAllowed(now, from, victim, check.apply(victim))) {
            return;
        }
        Heading direction = isOwn ? Heading.BLANK : ShotRules.direction(hit.dir());
        Vec3 middle = new Vec3(0, 0, SauerbratenMotion.BODY.height() / 2);
        boolean counted =
                from.player()
                        .combatant()
                        .hit(
                                now,
                                victim,
                                gun.means,
                                damage,
                                ShotRules.knockback(gun, damage, direction),
                                target.snapshot().movement().position().plus(middle));
        if (!counted) {
            counters.count("sauerbraten.shot.no-effect");
        }
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
        if (violation.isPresent() && from.player().combatant().isNewLife(now, of)) {
            counters.count("sauerbraten.shot.late");
        } else {
            violation.ifPresent(it -> report(now, from, it));
        }
        return violation.isEmpty();
    }

    private void report(long now, SauerbratenSession from, ShotViolation violation) {
        counters.count("sauerbraten.shot.violation");
        from.player().combatant().report(now, violation);
    }

    private Combatant.Ray ray(ActionMessage.Shoot shot) {
        return new Combatant.Ray(metres(shot.from()), metres(shot.to()), geometry.level().space());
    }

    private Vec3 metres(Point point) {
        return geometry.motion()
                .toCanonical(new Vec3(point.x(), point.y(), point.z()).times(1.0 / 16));
    }
}

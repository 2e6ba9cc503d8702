package dev.wishdir.arena.match;

import dev.wishdir.arena.combat.BlastCheck;
import dev.wishdir.arena.combat.Combatant;
import dev.wishdir.arena.combat.HitGeometry;
import dev.wishdir.arena.combat.PathHistory;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.event.ViolationRule;
import dev.wishdir.arena.validation.ShotViolation;
import dev.wishdir.blocks.reach.BodyDimensions;
import dev.wishdir.motion.CollisionSpace;
import dev.wishdir.motion.Vec3;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;

/**
 * Validator of one client's claims, by the paths on which bodies recently were. Its checks are
 * those of {@link Combatant}.
 */
final class ShotValidator {
    /** In which a client learns of a new life, besides what it and the server are late. */
    private static final long NEW_LIFE_NANOS = TimeUnit.SECONDS.toNanos(2);

    private static final long MAX_NEW_LIFE_DELAY_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Fighter shooter;
    private final Fighter.Referee referee;

    ShotValidator(Fighter shooter, Fighter.Referee referee) {
        this.shooter = shooter;
        this.referee = referee;
    }

    /** Age of the paths at which victims of the player's claims may be, nanoseconds. */
    private long window() {
        return Math.min(Combatant.PATH_NANOS, Combatant.HIT_WINDOW_NANOS + roundTripNanos())
                + referee.lateNanos();
    }

    private long roundTripNanos() {
        return TimeUnit.MILLISECONDS.toNanos(shooter.player.snapshot().ping());
    }

    boolean isNewLife(long now, PlayerId id) {
        Fighter other = referee.fighter(id);
        long delay = Math.min(MAX_NEW_LIFE_DELAY_NANOS, roundTripNanos()) + referee.lateNanos();
        return other != null && now - other.lifeBegan() < NEW_LIFE_NANOS + delay;
    }

    /** Age to which the path of a body is looked at, nanoseconds. */
    static long pathNanos(Fighter.Referee referee) {
        return Combatant.PATH_NANOS + referee.lateNanos();
    }

    Optional<ShotViolation> checkOrigin(
            long now, Vec3 from, double eyeHeight, double speed, CollisionSpace space) {
        return checkPlace(now, from, new Vec3(0, 0, eyeHeight), 0, speed, space);
    }

    double distanceFromPath(long now, Vec3 feet) {
        PathHistory own = shooter.knownPath();
        return own == null ? 0 : own.least(now - pathNanos(referee), feet::distance);
    }

    /**
     * Checks that a place was near the body on its recent path, and in its sight.
     *
     * @param up from the feet to what the distance counts from
     * @param reach of the body besides the allowance
     */
    Optional<ShotViolation> checkPlace(
            long now, Vec3 from, Vec3 up, double reach, double speed, CollisionSpace space) {
        return checked(
                now,
                now - pathNanos(referee),
                since -> checkPlaceSince(since, now, from, up, reach, speed, space));
    }

    /** A check from a time on; what only a check of the whole known path allows is late. */
    private static Optional<ShotViolation> checked(
            long now, long since, LongFunction<Optional<ShotViolation>> check) {
        return check.apply(since)
                .map(violation ->
                        check.apply(now - PathHistory.SPAN_NANOS).isEmpty()
                                ? violation.asLate()
                                : violation);
    }

    private Optional<ShotViolation> checkPlaceSince(
            long since,
            long now,
            Vec3 from,
            Vec3 up,
            double reach,
            double speed,
            CollisionSpace space) {
        PathHistory own = shooter.knownPath();
        if (own == null) {
            return Optional.empty();
        }
        double unheard = Math.min(own.age(now), pathNanos(referee)) / 1e9;
        double allowance = reach + Combatant.ORIGIN_ALLOWANCE_METRES + speed * unheard;
        double away =
                from.isFinite()
                        ? own.least(since, feet -> feet.plus(up).distance(from))
                        : Double.MAX_VALUE;
        if (away > allowance) {
            return Optional.of(
                    new ShotViolation(ViolationRule.SHOT_ORIGIN, away, allowance, allowance));
        }
        double clear =
                own.least(
                        since,
                        feet ->
                                HitGeometry.isClear(
                                                space,
                                                feet.plus(up),
                                                from,
                                                Combatant.HIT_ALLOWANCE_METRES)
                                        ? 0
                                        : 1);
        return clear == 0
                ? Optional.empty()
                : Optional.of(new ShotViolation(ViolationRule.SHOT_THROUGH_SOLID, away, 0, 0));
    }

    Optional<ShotViolation> checkRay(
            long now, PlayerId victimId, Combatant.Ray ray, BodyDimensions body, double spread) {
        return checked(
                now,
                now - window(),
                since -> checkRaySince(since, now, victimId, ray, body, spread));
    }

    private Optional<ShotViolation> checkRaySince(
            long since,
            long now,
            PlayerId victimId,
            Combatant.Ray ray,
            BodyDimensions body,
            double spread) {
        PathHistory way = path(victimId);
        if (way == null) {
            return Optional.empty();
        }
        double away = way.least(since, feet -> distanceFrom(ray, feet, body, spread));
        if (!(away <= Combatant.HIT_ALLOWANCE_METRES)) {
            return Optional.of(
                    new ShotViolation(
                            ViolationRule.HIT_DISTANCE,
                            away,
                            Combatant.HIT_ALLOWANCE_METRES,
                            Combatant.HIT_ALLOWANCE_METRES));
        }
        double clear =
                way.least(
                        since,
                        feet ->
                                distanceFrom(ray, feet, body, spread)
                                                        <= Combatant.HIT_ALLOWANCE_METRES
                                                && HitGeometry.isSeen(
                                                        ray.space(),
                                                        ray.from(),
                                                        feet,
                                                        body,
                                                        Combatant.HIT_ALLOWANCE_METRES)
                                        ? 0
                                        : 1);
        return clear == 0
                ? Optional.empty()
                : Optional.of(
                        new ShotViolation(
                                ViolationRule.SHOT_THROUGH_SOLID,
                                ray.from().distance(way.at(now)),
                                0,
                                0));
    }

    /** The path of a player; null if none is known. */
    private @Nullable PathHistory path(PlayerId id) {
        Fighter other = referee.fighter(id);
        return other == null ? null : other.knownPath();
    }

    private static double distanceFrom(
            Combatant.Ray ray, Vec3 feet, BodyDimensions body, double spread) {
        double strayed = spread * ray.from().distance(feet);
        return Math.max(0, HitGeometry.distance(ray.from(), ray.to(), feet, body) - strayed);
    }

    Optional<ShotViolation> checkBlast(
            long now,
            PlayerId victimId,
            List<Combatant.Blast> places,
            BodyDimensions body,
            double distance,
            CollisionSpace space) {
        return checked(
                now,
                now - pathNanos(referee),
                since -> checkBlastSince(since, now, victimId, places, body, distance, space));
    }

    private Optional<ShotViolation> checkBlastSince(
            long since,
            long now,
            PlayerId victimId,
            List<Combatant.Blast> places,
            BodyDimensions body,
            double distance,
            CollisionSpace space) {
        PathHistory way = path(victimId);
        if (way == null) {
            return Optional.empty();
        }
        BlastCheck check = new BlastCheck(since, now, way, body, Math.max(0, distance), space);
        // Most explode at the end of the time in which they can have.
        for (Combatant.Blast place : places.reversed()) {
            if (check.isHit(place)) {
                return Optional.empty();
            }
        }
        return Optional.of(check.violation());
    }
}

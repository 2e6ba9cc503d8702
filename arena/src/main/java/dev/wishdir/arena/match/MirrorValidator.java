package dev.wishdir.arena.match;

import dev.wishdir.arena.combat.PathHistory;
import dev.wishdir.arena.combat.WeaponLimit;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.MirrorResult;
import dev.wishdir.arena.validation.Allowance;
import dev.wishdir.motion.Vec3;

import java.util.concurrent.TimeUnit;

/** Validator of what other servers report of one player. */
final class MirrorValidator {
    /** Time after which the place of a player without a body here is not judged. */
    private static final long UNKNOWN_PATH_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** A missile that was launched with quad damage has it until it hits. */
    private static final long QUAD_GRACE_NANOS = TimeUnit.SECONDS.toNanos(3);

    private final Fighter fighter;
    private final Fighter.Referee referee;

    /** Seconds of fire that its server may still report, at the rate of what it fires with. */
    private final Allowance fire = new Allowance(WeaponLimit.MAX_FIRE_SECONDS, 1);

    MirrorValidator(Fighter fighter, Fighter.Referee referee) {
        this.fighter = fighter;
        this.referee = referee;
    }

    /**
     * Checks a hit of this player by one of another server, which has applied its damage factor.
     *
     * @param made time at which the other server reported it
     */
    MirrorResult checkHit(Fighter attacker, ArenaEvent.Hit hit, long made) {
        long now = hit.time();
        WeaponLimit limit = WeaponLimit.of(hit.means());
        MirrorValidator other = attacker.mirrorValidator();
        double factor = other.maxFactor(now);
        if (!wasNear(now, made, hit.place())
                || hit.damage() > limit.damage() * factor
                || !other.wasWithin(limit.range(), now, made, hit.place())) {
            return MirrorResult.IMPOSSIBLE;
        }
        if (!other.fire.trySpend(now, hit.damage() / (limit.perSecond() * factor))) {
            return MirrorResult.TOO_MUCH;
        }
        return MirrorResult.TAKEN;
    }

    /** Largest factor of the damage of its weapons, by the rules of this server. */
    private double maxFactor(long now) {
        boolean hasQuad = now - fighter.quadUntil() < QUAD_GRACE_NANOS;
        return Math.max(1, referee.rules().damageFactor(fighter.player.game()))
                * (hasQuad ? WeaponLimit.QUAD_FACTOR : 1);
    }

    /** Whether it may have been at a place, of which another server reports. */
    private boolean wasNear(long now, long made, Vec3 place) {
        return wasWithin(0, now, made, place);
    }

    private boolean wasWithin(double range, long now, long made, Vec3 place) {
        PathHistory path = fighter.knownPath();
        double late = Math.max(0, now - made) / 1e9;
        double away =
                path == null
                        ? fighter.player.movement().position().distance(place)
                        : path.least(
                                now - ShotValidator.pathNanos(referee),
                                feet -> feet.distance(place));
        return away
                <= range + SharedMatch.PLACE_METRES + late * SharedMatch.PLACE_METRES_PER_SECOND;
    }

    /** Checks that the player was at a place. */
    MirrorResult reached(long now, long made, Vec3 place) {
        if (fighter.knownPath() == null) {
            // It has had no body here, so it may have been anywhere a while ago.
            return now - made < UNKNOWN_PATH_NANOS ? MirrorResult.NO_EFFECT : MirrorResult.TAKEN;
        }
        return wasNear(now, made, place) ? MirrorResult.TAKEN : MirrorResult.IMPOSSIBLE;
    }
}

package dev.wishdir.arena.flag;

import dev.wishdir.arena.event.Level;
import dev.wishdir.arena.player.ActiveLevels;
import dev.wishdir.arena.player.ActivePlayer;
import dev.wishdir.motion.CollisionSpace;
import dev.wishdir.motion.Vec3;

import java.util.Optional;

/** The reach of players to flags, and the places where flags may lie, by the levels. */
final class FlagReach {
    /** Distance by which the places of other servers are rounded. */
    static final double ROUNDING_METRES = 0.01;

    /** Height above the feet at which walls between a player and a flag count. */
    private static final Vec3 SIGHT = new Vec3(0, 0, 1);

    /** The width of the box that traces a line of sight. */
    private static final double LINE_METRES = 0.02;

    /** The box that a flag needs to stand in. */
    private static final double WIDTH_METRES = 0.5;

    /** A flag falls from this far above the feet, which may be in the floor by rounding. */
    private static final Vec3 LIFT = new Vec3(0, 0, 0.25);

    private static final double MAX_FALL_METRES = 64;

    /** Distance before its player at which a flag falls that a key drops. */
    private static final double THROW_METRES = 1;

    private final ActiveLevels levels;

    FlagReach(ActiveLevels levels) {
        this.levels = levels;
    }

    boolean isReached(FlagCarrier player, Vec3 feet, Vec3 place) {
        return isNear(player, feet, place) && isInSight(player, feet, place);
    }

    static boolean isNear(FlagCarrier player, Vec3 feet, Vec3 place) {
        Vec3 away = place.minus(feet);
        double more = player.player().id.isOfOtherServer() ? ROUNDING_METRES : 0;
        return away.horizontal() <= Flags.MAX_TOUCH_METRES + more
                && away.z() >= Flags.MIN_TOUCH_HEIGHT_METRES - more
                && away.z() <= Flags.MAX_TOUCH_HEIGHT_METRES + more;
    }

    boolean isInSight(FlagCarrier player, Vec3 feet, Vec3 place) {
        return isClear(space(player.player()), feet.plus(SIGHT), place.plus(SIGHT));
    }

    private static boolean isClear(CollisionSpace space, Vec3 from, Vec3 to) {
        return space.free(from, to, LINE_METRES, LINE_METRES) >= 1;
    }

    private CollisionSpace space(ActivePlayer player) {
        return levels.level(player.game()).space();
    }

    /** The place from which a flag falls that a key drops: before the player if that is free. */
    Vec3 thrown(ActivePlayer player) {
        Vec3 feet = player.movement().position();
        double yaw = Math.toRadians(player.movement().yaw());
        Vec3 ahead = feet.plus(new Vec3(Math.cos(yaw), Math.sin(yaw), 0).times(THROW_METRES));
        CollisionSpace space = space(player);
        boolean isFree =
                isClear(space, feet.plus(SIGHT), ahead.plus(SIGHT))
                        && space.fits(ahead.plus(LIFT), WIDTH_METRES, WIDTH_METRES);
        return isFree ? ahead : feet;
    }

    /** Whether a flag of another server may lie there. */
    boolean isInside(Vec3 at) {
        return levels.bounds().contains(at.plus(LIFT));
    }

    /**
     * The ground below a place; empty if there is none within reach, or it is outside, or in what
     * kills.
     */
    Optional<Vec3> ground(ActivePlayer player, Vec3 feet) {
        Level level = levels.level(player.game());
        if (level.space().equals(CollisionSpace.OPEN)) {
            // Nothing is known of its solids.
            return Optional.of(feet).filter(level.bounds()::contains);
        }
        Vec3 from = feet.plus(LIFT);
        Vec3 down = new Vec3(0, 0, -MAX_FALL_METRES);
        double part = level.space().free(from, from.plus(down), WIDTH_METRES, WIDTH_METRES);
        if (part >= 1 || !level.space().fits(from, WIDTH_METRES, WIDTH_METRES)) {
            return Optional.empty();
        }
        return Optional.of(from.plus(down.times(part)))
                .filter(at -> level.bounds().contains(at.plus(LIFT)))
                .filter(at -> !level.space().isDeadly(at.plus(LIFT)));
    }
}

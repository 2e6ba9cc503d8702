package dev.wishdir.arena;

import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Stance;
import dev.wishdir.motion.Vec3;
import dev.wishdir.world.CollisionSpace;
import dev.wishdir.world.Medium;

import java.util.LinkedHashMap;
import java.util.Map;

/** What is played, by each game, and the bounds of all of it. */
final class ActiveLevels {
    private Level level;
    private final Map<String, Level> levels = new LinkedHashMap<>();
    private Bounds bounds;

    /**
     * @param level what is played by games that play nothing of their own
     */
    ActiveLevels(Level level) {
        this.level = level;
        bounds = level.bounds();
    }

    Level level() {
        return level;
    }

    Level level(String game) {
        return levels.getOrDefault(game, level);
    }

    Bounds bounds() {
        return bounds;
    }

    /**
     * A game plays this from now on.
     *
     * @return whether it is something else than before
     */
    boolean setLevel(String game, Level played) {
        Level before = levels.put(game, played);
        if (before != null && before.isSame(played)) {
            return false;
        }
        measure();
        return true;
    }

    /** What is played by games that play nothing of their own is this from now on. */
    void setLevel(Level played) {
        level = played;
        measure();
    }

    private void measure() {
        bounds = level.bounds();
        for (Level each : levels.values()) {
            bounds = bounds.including(each.bounds());
        }
    }

    /** The middle of all, looking along x. */
    Movement middle() {
        return Movement.at(bounds.center(), 0);
    }

    /** The movement in what a game plays, inside the bounds, and in water where that is. */
    Movement placed(String game, Movement movement) {
        Movement there = clamped(movement);
        Vec3 waist = there.position().plus(new Vec3(0, 0, CollisionSpace.WAIST));
        return level(game).space().medium(waist) == Medium.WATER
                ? new Movement(
                        there.position(),
                        there.yaw(),
                        there.pitch(),
                        there.velocity(),
                        there.stance().with(Stance.Flag.IN_WATER))
                : there;
    }

    /** The movement, inside the bounds; the middle where it is not valid. */
    Movement clamped(Movement movement) {
        if (!movement.isValid()) {
            return middle();
        }
        return bounds.contains(movement.position())
                ? movement
                : new Movement(
                        bounds.clamp(movement.position()),
                        movement.yaw(),
                        movement.pitch(),
                        movement.velocity(),
                        movement.stance());
    }
}

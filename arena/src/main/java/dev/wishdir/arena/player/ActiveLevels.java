package dev.wishdir.arena.player;

import dev.wishdir.arena.event.Level;
import dev.wishdir.motion.Bounds;
import dev.wishdir.motion.CollisionSpace;
import dev.wishdir.motion.Medium;
import dev.wishdir.motion.Movement;
import dev.wishdir.motion.Stance;
import dev.wishdir.motion.Vec3;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** The level that each game plays, and the bounds around all of them. */
public final class ActiveLevels {
    private Level level;
    private final Map<String, Level> levels = new LinkedHashMap<>();
    private Bounds bounds;

    /**
     * @param level played by every game that sets no level of its own
     */
    public ActiveLevels(Level level) {
        this.level = level;
        bounds = level.bounds();
    }

    public Level level() {
        return level;
    }

    public Level level(String game) {
        return levels.getOrDefault(game, level);
    }

    public Bounds bounds() {
        return bounds;
    }

    /**
     * What the shared level has if a game plays it, or if no game has set a level; else the level
     * of the first game that has it.
     */
    public <T> Optional<T> first(Function<Level, Optional<T>> part) {
        boolean isShared = levels.isEmpty() || levels.values().stream().anyMatch(level::isSame);
        return Stream.concat(isShared ? Stream.of(level) : Stream.of(), levels.values().stream())
                .flatMap(each -> part.apply(each).stream())
                .findFirst();
    }

    /**
     * Sets the level of one game.
     *
     * @return whether it differs from the one before
     */
    public boolean setLevel(String game, Level played) {
        Level before = levels.put(game, played);
        if (before != null && before.isSame(played)) {
            return false;
        }
        updateBounds();
        return true;
    }

    /** Sets the level of the games that set none of their own. */
    public void setLevel(Level played) {
        level = played;
        updateBounds();
    }

    private void updateBounds() {
        bounds = level.bounds();
        for (Level each : levels.values()) {
            bounds = bounds.union(each.bounds());
        }
    }

    /** A movement at the centre of the bounds, looking along x. */
    public Movement middle() {
        return Movement.at(bounds.center(), 0);
    }

    /**
     * The movement clamped to the bounds, flagged as in water if the game's level has water there.
     */
    public Movement placed(String game, Movement movement) {
        Movement there = clamped(movement);
        Vec3 waist = there.position().plus(new Vec3(0, 0, CollisionSpace.WAIST_METRES));
        return level(game).space().medium(waist) == Medium.WATER
                ? new Movement(
                        there.position(),
                        there.yaw(),
                        there.pitch(),
                        there.velocity(),
                        there.stance().with(Stance.Flag.IN_WATER))
                : there;
    }

    /** The movement clamped to the bounds; {@link #middle} if it is not valid. */
    public Movement clamped(Movement movement) {
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

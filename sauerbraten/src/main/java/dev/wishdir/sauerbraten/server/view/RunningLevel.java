package dev.wishdir.sauerbraten.server.view;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.Level;
import dev.wishdir.sauerbraten.map.MoveTriggers;
import dev.wishdir.sauerbraten.movement.SauerbratenMotion;
import dev.wishdir.sauerbraten.protocol.SauerbratenCodec;

import java.util.Optional;

/**
 * The geometry of the current map: where its coordinates are in the arena, its move triggers and
 * its collision space. Edits of players make the last two unknown until a map is started again.
 */
public final class RunningLevel {
    private final Arena arena;
    private SauerbratenMotion motion;
    private Optional<MoveTriggers> triggers = Optional.empty();
    private boolean edited;

    /**
     * @param motion of the first map
     */
    public RunningLevel(Arena arena, SauerbratenMotion motion) {
        this.arena = arena;
        this.motion = motion;
    }

    /** The conversion between the coordinates of the map and canonical ones. */
    public SauerbratenMotion motion() {
        return motion;
    }

    public void setMotion(SauerbratenMotion next) {
        motion = next;
    }

    /**
     * Starts a map as its file has it, and sets the level of this game in the arena.
     *
     * @param moveTriggers of the map; empty if they are unknown
     */
    public void start(long now, Level level, Optional<MoveTriggers> moveTriggers) {
        edited = false;
        triggers = moveTriggers;
        arena.setLevel(now, SauerbratenCodec.GAME, level);
    }

    /** A player edits the map, or replaces it. */
    public void onEdited() {
        edited = true;
    }

    /** The move triggers of the map; empty if they are unknown. */
    public Optional<MoveTriggers> moveTriggers() {
        return edited ? Optional.empty() : triggers;
    }

    /** The level that is played, as far as it is known. */
    public Level level() {
        Level level = arena.level(SauerbratenCodec.GAME);
        return edited ? new Level(level.name(), level.bounds()) : level;
    }
}

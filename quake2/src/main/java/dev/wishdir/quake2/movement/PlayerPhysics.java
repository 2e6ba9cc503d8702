package dev.wishdir.quake2.movement;

import dev.wishdir.quake2.message.PlayerState;
import dev.wishdir.quake2.message.UserCmd;
import dev.wishdir.world.PlaneWorld;

import java.util.List;

/** Moves a body through a map by commands (Pmove). See docs/protocols/quake2.md, 6. */
public interface PlayerPhysics {
    /** Map contents that block a living player: solid, window, player clip, monsters. */
    int STOPS_PLAYERS = 0x201_0003;

    /** Map contents that are climbed. */
    int LADDER = 0x2000_0000;

    /** The game's own physics in a map, with the default air acceleration of 0. */
    static PlayerPhysics in(PlaneWorld map) {
        return new Pmove(map, 0);
    }

    /**
     * Sets the bodies of others as obstacles for the following commands, except those that the body
     * overlaps, so that it can leave them.
     */
    void setObstacles(PlayerState body, List<PlayerState> others);

    /**
     * Runs a command.
     *
     * @param changed whether the game placed or pushed the body since the last command
     * @return the new state: origin, velocity, flags, time, view angles and view offset
     */
    PlayerState run(PlayerState state, UserCmd cmd, boolean changed);
}

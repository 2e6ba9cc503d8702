package dev.wishdir.quake2.movement;

import dev.wishdir.quake2.message.PlayerState;
import dev.wishdir.quake2.message.UserCmd;
import dev.wishdir.world.PlaneWorld;

import java.util.List;

/** How commands move a body through a map. See docs/protocols/quake2.md, 6. */
public interface PlayerPhysics {
    /** The contents of a map that stop a living player: solid, window, clip, monsters. */
    int STOPS_PLAYERS = 0x201_0003;

    /** The contents of a map that are climbed. */
    int LADDER = 0x2000_0000;

    /** The game's own, in a map, with a server's usual acceleration in the air. */
    static PlayerPhysics in(PlaneWorld map) {
        return new Pmove(map, 0);
    }

    /**
     * Puts the bodies of others in the way of the commands that follow, except those that the body
     * is in already, so that it can leave them.
     */
    void among(PlayerState body, List<PlayerState> others);

    /**
     * Runs a command.
     *
     * @param changed whether the game placed or pushed the body since the last command
     * @return the state after it: origin, velocity, flags and time, view angles and offset
     */
    PlayerState run(PlayerState state, UserCmd cmd, boolean changed);
}

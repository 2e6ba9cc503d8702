package dev.wishdir.quake2;

import dev.wishdir.quake2.message.PlayerState;
import dev.wishdir.quake2.message.UserCmd;

/** How commands move a body through a map. */
@FunctionalInterface
interface Physics {
    /**
     * Runs a command.
     *
     * @param changed whether the game placed or pushed the body since the last command
     * @return the state after it: origin, velocity, flags and time, view angles and offset
     */
    PlayerState run(PlayerState state, UserCmd cmd, boolean changed);
}

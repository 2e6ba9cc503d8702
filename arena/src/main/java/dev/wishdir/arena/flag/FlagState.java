package dev.wishdir.arena.flag;

import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.motion.Vec3;

/** The place of a flag. Times are nanoseconds of the arena's clock. */
public sealed interface FlagState {
    /** It stands at its base. */
    record Home() implements FlagState {}

    /**
     * A player has it.
     *
     * @param since when the player took it
     */
    record Carried(PlayerId by, long since) implements FlagState {}

    /**
     * It lies in the level.
     *
     * @param until when it comes home if no player touches it
     */
    record Dropped(Vec3 at, long until) implements FlagState {}
}

package dev.wishdir.arena.flag;

import dev.wishdir.arena.event.MirrorResult;
import dev.wishdir.arena.event.Team;
import dev.wishdir.arena.player.ActivePlayer;
import dev.wishdir.motion.Vec3;

import java.util.Optional;

/** A player of the match as the flags see it. */
public interface FlagCarrier {
    ActivePlayer player();

    /** Its team; empty in a match without teams. */
    Optional<Team> team();

    /** Whether it has a life, here or at its own server. */
    boolean canTouchFlags();

    /**
     * Whether it can have been at a place, of which another server reports.
     *
     * @param made when it was there
     * @param place of its feet
     */
    MirrorResult reached(long now, long made, Vec3 place);
}

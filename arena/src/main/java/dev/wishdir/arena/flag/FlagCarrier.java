package dev.wishdir.arena.flag;

import dev.wishdir.arena.event.Team;
import dev.wishdir.arena.player.ActivePlayer;

import java.util.Optional;

/** A player of the match as the flags see it. */
public interface FlagCarrier {
    ActivePlayer player();

    /** Its team; empty in a match without teams. */
    Optional<Team> team();

    /** Whether it has a life, and a client of this server. */
    boolean canTouchFlags();
}

package dev.wishdir.bedrock.server.view;

import dev.wishdir.arena.ArenaPlayer;

import java.util.Optional;

/** The players whose bodies a client is shown. */
@FunctionalInterface
public interface ShownPlayers {
    /** The player that the client is shown as an actor, by runtime id; empty if there is none. */
    Optional<ArenaPlayer> shown(long actor);
}

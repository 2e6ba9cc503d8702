package dev.wishdir.sauerbraten.server.session;

import dev.wishdir.sauerbraten.combat.GameMode;

/** The map and mode for which a player votes. */
public record MapVote(String map, GameMode mode) {
    @Override
    public String toString() {
        return mode.title() + " on map " + map;
    }
}

package dev.wishdir.quake3.server.view;

import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.quake3.movement.PlayerBody;
import dev.wishdir.quake3.netchan.InfoString;

import org.jspecify.annotations.Nullable;

/** A player with a session at this endpoint, as the sessions of others use it. */
public interface LocalPlayer {
    /** The slot of its client. */
    int clientNum();

    PlayerBody body();

    InfoString userinfo();

    /** Finds the players of an endpoint. */
    @FunctionalInterface
    interface Lookup {
        /** The local player of this id; null if it is a foreign player. */
        @Nullable LocalPlayer find(PlayerId id);
    }
}

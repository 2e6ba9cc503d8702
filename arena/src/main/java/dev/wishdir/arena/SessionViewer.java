package dev.wishdir.arena;

import dev.wishdir.arena.relay.Viewer;

/** The viewer of a session, which holds the handle of its own player. */
public interface SessionViewer extends Viewer {
    /**
     * Its own player has joined, and is here. {@link Arena#join} calls it once, before it sends any
     * event: what the endpoint knows by the player must be known before another viewer hears of it.
     * Must not change the arena, as others don't know the player yet.
     *
     * @param player the handle that {@link Arena#join} returns; may already have left when it does
     */
    void onJoined(ArenaPlayer player);
}

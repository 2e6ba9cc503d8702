package dev.wishdir.quake2.server.combat;

import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.quake2.message.ServerMessage;

/** Takes effects: messages that belong into the next frame, and are lost with it. */
public interface EffectSink {
    /**
     * Sends an effect to the clients that see a player, and to its own.
     *
     * @param least whether it is the first to be dropped where there is no room for all
     */
    void send(PlayerId near, ServerMessage effect, boolean least);

    /** Sends an effect that is not the first to be dropped. */
    default void send(PlayerId near, ServerMessage effect) {
        send(near, effect, false);
    }
}

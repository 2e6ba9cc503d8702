package dev.wishdir.quake2.server.session;

import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.quake2.message.ServerMessage;
import dev.wishdir.quake2.server.combat.EffectSink;
import dev.wishdir.quake2.server.view.PlayerEntityTable;

/** Sends effects to the clients that see where they happen. */
public final class EffectBroadcaster implements EffectSink {
    private final ClientTable clients;
    private final PlayerEntityTable entityTable;

    public EffectBroadcaster(ClientTable clients, PlayerEntityTable entityTable) {
        this.clients = clients;
        this.entityTable = entityTable;
    }

    @Override
    public void send(PlayerId near, ServerMessage effect, boolean least) {
        int entity = entityTable.slot(near) + 1;
        for (Quake2Session session : clients.all()) {
            if (session.isInGame() && session.player().visibleEntities().get(entity)) {
                session.effect(effect, least);
            }
        }
    }
}

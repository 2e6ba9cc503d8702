package dev.wishdir.bedrock.server;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.bedrock.server.movement.DropCounter;
import dev.wishdir.bedrock.server.session.ClientTable;
import dev.wishdir.bedrock.server.view.HeldItems;
import dev.wishdir.bedrock.server.view.MovementCache;
import dev.wishdir.bedrock.server.view.PlayerIdentities;
import dev.wishdir.bedrock.server.view.RunningLevel;
import dev.wishdir.bedrock.server.view.RunningLevel.World;
import dev.wishdir.game.EndpointContext;

/** State of an endpoint that its handlers share: clients, what they are shown, and the world. */
final class Shared {
    final EndpointContext context;
    final Arena arena;
    final ClientTable clients = new ClientTable();
    final PlayerIdentities identities;
    final RunningLevel world;
    final HeldItems heldItems;
    final MovementCache movementCache = new MovementCache();
    final DropCounter drops;

    Shared(EndpointContext context, long now, World first) {
        this.context = context;
        arena = context.arena();
        identities = new PlayerIdentities(context.random().nextLong());
        world = new RunningLevel(now, arena, first);
        heldItems = new HeldItems(identities, this::relayHeldItem);
        drops = reason -> context.counters().count("bedrock.drop." + reason);
    }

    private void relayHeldItem(PlayerId id) {
        clients.all().forEach(session -> session.onHeld(id));
    }
}

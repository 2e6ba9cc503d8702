package dev.wishdir.bedrock.server;

import dev.wishdir.arena.ArenaEvent;
import dev.wishdir.arena.ArenaListener;

/** Carries out on the clients of this endpoint what the match of the arena decides. */
final class CombatListener implements ArenaListener {
    private final ClientTable clients;
    private final HeldItems heldItems;

    CombatListener(ClientTable clients, HeldItems heldItems) {
        this.clients = clients;
        this.heldItems = heldItems;
    }

    /** An event of the arena, after the viewers have received it. */
    @Override
    public void onEvent(ArenaEvent event) {
        switch (event) {
            case ArenaEvent.Hit hit -> {
                heldItems.onHit(hit);
                clients.all().forEach(session -> session.onHit(hit));
            }
            case ArenaEvent.Died died -> clients.all().forEach(session -> session.onDied(died));
            case ArenaEvent.RoundStarted started ->
                    clients.all()
                            .forEach(session -> {
                                session.onRoundStarted(started.time());
                                session.onItemsChanged();
                            });
            case ArenaEvent.ItemTaken taken ->
                    clients.all().forEach(session -> session.onItemTaken(taken));
            case ArenaEvent.ItemReturned _ ->
                    clients.all().forEach(session -> session.onItemsChanged());
            case ArenaEvent.Left left -> heldItems.forget(left.id());
            default -> {
                // It is about no fight.
            }
        }
    }
}

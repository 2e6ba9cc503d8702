package dev.wishdir.bedrock.server;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.ArenaListener;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.bedrock.server.session.ClientTable;
import dev.wishdir.bedrock.server.view.HeldItems;

/** Carries out on the clients of this endpoint what the match and the arena decide. */
final class CombatListener implements ArenaListener {
    private final ClientTable clients;
    private final HeldItems heldItems;
    private final Arena arena;

    CombatListener(ClientTable clients, HeldItems heldItems, Arena arena) {
        this.arena = arena;
        this.clients = clients;
        this.heldItems = heldItems;
    }

    /** An event of the arena, after the viewers have received it. */
    @Override
    public void onEvent(ArenaEvent event) {
        switch (event) {
            case ArenaEvent.Hit hit -> {
                heldItems.onHit(hit);
                heldItems.wear(hit.id(), hit.vitals().armour());
                clients.all().forEach(session -> session.onHit(hit));
            }
            case ArenaEvent.Died died -> clients.all().forEach(session -> session.onDied(died));
            case ArenaEvent.RoundStarted started ->
                    clients.all()
                            .forEach(session -> {
                                session.onRoundStarted(started.time());
                                session.onItemsChanged();
                            });
            case ArenaEvent.Spawned spawned -> showArmour(spawned.id());
            case ArenaEvent.ItemTaken taken -> {
                showArmour(taken.id());
                clients.all().forEach(session -> session.onItemTaken(taken));
            }
            case ArenaEvent.ItemVanished _, ArenaEvent.ItemReturned _ ->
                    clients.all().forEach(session -> session.onItemsChanged());
            case ArenaEvent.Renamed renamed ->
                    clients.all().forEach(session -> session.onRenamed(renamed));
            case ArenaEvent.Left left -> heldItems.forget(left.id());
            default -> {
                // Viewers show it.
            }
        }
    }

    private void showArmour(PlayerId id) {
        arena.player(id)
                .ifPresent(player -> heldItems.wear(id, player.combatant().vitals().armour()));
    }
}

package dev.wishdir.bedrock.server;

import dev.wishdir.arena.event.ArenaListener;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.bedrock.combat.HitCoolDown;
import dev.wishdir.bedrock.server.combat.CombatServices;
import dev.wishdir.bedrock.server.session.ClientTable;
import dev.wishdir.motion.Vec3;

import java.util.List;

/** Parts of an endpoint that the weapons of all its clients use. */
final class Combat {
    final CombatServices services;

    /** Listeners to the arena, in the order in which they hear its events. */
    final List<ArenaListener> listeners;

    private final ClientTable clients;

    Combat(Shared shared) {
        clients = shared.clients;
        services =
                new CombatServices(
                        shared.arena,
                        shared.world,
                        shared.identities,
                        shared.heldItems,
                        new HitCoolDown(),
                        this::relayCritical,
                        this::relaySound,
                        shared.context.random(),
                        shared.drops);
        listeners = List.of(new CombatListener(clients, shared.heldItems, shared.arena));
    }

    /** Shows the swing of a player's arm to the clients. */
    void relaySwing(PlayerId id) {
        clients.all().forEach(session -> session.onSwing(id));
    }

    private void relayCritical(PlayerId id) {
        clients.all().forEach(session -> session.onCritical(id));
    }

    private void relaySound(String name, Vec3 place) {
        clients.all().forEach(session -> session.onSound(name, place));
    }
}

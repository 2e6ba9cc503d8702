package dev.wishdir.quake3.server;

import dev.wishdir.arena.NativeMovement;
import dev.wishdir.arena.Player;
import dev.wishdir.arena.PlayerId;
import dev.wishdir.motion.Movement;
import dev.wishdir.quake3.message.EntityField;
import dev.wishdir.quake3.message.EntityState;
import dev.wishdir.quake3.movement.Quake3Motion;
import dev.wishdir.quake3.movement.Quake3Movement;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Players as entities: made once for each movement and slot, so that all clients who see it share
 * one state, and what is made of it.
 */
final class Entities {
    private static final class Seen {
        final Movement movement;
        final NativeMovement nativeMovement;
        final EntityState state;
        final @Nullable EntityState[] inSlots = new EntityState[EntityState.MAX_CLIENTS];

        Seen(Player player) {
            movement = player.movement();
            nativeMovement = player.nativeMovement();
            Optional<EntityState> own = Quake3Movement.state(nativeMovement);
            state = own.orElseGet(() -> Quake3Motion.entity(movement));
        }
    }

    private final Map<PlayerId, Seen> seen = new HashMap<>();

    /** What is seen of a player in a slot. */
    EntityState of(Player player, int slot) {
        Seen known = seen.get(player.id());
        if (known == null
                || !known.nativeMovement.equals(player.nativeMovement())
                || !known.movement.equals(player.movement())) {
            known = new Seen(player);
            seen.put(player.id(), known);
        }
        EntityState state = known.inSlots[slot];
        if (state == null) {
            state = known.state.with(EntityField.CLIENT_NUM, slot);
            known.inSlots[slot] = state;
        }
        return state;
    }

    /** A player has left. */
    void forget(PlayerId player) {
        seen.remove(player);
    }
}

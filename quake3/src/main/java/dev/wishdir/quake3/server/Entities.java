package dev.wishdir.quake3.server;

import dev.wishdir.arena.NativeMovement;
import dev.wishdir.arena.Player;
import dev.wishdir.arena.PlayerId;
import dev.wishdir.motion.Movement;
import dev.wishdir.quake3.message.EntityField;
import dev.wishdir.quake3.message.EntityState;
import dev.wishdir.quake3.movement.Body;
import dev.wishdir.quake3.movement.Quake3Motion;
import dev.wishdir.quake3.movement.Quake3Movement;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

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

        /**
         * @param flags that differ while it is where it has teleported to an odd number of times
         */
        Seen(Player player, int flags) {
            movement = player.movement();
            nativeMovement = player.nativeMovement();
            Optional<EntityState> own = Quake3Movement.state(nativeMovement);
            state =
                    own.orElseGet(() -> {
                        EntityState foreign = Quake3Motion.entity(movement);
                        int old = foreign.get(EntityField.E_FLAGS);
                        return foreign.with(EntityField.E_FLAGS, old | flags);
                    });
        }
    }

    private final Map<PlayerId, Seen> seen = new HashMap<>();

    /** Players of other games who have teleported an odd number of times. */
    private final Set<PlayerId> odd = new HashSet<>();

    /** What is seen of a player in a slot. */
    EntityState of(Player player, int slot) {
        Seen known = seen.get(player.id());
        if (known == null
                || !known.nativeMovement.equals(player.nativeMovement())
                || !known.movement.equals(player.movement())) {
            known = new Seen(player, odd.contains(player.id()) ? Body.EF_TELEPORT_BIT : 0);
            seen.put(player.id(), known);
        }
        EntityState state = known.inSlots[slot];
        if (state == null) {
            state = known.state.with(EntityField.CLIENT_NUM, slot);
            known.inSlots[slot] = state;
        }
        return state;
    }

    /** A player is somewhere else of a sudden: clients are to show no way there. */
    void teleported(PlayerId player) {
        if (!odd.remove(player)) {
            odd.add(player);
        }
        seen.remove(player);
    }

    /** A player has left. */
    void forget(PlayerId player) {
        odd.remove(player);
        seen.remove(player);
    }
}

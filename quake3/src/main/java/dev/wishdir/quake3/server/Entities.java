package dev.wishdir.quake3.server;

import dev.wishdir.arena.NativeMovement;
import dev.wishdir.arena.Player;
import dev.wishdir.arena.PlayerAction;
import dev.wishdir.arena.PlayerId;
import dev.wishdir.motion.Movement;
import dev.wishdir.quake3.message.EntityField;
import dev.wishdir.quake3.message.EntityState;
import dev.wishdir.quake3.movement.PlayerBody;
import dev.wishdir.quake3.movement.Quake3Motion;
import dev.wishdir.quake3.movement.Quake3Movement;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Players as entities: made once for each movement and slot, so that all clients who see it share
 * one state, and what is made of it.
 */
final class Entities {
    /**
     * What a player of another game does.
     *
     * @param number of the act, counted for its player
     * @param until it is over, nanoseconds
     */
    private record Doing(PlayerAction act, int number, long until) {
        EntityState shown(long now, EntityState state) {
            return Quake3Motion.acting(state, act, number, now < until);
        }
    }

    private static final long NEVER = Long.MAX_VALUE;

    private static final class Seen {
        final Movement movement;
        final NativeMovement nativeMovement;
        final EntityState state;
        final @Nullable EntityState[] inSlots = new EntityState[EntityState.MAX_CLIENTS];

        /** When it is seen otherwise, nanoseconds. */
        final long until;

        /**
         * @param flags that differ while it is where it has teleported to an odd number of times
         */
        Seen(Player player, int flags, @Nullable Doing doing, long now) {
            movement = player.movement();
            nativeMovement = player.nativeMovement();
            until = doing != null && now < doing.until ? doing.until : NEVER;
            Optional<EntityState> own = Quake3Movement.state(nativeMovement);
            state =
                    own.orElseGet(() -> {
                        EntityState foreign = Quake3Motion.entity(movement);
                        int old = foreign.get(EntityField.E_FLAGS);
                        EntityState flagged = foreign.with(EntityField.E_FLAGS, old | flags);
                        return doing == null ? flagged : doing.shown(now, flagged);
                    });
        }
    }

    private final LongSupplier clock;
    private final Map<PlayerId, Seen> seen = new HashMap<>();
    private final Map<PlayerId, Doing> doings = new HashMap<>();

    /** Players of other games who have teleported an odd number of times. */
    private final Set<PlayerId> odd = new HashSet<>();

    /**
     * @param clock of the cycle, nanoseconds
     */
    Entities(LongSupplier clock) {
        this.clock = clock;
    }

    /** What is seen of a player in a slot. */
    EntityState of(Player player, int slot) {
        Seen known = seen.get(player.id());
        if (known == null
                || known.until != NEVER && clock.getAsLong() >= known.until
                || !known.nativeMovement.equals(player.nativeMovement())
                || !known.movement.equals(player.movement())) {
            known =
                    new Seen(
                            player,
                            odd.contains(player.id()) ? PlayerBody.EF_TELEPORT_BIT : 0,
                            doings.get(player.id()),
                            clock.getAsLong());
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

    /** A player does something; those of this game show it themselves. */
    void acted(long now, PlayerId player, PlayerAction action) {
        Doing before = doings.get(player);
        int number = before == null ? 1 : before.number + 1;
        doings.put(player, new Doing(action, number, now + Quake3Motion.lasts(action)));
        seen.remove(player);
    }

    /** A player has left. */
    void forget(PlayerId player) {
        odd.remove(player);
        doings.remove(player);
        seen.remove(player);
    }
}

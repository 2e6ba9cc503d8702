package dev.wishdir.quake3.server;

import dev.wishdir.arena.Player;
import dev.wishdir.arena.PlayerId;
import dev.wishdir.quake3.message.EntityState;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Which players of the arena a client knows by which of its 64 slots. A player keeps its slot; who
 * is seen and has none takes that of one who is not, when it has rested: clients would show a body
 * gliding from the place of the one to that of the other.
 */
final class PlayerSlots {
    /** Several snapshots, so that a client has one without the body that was in the slot. */
    private static final long SLOT_REUSE_DELAY_NANOS = 300_000_000;

    private final @Nullable PlayerId[] players = new PlayerId[EntityState.MAX_CLIENTS];
    private final long[] seen = new long[EntityState.MAX_CLIENTS];
    private final Map<PlayerId, Integer> slots = new HashMap<>();
    private final int own;

    /**
     * @param own the client's own slot
     */
    PlayerSlots(int own) {
        this.own = own;
        Arrays.fill(seen, Long.MIN_VALUE / 2);
    }

    @Nullable PlayerId at(int slot) {
        return players[slot];
    }

    /** The slot of a player, -1 where it has none. */
    int slot(PlayerId player) {
        Integer slot = slots.get(player);
        return slot == null ? -1 : slot;
    }

    /** Players by their slots; those who have none are left out. */
    @Nullable Player[] inSlots(List<Player> all) {
        @Nullable Player[] inSlots = new Player[EntityState.MAX_CLIENTS];
        for (int i = 0; i < all.size(); i++) {
            int slot = slot(all.get(i).id());
            if (slot >= 0) {
                inSlots[slot] = all.get(i);
            }
        }
        return inSlots;
    }

    /** Whether no slot is without a player but the client's own. */
    boolean isFull() {
        return slots.size() == EntityState.MAX_CLIENTS - 1;
    }

    /** A body is seen in a slot. */
    void see(long now, int slot) {
        seen[slot] = now;
    }

    /**
     * Gives a player who has none a slot, as far as one is free.
     *
     * @param wished taken where it is free, otherwise the last free one
     * @return the slot, -1 where none is free
     */
    int add(long now, PlayerId player, int wished) {
        if (wished >= 0 && isFree(now, wished)) {
            return give(wished, player);
        }
        for (int slot = EntityState.MAX_CLIENTS - 1; slot >= 0; slot--) {
            if (isFree(now, slot)) {
                return give(slot, player);
            }
        }
        return -1;
    }

    private boolean isFree(long now, int slot) {
        return slot != own && players[slot] == null && hasRested(now, slot);
    }

    private boolean hasRested(long now, int slot) {
        return now - seen[slot] >= SLOT_REUSE_DELAY_NANOS;
    }

    private int give(int slot, PlayerId player) {
        players[slot] = player;
        slots.put(player, slot);
        return slot;
    }

    /** The slot of a player who has not been seen for a while, -1 where there is none. */
    int unseen(long now) {
        for (int slot = EntityState.MAX_CLIENTS - 1; slot >= 0; slot--) {
            if (slot != own && players[slot] != null && hasRested(now, slot)) {
                return slot;
            }
        }
        return -1;
    }

    /** Takes a player's slot away. Returns it, -1 where it had none. */
    int remove(PlayerId player) {
        Integer slot = slots.remove(player);
        if (slot == null) {
            return -1;
        }
        players[slot] = null;
        return slot;
    }
}

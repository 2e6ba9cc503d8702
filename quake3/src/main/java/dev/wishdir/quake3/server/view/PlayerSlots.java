package dev.wishdir.quake3.server.view;

import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.quake3.message.EntityState;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The players in the 64 slots that one client knows. A player keeps its slot. A visible player
 * without one takes that of a player no longer visible, after {@link #SLOT_REUSE_DELAY_NANOS}:
 * clients would interpolate from the position of the one to that of the other.
 */
public final class PlayerSlots {
    /** Several snapshot intervals, so that one snapshot lacks the slot's old player. */
    private static final long SLOT_REUSE_DELAY_NANOS = 300_000_000;

    private final @Nullable PlayerId[] players = new PlayerId[EntityState.MAX_CLIENTS];
    private final long[] lastSeen = new long[EntityState.MAX_CLIENTS];
    private final Map<PlayerId, Integer> slots = new HashMap<>();
    private final int own;

    /**
     * @param own the client's own slot
     */
    public PlayerSlots(int own) {
        this.own = own;
        Arrays.fill(lastSeen, Long.MIN_VALUE / 2);
    }

    /** Sets the player in the client's own slot. */
    public void setOwn(PlayerId player) {
        players[own] = player;
    }

    public @Nullable PlayerId at(int slot) {
        return players[slot];
    }

    /** The slot of another player, or -1. */
    public int slot(PlayerId player) {
        Integer slot = slots.get(player);
        return slot == null ? -1 : slot;
    }

    /** Players indexed by slot, without those that have none. */
    @Nullable Player[] inSlots(List<Player> list) {
        @Nullable Player[] inSlots = new Player[EntityState.MAX_CLIENTS];
        for (int i = 0; i < list.size(); i++) {
            int slot = slot(list.get(i).id());
            if (slot >= 0) {
                inSlots[slot] = list.get(i);
            }
        }
        return inSlots;
    }

    /** Whether all slots but the client's own are taken. */
    public boolean isFull() {
        return slots.size() == EntityState.MAX_CLIENTS - 1;
    }

    /** Records that a snapshot contains the player of a slot. */
    public void see(long now, int slot) {
        lastSeen[slot] = now;
    }

    /**
     * Gives a player a free slot.
     *
     * @param preferred preferred slot; otherwise the last free one
     * @return the slot, or -1 if none is free
     */
    public int add(long now, PlayerId player, int preferred) {
        if (preferred >= 0 && isFree(now, preferred)) {
            return assign(preferred, player);
        }
        for (int slot = EntityState.MAX_CLIENTS - 1; slot >= 0; slot--) {
            if (isFree(now, slot)) {
                return assign(slot, player);
            }
        }
        return -1;
    }

    private boolean isFree(long now, int slot) {
        return slot != own && players[slot] == null && isReusable(now, slot);
    }

    private boolean isReusable(long now, int slot) {
        return now - lastSeen[slot] >= SLOT_REUSE_DELAY_NANOS;
    }

    private int assign(int slot, PlayerId player) {
        players[slot] = player;
        slots.put(player, slot);
        return slot;
    }

    /** The slot of a player that has not been in a snapshot for a while, or -1. */
    public int unseen(long now) {
        for (int slot = EntityState.MAX_CLIENTS - 1; slot >= 0; slot--) {
            if (slot != own && players[slot] != null && isReusable(now, slot)) {
                return slot;
            }
        }
        return -1;
    }

    /** Frees a player's slot. Returns it, or -1 if it had none. */
    public int remove(PlayerId player) {
        Integer slot = slots.remove(player);
        if (slot == null) {
            return -1;
        }
        players[slot] = null;
        return slot;
    }
}

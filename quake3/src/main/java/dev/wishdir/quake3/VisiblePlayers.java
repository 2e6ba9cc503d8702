package dev.wishdir.quake3;

import dev.wishdir.arena.Player;

import org.jspecify.annotations.Nullable;

/**
 * Which players of the arena a client sees in which of its 64 slots. A player keeps its slot as
 * long as it is seen; where there are more players than slots, the nearest have them.
 */
final class VisiblePlayers {
    /** The slots of a client; entities below this number are players. */
    static final int SLOTS = 64;

    private final @Nullable Player[] players = new Player[SLOTS];
    private final int own;

    /**
     * @param own the client's own slot
     */
    VisiblePlayers(int own) {
        this.own = own;
    }

    @Nullable Player at(int slot) {
        return players[slot];
    }

    /** The slot of a player, -1 where it has none. */
    int slot(Player player) {
        for (int i = 0; i < SLOTS; i++) {
            if (players[i] == player) {
                return i;
            }
        }
        return -1;
    }

    /**
     * Gives a player a slot.
     *
     * @param wished taken where it is free, otherwise the last free one
     * @return the slot, -1 where none is free
     */
    int add(Player player, int wished) {
        int present = slot(player);
        if (present >= 0) {
            return present;
        }
        int slot = wished;
        if (wished < 0 || wished >= SLOTS || wished == own || players[wished] != null) {
            slot = SLOTS - 1;
            while (slot >= 0 && (slot == own || players[slot] != null)) {
                slot--;
            }
        }
        if (slot >= 0) {
            players[slot] = player;
        }
        return slot;
    }

    /** Takes a player's slot away. Returns it, -1 where it had none. */
    int remove(Player player) {
        int slot = slot(player);
        if (slot >= 0) {
            players[slot] = null;
        }
        return slot;
    }

    /** The slot of the player farthest from a place, -1 where nobody is seen. */
    int farthest(dev.wishdir.motion.Vec3 from) {
        int slot = -1;
        double most = -1;
        for (int i = 0; i < SLOTS; i++) {
            Player player = players[i];
            if (player != null) {
                double distance =
                        player.spawned()
                                ? player.movement().position().distance(from)
                                : Double.MAX_VALUE;
                if (distance > most) {
                    most = distance;
                    slot = i;
                }
            }
        }
        return slot;
    }
}

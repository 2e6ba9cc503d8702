package dev.wishdir.sauerbraten.server.session;

import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.sauerbraten.server.view.ForeignPlayers.ForeignPlayer;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.Set;
import java.util.function.IntPredicate;

/**
 * The numbers by which one client knows foreign players: those that no connection has, from the
 * top. If there are too few, visible players come first.
 */
final class PlayerSlots {
    private final IntPredicate isTaken;
    private final Set<PlayerId> visible;
    private final @Nullable ForeignPlayer[] byNumber =
            new @Nullable ForeignPlayer[ClientConnection.MAX_CLIENT_NUMBERS];

    /** By slot, the number of each foreign player plus one; 0 if it has none. */
    private int[] numbers = new int[16];

    private boolean shortage;

    /**
     * @param isTaken whether a number is that of a connection
     * @param visible the players whose bodies the client is shown; a live view
     */
    PlayerSlots(IntPredicate isTaken, Set<PlayerId> visible) {
        this.isTaken = isTaken;
        this.visible = visible;
    }

    /** The foreign player with a number; null if there is none. */
    @Nullable ForeignPlayer player(int cn) {
        return cn < 0 || cn >= byNumber.length ? null : byNumber[cn];
    }

    /** The number of a foreign player; -1 if it has none. */
    int of(ForeignPlayer player) {
        return player.slot < numbers.length ? numbers[player.slot] - 1 : -1;
    }

    /** Whether a foreign player got no number since the last call. */
    boolean takeShortage() {
        boolean was = shortage;
        shortage = false;
        return was;
    }

    /**
     * Assigns the highest free number to a foreign player that has none, or the number of a foreign
     * player that is not visible.
     *
     * @return -1 if there is no number
     */
    int assign(ForeignPlayer player) {
        int cn = byNumber.length - 1;
        while (cn >= 0 && (byNumber[cn] != null || isTaken.test(cn))) {
            cn--;
        }
        if (cn < 0 && visible.contains(player.id)) {
            cn = takeFromInvisible();
        }
        if (cn < 0) {
            shortage = true;
            return -1;
        }
        if (player.slot >= numbers.length) {
            numbers = Arrays.copyOf(numbers, 2 * player.slot);
        }
        byNumber[cn] = player;
        numbers[player.slot] = cn + 1;
        return cn;
    }

    private int takeFromInvisible() {
        for (int cn = 0; cn < byNumber.length; cn++) {
            ForeignPlayer other = byNumber[cn];
            if (other != null && !visible.contains(other.id)) {
                release(other);
                shortage = true;
                return cn;
            }
        }
        return -1;
    }

    /** Frees the number of a foreign player. */
    void release(ForeignPlayer player) {
        byNumber[of(player)] = null;
        numbers[player.slot] = 0;
    }
}

package dev.wishdir.sauerbraten.server;

import dev.wishdir.arena.PlayerId;
import dev.wishdir.sauerbraten.server.ForeignPlayers.ForeignPlayer;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.Set;

/**
 * The numbers by which one client knows foreign players: those that no connection has, from the
 * top. If there are too few, visible players come first.
 */
final class ForeignClientNumbers {
    private final ClientRegistry registry;
    private final Set<PlayerId> inSight;
    private final @Nullable ForeignPlayer[] avatars =
            new @Nullable ForeignPlayer[ClientRegistry.MAX_CLIENT_NUMBERS];

    /** By slot, the number of each foreign player plus one; 0 if it has none. */
    private int[] numbers = new int[16];

    private boolean wanting;

    /**
     * @param inSight the players whose bodies the client is shown; a live view
     */
    ForeignClientNumbers(ClientRegistry registry, Set<PlayerId> inSight) {
        this.registry = registry;
        this.inSight = inSight;
    }

    /** The foreign player with a number; null if there is none. */
    @Nullable ForeignPlayer avatar(int cn) {
        return cn < 0 || cn >= avatars.length ? null : avatars[cn];
    }

    /** The number of a foreign player; -1 if it has none. */
    int of(ForeignPlayer avatar) {
        return avatar.slot < numbers.length ? numbers[avatar.slot] - 1 : -1;
    }

    /** Whether a foreign player got no number since the last call. */
    boolean takeShortage() {
        boolean were = wanting;
        wanting = false;
        return were;
    }

    /**
     * Assigns the highest free number to a foreign player that has none, or the number of a foreign
     * player that is not visible.
     *
     * @return -1 if there is no number
     */
    int assign(ForeignPlayer avatar) {
        int cn = avatars.length - 1;
        while (cn >= 0 && (avatars[cn] != null || registry.isTaken(cn))) {
            cn--;
        }
        if (cn < 0 && inSight.contains(avatar.id)) {
            cn = takeOutOfSight();
        }
        if (cn < 0) {
            wanting = true;
            return -1;
        }
        if (avatar.slot >= numbers.length) {
            numbers = Arrays.copyOf(numbers, 2 * avatar.slot);
        }
        avatars[cn] = avatar;
        numbers[avatar.slot] = cn + 1;
        return cn;
    }

    private int takeOutOfSight() {
        for (int cn = 0; cn < avatars.length; cn++) {
            ForeignPlayer other = avatars[cn];
            if (other != null && !inSight.contains(other.id)) {
                release(other);
                wanting = true;
                return cn;
            }
        }
        return -1;
    }

    /** Frees the number of a foreign player. */
    void release(ForeignPlayer avatar) {
        avatars[of(avatar)] = null;
        numbers[avatar.slot] = 0;
    }
}

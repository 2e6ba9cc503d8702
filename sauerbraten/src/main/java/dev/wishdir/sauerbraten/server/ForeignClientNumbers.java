package dev.wishdir.sauerbraten.server;

import dev.wishdir.arena.PlayerId;
import dev.wishdir.sauerbraten.server.ForeignPlayers.Avatar;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.Set;

/**
 * By which numbers one client knows the players who are no clients: those that no connection has,
 * from the top. Where there are too few, who is in sight goes first.
 */
final class ForeignClientNumbers {
    private final ClientRegistry registry;
    private final Set<PlayerId> inSight;
    private final @Nullable Avatar[] avatars = new @Nullable Avatar[ClientRegistry.NUMBERS];

    /** The number of each avatar by its slot, and one more; 0 for none. */
    private int[] numbers = new int[16];

    private boolean wanting;

    /**
     * @param inSight whose bodies the client is shown, as it is at any time
     */
    ForeignClientNumbers(ClientRegistry registry, Set<PlayerId> inSight) {
        this.registry = registry;
        this.inSight = inSight;
    }

    /** Who has a number. */
    @Nullable Avatar avatar(int cn) {
        return cn < 0 || cn >= avatars.length ? null : avatars[cn];
    }

    /** The number of an avatar, -1 where it has none. */
    int of(Avatar avatar) {
        return avatar.slot < numbers.length ? numbers[avatar.slot] - 1 : -1;
    }

    /** Whether an avatar was given none since this was asked last. */
    boolean wanting() {
        boolean were = wanting;
        wanting = false;
        return were;
    }

    /**
     * Gives an avatar that has none the highest number that is free, or that of one which is out of
     * sight.
     *
     * @return -1 where it has to do without
     */
    int give(Avatar avatar) {
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
            Avatar other = avatars[cn];
            if (other != null && !inSight.contains(other.id)) {
                take(other);
                wanting = true;
                return cn;
            }
        }
        return -1;
    }

    /** Frees the number of an avatar. */
    void take(Avatar avatar) {
        avatars[of(avatar)] = null;
        numbers[avatar.slot] = 0;
    }
}

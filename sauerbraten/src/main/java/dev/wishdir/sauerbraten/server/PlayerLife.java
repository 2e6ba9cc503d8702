package dev.wishdir.sauerbraten.server;

import dev.wishdir.sauerbraten.message.State;

/**
 * The lives of one player. A life is ordered by the server, has the next lifesequence, and starts
 * when the client spawns with that number; until then the player is dead. A spectator has none.
 */
final class PlayerLife {
    private static final int LIFESEQ_MASK = 127;

    private ClientState state = ClientState.DEAD;
    private int lifeseq = -1;
    private State body = State.BLANK;
    private long orderedAt;
    private boolean firstPosition;

    ClientState state() {
        return state;
    }

    boolean isSpectator() {
        return state == ClientState.SPECTATOR;
    }

    /** Whether the player has a body that moves. */
    boolean hasBody() {
        return state.hasBody();
    }

    /** The lifesequence of the present life, or of the ordered one; -1 before the first. */
    int lifeseq() {
        return lifeseq;
    }

    /** Health, armour and weapons of the present life, or of the ordered one. */
    State body() {
        return body;
    }

    /** When the present life was ordered, in the time of the clients, nanoseconds. */
    long orderedAt() {
        return orderedAt;
    }

    /**
     * Orders the next life.
     *
     * @param at in the time of the clients, nanoseconds
     */
    void order(long at, GameMode mode) {
        orderedAt = at;
        lifeseq = lifeseq + 1 & LIFESEQ_MASK;
        state = ClientState.DEAD;
        body = mode.spawnState(lifeseq);
    }

    /**
     * Starts the ordered life, if the client names its number and has not started it before.
     *
     * @return whether the life has started
     */
    boolean spawn(int number) {
        if (state != ClientState.DEAD || number != lifeseq) {
            return false;
        }
        state = ClientState.ALIVE;
        firstPosition = true;
        return true;
    }

    /** Whether the next position is the first of a life. */
    boolean awaitsFirstPosition() {
        return firstPosition;
    }

    void onFirstPosition() {
        firstPosition = false;
    }

    void die() {
        state = ClientState.DEAD;
    }

    /**
     * Starts or ends editing, of a living player.
     *
     * @return whether the state has changed
     */
    boolean setEditing(boolean on) {
        if (state != (on ? ClientState.ALIVE : ClientState.EDITING)) {
            return false;
        }
        state = on ? ClientState.EDITING : ClientState.ALIVE;
        return true;
    }

    /** Makes the player a spectator, or a player without a body. */
    void setSpectator(boolean on) {
        state = on ? ClientState.SPECTATOR : ClientState.DEAD;
    }
}

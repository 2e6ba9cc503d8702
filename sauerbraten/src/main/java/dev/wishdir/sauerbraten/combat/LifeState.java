package dev.wishdir.sauerbraten.combat;

import dev.wishdir.sauerbraten.message.State;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * The lives of one player. A life is ordered by the server, has the next lifesequence, and starts
 * when the client spawns with that number; until then the player is dead. A spectator has none.
 */
public final class LifeState {
    private static final int LIFESEQ_MASK = 127;

    /** A dead player's shots count for this long, as they were on their way: nanoseconds. */
    private static final long LAST_SHOTS_NANOS = 300_000_000;

    private ClientState state = ClientState.DEAD;
    private int lifeseq = -1;
    private State body = State.BLANK;
    private long diedAt = Long.MIN_VALUE / 2;
    private long orderedAt;
    private boolean firstPosition;
    private boolean ordered;

    public ClientState state() {
        return state;
    }

    public boolean isSpectator() {
        return state == ClientState.SPECTATOR;
    }

    /** Whether the player has a body that moves. */
    public boolean hasBody() {
        return state.hasBody();
    }

    /** The lifesequence of the present life, or of the ordered one; -1 before the first. */
    public int lifeseq() {
        return lifeseq;
    }

    /** Health, armour and weapons of the present life, or of the ordered one. */
    public State body() {
        return body;
    }

    /** Sets what the body has left. */
    public void setBody(State left) {
        body = left;
    }

    /** Ammunition for a gun; 0 for the fist, which needs none. */
    public int ammo(Weapon gun) {
        return gun == Weapon.FIST ? 0 : body.ammo().get(gun.number() - 1);
    }

    public void setAmmo(Weapon gun, int amount) {
        List<Integer> ammo = new ArrayList<>(body.ammo());
        ammo.set(gun.number() - 1, amount);
        body =
                new State(
                        body.lifeseq(),
                        body.health(),
                        body.maxhealth(),
                        body.armour(),
                        body.armourtype(),
                        body.gun(),
                        ammo);
    }

    /** Whether shots count that arrive now: of a living player, or of one that just died. */
    boolean mayShoot(long now) {
        return state == ClientState.ALIVE
                || state == ClientState.DEAD && now - diedAt <= LAST_SHOTS_NANOS;
    }

    /** Time at which the present life was ordered, in the time of the clients, nanoseconds. */
    public long orderedAt() {
        return orderedAt;
    }

    /**
     * Orders the next life.
     *
     * @param at in the time of the clients, nanoseconds
     * @param random chooses the guns of a mode that gives any
     */
    public void order(long at, GameMode mode, RandomGenerator random) {
        orderedAt = at;
        lifeseq = lifeseq + 1 & LIFESEQ_MASK;
        state = ClientState.DEAD;
        body = mode.spawnState(lifeseq, random);
        diedAt = Long.MIN_VALUE / 2;
        ordered = true;
    }

    /**
     * Starts the ordered life, if the client names its number and has not started it before.
     *
     * @return whether the life has started
     */
    public boolean spawn(int number) {
        if (state != ClientState.DEAD || number != lifeseq) {
            return false;
        }
        state = ClientState.ALIVE;
        ordered = false;
        firstPosition = true;
        return true;
    }

    /** Whether a life was ordered that the client has not started. */
    public boolean isOrdered() {
        return ordered;
    }

    /** Whether the next position is the first of a life. */
    public boolean awaitsFirstPosition() {
        return firstPosition;
    }

    public void onFirstPosition() {
        firstPosition = false;
    }

    public void die(long now) {
        state = ClientState.DEAD;
        diedAt = now;
    }

    /**
     * Starts or ends editing, of a living player.
     *
     * @return whether the state has changed
     */
    public boolean setEditing(boolean on) {
        if (state != (on ? ClientState.ALIVE : ClientState.EDITING)) {
            return false;
        }
        state = on ? ClientState.EDITING : ClientState.ALIVE;
        return true;
    }

    /** Makes the player a spectator, or a player without a body. */
    public void setSpectator(boolean on) {
        state = on ? ClientState.SPECTATOR : ClientState.DEAD;
    }
}

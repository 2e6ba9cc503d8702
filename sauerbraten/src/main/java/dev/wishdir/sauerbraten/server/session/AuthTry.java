package dev.wishdir.sauerbraten.server.session;

import dev.wishdir.sauerbraten.protocol.AuthChallenge;

import java.util.Optional;

/** A client's try to prove a key, from its request until its answer was checked. */
public final class AuthTry {
    /**
     * Listener to the outcome; one of the two methods is called once, unless another try replaces
     * this one.
     */
    public interface Listener {
        /** The client has the key. */
        void onProved(long now, AuthIdentity identity);

        /**
         * It has not, or was not asked for it.
         *
         * @param text for the player
         */
        void onRefused(long now, String text);
    }

    /** In the order in which they are entered. */
    private enum State {
        /** The challenge is computed, here or by the master server. */
        REQUESTED,
        CHALLENGED,
        /** The master server checks the answer. */
        ANSWERED
    }

    /** The number of the try, of all tries of the server. */
    public final int id;

    public final AuthIdentity identity;

    /** Start, nanoseconds. */
    public final long startedAt;

    public final Listener listener;
    private State state = State.REQUESTED;
    private Optional<AuthChallenge> challenge = Optional.empty();

    public AuthTry(int id, AuthIdentity identity, long startedAt, Listener listener) {
        this.id = id;
        this.identity = identity;
        this.startedAt = startedAt;
        this.listener = listener;
    }

    public boolean isRequested() {
        return state == State.REQUESTED;
    }

    public boolean isChallenged() {
        return state == State.CHALLENGED;
    }

    public boolean isAnswered() {
        return state == State.ANSWERED;
    }

    /** The client was sent this server's challenge. */
    public void setChallenge(AuthChallenge sent) {
        challenge = Optional.of(sent);
        state = State.CHALLENGED;
    }

    /** The client was sent a master server's challenge. */
    public void setChallenged() {
        state = State.CHALLENGED;
    }

    public void setAnswered() {
        state = State.ANSWERED;
    }

    /** Whether an answer is right for this server's challenge. */
    public boolean isAnswer(String given) {
        return challenge.filter(it -> it.isAnswer(given)).isPresent();
    }
}

package dev.wishdir.sauerbraten.server.session;

import java.util.OptionalInt;

/** The pings of one client: the newest that waits for an answer, and the measured round trip. */
public final class PingState {
    private OptionalInt unanswered = OptionalInt.empty();
    private int roundTrip;
    private boolean changed;

    /** The client sends a ping, which is to be answered with its time; the newest counts. */
    void onPing(int millis) {
        unanswered = OptionalInt.of(millis);
    }

    /** Takes the time of the ping that is to be answered. */
    OptionalInt takeUnanswered() {
        OptionalInt taken = unanswered;
        unanswered = OptionalInt.empty();
        return taken;
    }

    /** The last round trip that the client has measured, milliseconds. */
    public int roundTrip() {
        return roundTrip;
    }

    /**
     * Sets the measured round trip.
     *
     * @return whether it has to be relayed
     */
    boolean setRoundTrip(int millis) {
        changed |= roundTrip != millis;
        roundTrip = millis;
        return changed;
    }

    /** Whether the round trip has changed since the last call. */
    boolean takeChanged() {
        boolean was = changed;
        changed = false;
        return was;
    }
}

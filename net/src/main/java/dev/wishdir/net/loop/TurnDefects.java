package dev.wishdir.net.loop;

import org.jspecify.annotations.Nullable;

/**
 * Exceptions of the connections of one host in a turn, or when it closes. The turn goes on with the
 * next connection, and throws the first exception at its end, for {@link DutyCycle#report}.
 */
public final class TurnDefects {
    private @Nullable Throwable first;

    /** Adds an exception; those after the first are suppressed by it. */
    @SuppressWarnings("ReferenceEquality") // Only itself a throwable must not suppress.
    public void add(Throwable thrown) {
        if (first == null) {
            first = thrown;
        } else if (first != thrown) {
            first.addSuppressed(thrown);
        }
    }

    /** Runs a step of the turn, and adds what it throws. */
    public void guard(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException | Error e) {
            add(e);
        }
    }

    /** Ends the turn: throws the first exception, if there is one. */
    public void rethrow() {
        Throwable thrown = first;
        first = null;
        if (thrown instanceof Error error) {
            throw error;
        }
        if (thrown instanceof RuntimeException exception) {
            throw exception;
        }
    }
}

package dev.wishdir.nethernet.identity;

import java.io.IOException;
import java.util.Optional;

/**
 * A place where an issuer publishes its keys. Calls block, and come one at a time from any thread.
 */
public interface IssuerKeySource {
    /**
     * Intervals between questions to the source.
     *
     * @param afterSuccessNanos minimum interval after keys were fetched
     * @param afterFailureNanos minimum interval after keys could not be fetched
     * @param pollNanos interval at which it is asked without need; {@link Long#MAX_VALUE} for never
     */
    record Schedule(long afterSuccessNanos, long afterFailureNanos, long pollNanos) {}

    /**
     * Keys that an earlier process fetched.
     *
     * @param isRecent whether they may be used without asking for newer ones
     */
    record StoredKeys(IdentityIssuer issuer, boolean isRecent) {}

    Schedule schedule();

    /** The keys that an earlier process fetched; empty if there are none. */
    default Optional<StoredKeys> stored() {
        return Optional.empty();
    }

    /**
     * Fetches all keys that are valid now.
     *
     * @return empty if the source knows that they are those of the last call, or of the start
     * @throws IOException if that fails; the message says why, for the operator
     */
    Optional<IdentityIssuer> fetch() throws IOException;
}

package dev.wishdir.arena.relay;

import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.ArenaListener;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.Proof;

import java.util.List;

/**
 * The arena's view of one session: receives what its player is sent. Each endpoint creates one per
 * player. It gets the events of every other player except movement, which comes in relays; of its
 * own player it gets only {@link ArenaEvent.ToPlayer}.
 */
public interface Viewer extends ArenaListener {
    /** Proof of its own player's identity; queried once, after {@code SessionViewer.onJoined}. */
    default Proof proof() {
        return Proof.UNKNOWN;
    }

    /** Address and version of its own player. */
    default ConnectionInfo connectionInfo() {
        return ConnectionInfo.UNKNOWN;
    }

    /** Traffic of its own player's connection; queried about once a second. */
    default ConnectionStats connectionStats() {
        return ConnectionStats.UNKNOWN;
    }

    /**
     * Whether the connection has too much unacknowledged data. While congested, state changes are
     * deferred and sent later with the state of that time, chat and actions are dropped; so a slow
     * connection loses events, and is never dropped for them.
     */
    default boolean isCongested() {
        return false;
    }

    /** Maximum number of other players with a body that this viewer can show at once. */
    default int maxVisiblePlayers() {
        return Integer.MAX_VALUE;
    }

    /**
     * Minimum interval between two relays to this viewer, nanoseconds. Relays of viewers with the
     * same interval are aligned, so that they share one encoding: the first movement in a quiet
     * interval is relayed at once, later ones with the next interval. Queried before each relay;
     * may change.
     */
    default long relayIntervalNanos() {
        return 0;
    }

    /** Minimum interval between two updates of the same player, nanoseconds. */
    default long minUpdateIntervalNanos() {
        return 0;
    }

    /**
     * Movement of visible players, at most one call per relay interval. All have bodies, and the
     * viewer's own player is never among them; while congested, one may be among them whose spawn
     * the viewer has not been sent. The list is valid only during the call. An unchanged player is
     * the same object for all viewers, so that a game can encode it once.
     */
    void onMovement(List<Player> movers);
}

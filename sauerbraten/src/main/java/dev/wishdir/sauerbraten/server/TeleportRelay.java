package dev.wishdir.sauerbraten.server;

import dev.wishdir.arena.PlayerId;
import dev.wishdir.sauerbraten.message.MovementMessage;

import java.util.List;

/** Relays a client's use of teleporters and jump pads. */
final class TeleportRelay {
    /** Minimum interval of one client's relayed uses. */
    private static final long INTERVAL_NANOS = 30_000_000;

    private final ClientRegistry registry;
    private boolean pending;

    TeleportRelay(ClientRegistry registry) {
        this.registry = registry;
    }

    /** Queues a use; of several within the interval, only the newest is relayed. */
    void travelled(SauerbratenSession from, MovementMessage message) {
        from.travels(message);
        pending = true;
    }

    /**
     * Relays the uses that are due.
     *
     * @return when to call again
     */
    long advance(long now) {
        if (!pending) {
            return Long.MAX_VALUE;
        }
        long next = Long.MAX_VALUE;
        pending = false;
        for (SauerbratenSession session : registry.sessions()) {
            MovementMessage message = session.travel();
            long due = session.travelled() + INTERVAL_NANOS;
            if (message == null) {
                continue;
            }
            if (now >= due || now < session.travelled()) {
                session.travelShown(now);
                sendPosition(session);
                registry.deed(message, viewer -> viewer.viewer.showsBody(session));
            } else {
                pending = true;
                next = Math.min(next, due);
            }
        }
        return next;
    }

    /** Sends the client's newest position to others, as it must precede what happens next. */
    private void sendPosition(SauerbratenSession session) {
        PlayerId player = session.player();
        if (player != null) {
            registry.arena()
                    .find(player)
                    .ifPresent(now -> {
                        for (SauerbratenSession viewer : registry.sessions()) {
                            if (viewer.joined() && viewer != session) {
                                viewer.viewer.onMovement(List.of(now));
                            }
                        }
                    });
        }
    }
}

package dev.wishdir.sauerbraten.server;

import dev.wishdir.arena.PlayerId;
import dev.wishdir.sauerbraten.message.MovementMessage;

import java.util.List;

/** Relays the use of teleporters and jump pads. */
final class TeleportRelay {
    /** The minimum interval between two relays of one client, nanoseconds. */
    private static final long INTERVAL_NANOS = 30_000_000;

    private final ClientRegistry registry;
    private boolean waiting;

    TeleportRelay(ClientRegistry registry) {
        this.registry = registry;
    }

    /** Relays a use; of several within the interval, only the newest. */
    void relay(SauerbratenSession from, MovementMessage message) {
        from.setTravel(message);
        waiting = true;
    }

    /** Relays what is due; returns when to call again. */
    long advance(long now) {
        if (!waiting) {
            return Long.MAX_VALUE;
        }
        long next = Long.MAX_VALUE;
        waiting = false;
        for (SauerbratenSession session : registry.sessions()) {
            MovementMessage message = session.queuedTrigger();
            long due = session.travelShownAt() + INTERVAL_NANOS;
            if (message == null) {
                continue;
            }
            if (now >= due || now < session.travelShownAt()) {
                session.recordTriggerRelay(now);
                relayPosition(session);
                registry.broadcast(message, viewer -> viewer.viewer.showsBody(session));
            } else {
                waiting = true;
                next = Math.min(next, due);
            }
        }
        return next;
    }

    /** Relays the newest position of a client at once: it must arrive before the teleport. */
    private void relayPosition(SauerbratenSession session) {
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

package dev.wishdir.sauerbraten.server;

import dev.wishdir.arena.PlayerId;
import dev.wishdir.sauerbraten.message.MovementMessage;

import java.util.List;

/** Shows the others when a client uses a teleport or a jump pad. */
final class TeleportRelay {
    /** How often one client is shown to do so, nanoseconds. */
    private static final long INTERVAL_NANOS = 30_000_000;

    private final ClientRegistry registry;
    private boolean waiting;

    TeleportRelay(ClientRegistry registry) {
        this.registry = registry;
    }

    /** Of several in a short time the newest is shown. */
    void travelled(SauerbratenSession from, MovementMessage message) {
        from.travels(message);
        waiting = true;
    }

    /** Shows what is due; gives the time of the next turn. */
    long advance(long now) {
        if (!waiting) {
            return Long.MAX_VALUE;
        }
        long next = Long.MAX_VALUE;
        waiting = false;
        for (SauerbratenSession session : registry.sessions()) {
            MovementMessage message = session.travel();
            long due = session.travelled() + INTERVAL_NANOS;
            if (message == null) {
                continue;
            }
            if (now >= due || now < session.travelled()) {
                session.travelShown(now);
                showNow(session);
                registry.deed(message, viewer -> viewer.viewer.showsBody(session));
            } else {
                waiting = true;
                next = Math.min(next, due);
            }
        }
        return next;
    }

    /** The newest position of a client goes out at once, before what happens to it next. */
    private void showNow(SauerbratenSession session) {
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

package dev.wishdir.sauerbraten.server.movement;

import dev.wishdir.arena.ArenaPlayer;
import dev.wishdir.sauerbraten.message.MovementMessage;
import dev.wishdir.sauerbraten.server.session.Broadcaster;
import dev.wishdir.sauerbraten.server.session.ClientTable;
import dev.wishdir.sauerbraten.server.session.SauerbratenSession;
import dev.wishdir.sauerbraten.server.session.TriggerQueue;

import java.util.List;
import java.util.Optional;

/** Relays the use of teleporters and jump pads. */
public final class TeleportRelay {
    private final ClientTable clients;
    private final Broadcaster broadcaster;
    private boolean waiting;

    public TeleportRelay(ClientTable clients, Broadcaster broadcaster) {
        this.clients = clients;
        this.broadcaster = broadcaster;
    }

    /** Relays a use; of several within the interval, only the newest. */
    void relay(SauerbratenSession from, MovementMessage message) {
        from.triggerQueue.set(message);
        waiting = true;
    }

    /** Relays what is due; returns when to call again. */
    public long advance(long now) {
        if (!waiting) {
            return Long.MAX_VALUE;
        }
        long next = Long.MAX_VALUE;
        waiting = false;
        for (SauerbratenSession session : clients.sessions()) {
            TriggerQueue queue = session.triggerQueue;
            if (!session.life.hasBody()) {
                queue.clear();
            }
            Optional<MovementMessage> use = queue.takeDue(now);
            if (use.isPresent()) {
                relayPosition(session);
                broadcaster.send(use.get(), other -> other.viewer.showsBody(session.cn));
            } else if (!queue.isEmpty()) {
                waiting = true;
                next = Math.min(next, queue.due());
            }
        }
        return next;
    }

    /** Relays the newest position of a client at once: it must arrive before the teleport. */
    private void relayPosition(SauerbratenSession session) {
        session.connection
                .player()
                .filter(ArenaPlayer::isHere)
                .map(ArenaPlayer::snapshot)
                .ifPresent(mover -> {
                    for (SauerbratenSession other : clients.sessions()) {
                        if (other.isJoined() && other != session) {
                            other.viewer.onMovement(List.of(mover));
                        }
                    }
                });
    }
}

package dev.wishdir.sauerbraten.server.join;

import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.enet.EnetDisconnectReason;
import dev.wishdir.enet.EnetPeer;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.sauerbraten.protocol.DisconnectReason;
import dev.wishdir.sauerbraten.server.chat.Privileges;
import dev.wishdir.sauerbraten.server.session.Broadcaster;
import dev.wishdir.sauerbraten.server.session.ClientConnection;
import dev.wishdir.sauerbraten.server.session.ClientTable;
import dev.wishdir.sauerbraten.server.session.SauerbratenSession;

import java.util.concurrent.TimeUnit;

/** Removes clients that leave, are disconnected or do not join in time. */
public final class LeaveHandler {
    private static final long JOIN_TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(15);

    private final EndpointContext context;
    private final ClientTable clients;
    private final Broadcaster broadcaster;
    private final Privileges privileges;
    private final ConnectionLimiter limiter;

    public LeaveHandler(
            EndpointContext context,
            ClientTable clients,
            Broadcaster broadcaster,
            Privileges privileges,
            ConnectionLimiter limiter) {
        this.context = context;
        this.clients = clients;
        this.broadcaster = broadcaster;
        this.privileges = privileges;
        this.limiter = limiter;
    }

    /** Removes clients; returns when to call again. */
    public long advance(long now) {
        long next = Long.MAX_VALUE;
        for (SauerbratenSession session : clients.sessions()) {
            ClientConnection connection = session.connection;
            long limit = connection.connectedAt + JOIN_TIMEOUT_NANOS;
            if (connection.leaveReason().isPresent()) {
                leave(now, session, connection.leaveReason().get());
            } else if (!connection.peer.connected()) {
                leave(now, session, reason(connection.peer.cause()));
            } else if (!connection.isJoined() && now >= limit) {
                LeaveReason reason = ClientConnection.leaveReason(DisconnectReason.TIMEOUT);
                limiter.reportRefusal(now, connection.peer, reason);
                connection.disconnect(DisconnectReason.TIMEOUT);
                leave(now, session, reason);
            } else if (!connection.isJoined()) {
                next = Math.min(next, limit);
            }
        }
        return next;
    }

    /** ENet has forgotten a connection. */
    public void onDisconnected(long now, EnetPeer peer, EnetDisconnectReason cause) {
        SauerbratenSession session = clients.session(peer);
        if (session != null) {
            leave(now, session, session.connection.leaveReason().orElseGet(() -> reason(cause)));
        }
        limiter.onClosed(peer);
    }

    private static LeaveReason reason(EnetDisconnectReason cause) {
        return switch (cause) {
            case REMOTE, LOCAL -> LeaveReason.LEFT;
            case REPLACED -> new LeaveReason(LeaveReason.Code.LEFT, "reconnected");
            case TIMEOUT -> LeaveReason.TIMED_OUT;
            case NOT_ACKNOWLEDGING -> LeaveReason.NOT_ACKNOWLEDGING;
            case INCOMPLETE -> new LeaveReason(LeaveReason.Code.TIMED_OUT, "incomplete message");
            case OVERFLOW -> LeaveReason.of(LeaveReason.Code.SEND_QUEUE_FULL);
            case DEFECT -> new LeaveReason(LeaveReason.Code.KICKED, "Disconnected by a defect.");
            case PROTOCOL ->
                    new LeaveReason(LeaveReason.Code.PROTOCOL_ERROR, "ENet protocol violation");
        };
    }

    /** Takes a client out of the game; does nothing if it is gone. */
    public void leave(long now, SauerbratenSession session, LeaveReason reason) {
        if (!session.connection.leave(reason)) {
            return;
        }
        boolean wasJoined = session.connection.player().isPresent();
        if (wasJoined && context.arena().match().flags().isCarrier(session.player().id())) {
            // Clients see who drops the flag as long as they know its number.
            session.player().despawn(now);
        }
        clients.remove(session);
        if (wasJoined) {
            // A viewer that missed the joining may still show the player, as it was sent the newest
            // appearance of the number; it receives no leaving then.
            broadcaster.refresh(session.cn);
        }
        clients.sessions().forEach(other -> other.viewer.renumber());
        limiter.onLeaving(session.connection.peer);
        if (wasJoined) {
            context.counters()
                    .count(
                            switch (reason.code()) {
                                case LEFT -> "sauerbraten.left";
                                case TIMED_OUT -> "sauerbraten.timed-out";
                                case SERVER_CLOSED -> "sauerbraten.closed";
                                default -> "sauerbraten.sent-away";
                            });
            privileges.onLeave(now, session);
            session.player().leave(now, reason);
        }
    }
}

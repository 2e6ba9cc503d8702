package dev.wishdir.sauerbraten.server;

import dev.wishdir.arena.LeaveReason;
import dev.wishdir.enet.EnetPeer;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.sauerbraten.message.CubeText;
import dev.wishdir.sauerbraten.message.SessionMessage;
import dev.wishdir.sauerbraten.protocol.DisconnectReason;
import dev.wishdir.sauerbraten.protocol.SauerbratenCodec;

import java.util.Optional;

/**
 * The handshake of a client, from its proven connection until it has joined: {@code N_SERVINFO},
 * {@code N_CONNECT}, and a refusal or the welcome.
 */
final class ConnectHandshake {
    private final EndpointContext context;
    private final ClientTable clients;
    private final SauerbratenViewer.Context viewerContext;
    private final SauerbratenMatch match;
    private final Privileges privileges;
    private final ConnectionLimiter limiter;
    private final WelcomeBuilder welcome;

    /**
     * @param viewerContext what the viewers of all clients share
     */
    ConnectHandshake(
            EndpointContext context,
            ClientTable clients,
            SauerbratenViewer.Context viewerContext,
            SauerbratenMatch match,
            Privileges privileges,
            ConnectionLimiter limiter,
            WelcomeBuilder welcome) {
        this.context = context;
        this.clients = clients;
        this.viewerContext = viewerContext;
        this.match = match;
        this.privileges = privileges;
        this.limiter = limiter;
        this.welcome = welcome;
    }

    /** A client has connected and proved its address. */
    void onConnected(long now, EnetPeer peer) {
        ClientConnection connection = limiter.admit(now, peer).orElse(null);
        if (connection == null) {
            return;
        }
        SauerbratenSession session = new SauerbratenSession(connection, viewerContext);
        context.memoryBudget().add(session);
        clients.add(session);
        clients.sessions().forEach(other -> other.viewer.releaseNumber(session.cn));
        connection.send(
                new SessionMessage.ServInfo(
                        session.cn,
                        SauerbratenCodec.V260.protocol(),
                        connection.sessionid,
                        !context.password().isEmpty(),
                        CubeText.chat(context.name()),
                        ""));
    }

    /** Handles {@code N_CONNECT} of a client that has not joined. */
    void onConnect(long now, SauerbratenSession session, SessionMessage.Connect connect) {
        ClientConnection connection = session.connection;
        Privileges.Key key = privileges.checkPassword(now, session, connect.pwdhash());
        Optional<LeaveReason> ban =
                context.banned(SauerbratenCodec.GAME, connection.peer.address().getAddress(), "");
        if (ban.isPresent()) {
            limiter.reportRefusal(now, connection.peer, ban.get());
            session.viewer.disconnect(DisconnectReason.IP_BANNED, ban.get());
            return;
        }
        DisconnectReason refusal = refusal(key);
        if (refusal == DisconnectReason.FULL) {
            LeaveReason full = context.full(SauerbratenCodec.GAME);
            limiter.reportRefusal(now, connection.peer, full);
            session.viewer.disconnect(refusal, full);
            return;
        }
        if (refusal != DisconnectReason.NONE) {
            limiter.reportRefusal(now, connection.peer, ClientConnection.leaveReason(refusal));
            connection.disconnect(refusal);
            return;
        }
        session.profile.setModel(Math.max(0, connect.model()));
        session.profile.setTeam(match.teamOfNewcomer(), PlayerAppearance.TEAM_REASON_NONE);
        boolean admin = key == Privileges.Key.ADMIN;
        if (!admin && privileges.isLocked()) {
            session.life.setSpectator(true);
        }
        String name = CubeText.playerName(connect.name());
        viewerContext.beforeEvent().run();
        context.arena().join(now, SauerbratenCodec.GAME, name, session.viewer);
        connection.send(welcome.build(now, session), true);
        session.viewer.showBodies();
        if (admin) {
            privileges.setPrivilege(now, session, Privilege.ADMIN);
        }
    }

    private DisconnectReason refusal(Privileges.Key key) {
        boolean full = context.arena().isFull();
        if (key == Privileges.Key.ADMIN) {
            return full ? DisconnectReason.FULL : DisconnectReason.NONE;
        }
        boolean asked = !context.password().isEmpty();
        if (asked && key != Privileges.Key.PLAYER) {
            return DisconnectReason.PASSWORD;
        }
        if (full
                || clients.joined().size()
                        >= Math.min(context.maxPlayers(), ClientConnection.MAX_CLIENT_NUMBERS)) {
            return DisconnectReason.FULL;
        }
        return privileges.isPrivate() && !asked ? DisconnectReason.PRIVATE : DisconnectReason.NONE;
    }
}

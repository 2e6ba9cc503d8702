package dev.wishdir.sauerbraten.server.join;

import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.Proof;
import dev.wishdir.enet.EnetPeer;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.sauerbraten.message.AuthMessage;
import dev.wishdir.sauerbraten.message.CubeText;
import dev.wishdir.sauerbraten.message.SessionMessage;
import dev.wishdir.sauerbraten.protocol.DisconnectReason;
import dev.wishdir.sauerbraten.protocol.SauerbratenCodec;
import dev.wishdir.sauerbraten.server.chat.Privileges;
import dev.wishdir.sauerbraten.server.match.SauerbratenMatch;
import dev.wishdir.sauerbraten.server.session.AuthIdentity;
import dev.wishdir.sauerbraten.server.session.AuthTry;
import dev.wishdir.sauerbraten.server.session.ClientConnection;
import dev.wishdir.sauerbraten.server.session.ClientTable;
import dev.wishdir.sauerbraten.server.session.Privilege;
import dev.wishdir.sauerbraten.server.session.SauerbratenSession;
import dev.wishdir.sauerbraten.server.session.SauerbratenViewer;
import dev.wishdir.sauerbraten.server.view.PlayerAppearance;

import java.util.Optional;

/**
 * The handshake of a client, from its proven connection until it has joined: {@code N_SERVINFO},
 * {@code N_CONNECT}, and a refusal or the welcome.
 */
public final class ConnectHandshake {
    /** The option for the domain whose keys open the server. */
    public static final String AUTH_DOMAIN = "auth-domain";

    private final EndpointContext context;
    private final ClientTable clients;
    private final SauerbratenViewer.Services viewerServices;
    private final SauerbratenMatch match;
    private final Privileges privileges;
    private final ConnectionLimiter limiter;
    private final WelcomeBuilder welcome;
    private final AuthVerifier verifier;
    private final String domain;

    /**
     * @param viewerServices what the viewers of all clients share
     */
    public ConnectHandshake(
            EndpointContext context,
            ClientTable clients,
            SauerbratenViewer.Services viewerServices,
            SauerbratenMatch match,
            Privileges privileges,
            ConnectionLimiter limiter,
            WelcomeBuilder welcome,
            AuthVerifier verifier) {
        this.context = context;
        this.clients = clients;
        this.viewerServices = viewerServices;
        this.match = match;
        this.privileges = privileges;
        this.limiter = limiter;
        this.welcome = welcome;
        this.verifier = verifier;
        domain = context.options().getOrDefault(AUTH_DOMAIN, "");
    }

    /** A client has connected and proved its address. */
    public void onConnected(long now, EnetPeer peer) {
        ClientConnection connection = limiter.admit(now, peer).orElse(null);
        if (connection == null) {
            return;
        }
        SauerbratenSession session = new SauerbratenSession(connection, viewerServices);
        context.memoryBudget().add(session);
        clients.add(session);
        clients.sessions().forEach(other -> other.viewer.releaseNumber(session.cn));
        connection.send(
                new SessionMessage.ServInfo(
                        session.cn,
                        SauerbratenCodec.V260.protocol(),
                        connection.sessionid,
                        !context.password().isEmpty(),
                        CubeText.serverName(context.name()),
                        domain));
    }

    /** Handles {@code N_CONNECT} of a client that has not joined. */
    public void onConnect(long now, SauerbratenSession session, SessionMessage.Connect connect) {
        ClientConnection connection = session.connection;
        if (connection.authTry().isPresent()) {
            connection.disconnect(DisconnectReason.MESSAGE_ERROR);
            return;
        }
        Privileges.Key key = privileges.checkPassword(now, session, connect.pwdhash());
        boolean isAdmin = key == Privileges.Key.ADMIN;
        Optional<LeaveReason> ban = isAdmin ? Optional.empty() : verifier.banned(session);
        Refusal refusal =
                ban.map(why -> new Refusal(DisconnectReason.IP_BANNED, why))
                        .or(() -> refusal(key))
                        .orElse(null);
        if (refusal == null) {
            connection.setProof(isAdmin ? Proof.ADMIN_PASSWORD : context.passwordProof());
            join(now, session, connect, privileges.isLocked() && !isAdmin);
            if (isAdmin) {
                privileges.setPrivilege(
                        now, session, Privilege.ADMIN, Proof.ADMIN_PASSWORD.toString());
            }
        } else if (!domain.isEmpty()
                && connect.authdesc().equals(domain)
                && mayOpen(connect.authname(), refusal)) {
            verifier.start(
                    now,
                    session,
                    domain,
                    connect.authname(),
                    new Admission(session, connect, refusal));
        } else {
            refuse(now, session, refusal);
        }
    }

    /** Whether a key lets a client in that is refused: only an admin's does so against a ban. */
    private boolean mayOpen(String name, Refusal refusal) {
        return refusal.reason != DisconnectReason.IP_BANNED
                || verifier.find(domain, name)
                        .filter(owner -> owner.privilege() == Privilege.ADMIN)
                        .isPresent();
    }

    /** Handles the answer of a client that has not joined to the challenge for its key. */
    public void onAnswer(long now, SauerbratenSession session, AuthMessage.AuthAns answer) {
        verifier.answer(now, session, answer);
    }

    /** A key in place of what the client lacks; without it, the client is refused for that. */
    private final class Admission implements AuthTry.Listener {
        private final SauerbratenSession session;
        private final SessionMessage.Connect connect;
        private final Refusal refusal;

        Admission(SauerbratenSession session, SessionMessage.Connect connect, Refusal refusal) {
            this.session = session;
            this.connect = connect;
            this.refusal = refusal;
        }

        @Override
        public void onProved(long now, AuthIdentity identity) {
            session.connection.setProof(identity.proof());
            join(now, session, connect, privileges.isLocked());
            privileges.claim(now, session, identity);
        }

        @Override
        public void onRefused(long now, String text) {
            refuse(now, session, refusal);
        }
    }

    /**
     * Why a client is refused.
     *
     * @param why for the log, and for the player where it says more than the reason
     */
    private record Refusal(DisconnectReason reason, LeaveReason why) {
        static Refusal of(DisconnectReason reason) {
            return new Refusal(reason, ClientConnection.leaveReason(reason));
        }
    }

    private void refuse(long now, SauerbratenSession session, Refusal refusal) {
        limiter.reportRefusal(now, session.connection.peer, refusal.why);
        switch (refusal.reason) {
            case FULL, IP_BANNED -> session.viewer.disconnect(refusal.reason, refusal.why);
            default -> session.connection.disconnect(refusal.reason);
        }
    }

    private void join(
            long now,
            SauerbratenSession session,
            SessionMessage.Connect connect,
            boolean isSpectator) {
        session.profile.setModel(Math.max(0, connect.model()));
        session.profile.setTeam(match.teamOfNewcomer(), PlayerAppearance.TEAM_REASON_NONE);
        if (isSpectator) {
            session.life.setSpectator(true);
        }
        String name = CubeText.playerName(connect.name());
        viewerServices.beforeEvent().run();
        // The owner of a key is let into a full server, too.
        context.arena().joinBeyondCapacity(now, SauerbratenCodec.GAME, name, session.viewer);
        session.player().combatant().setWatching(now, session.life.isSpectator());
        session.connection.send(welcome.build(now, session), true);
        session.viewer.showBodies();
    }

    private Optional<Refusal> refusal(Privileges.Key key) {
        boolean full = context.arena().isFull();
        if (key == Privileges.Key.ADMIN) {
            return full ? Optional.of(fullServer()) : Optional.empty();
        }
        boolean asked = !context.password().isEmpty();
        if (asked && key != Privileges.Key.PLAYER) {
            return Optional.of(Refusal.of(DisconnectReason.PASSWORD));
        }
        if (full
                || clients.joined().size()
                        >= Math.min(context.maxPlayers(), ClientConnection.MAX_CLIENT_NUMBERS)) {
            return Optional.of(fullServer());
        }
        return privileges.isPrivate() && !asked
                ? Optional.of(Refusal.of(DisconnectReason.PRIVATE))
                : Optional.empty();
    }

    private Refusal fullServer() {
        return new Refusal(DisconnectReason.FULL, context.full(SauerbratenCodec.GAME));
    }
}

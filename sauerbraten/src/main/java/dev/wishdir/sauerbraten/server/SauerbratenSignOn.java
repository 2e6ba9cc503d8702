package dev.wishdir.sauerbraten.server;

import dev.wishdir.arena.LeaveReason;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.sauerbraten.message.AdminMessage;
import dev.wishdir.sauerbraten.message.CubeText;
import dev.wishdir.sauerbraten.message.LifeMessage;
import dev.wishdir.sauerbraten.message.MatchMessage;
import dev.wishdir.sauerbraten.message.RosterMessage;
import dev.wishdir.sauerbraten.message.SauerbratenMessage;
import dev.wishdir.sauerbraten.message.SessionMessage;
import dev.wishdir.sauerbraten.protocol.DisconnectReason;
import dev.wishdir.sauerbraten.protocol.SauerbratenCodec;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The login: admits clients or refuses them with a reason, and sends the welcome. */
final class SauerbratenSignOn {
    private final EndpointContext context;
    private final ClientRegistry registry;
    private final SauerbratenMatch match;
    private final Privileges privileges;
    private final SauerbratenPings pings;
    private final ConnectionAdmission admission;

    SauerbratenSignOn(
            EndpointContext context,
            ClientRegistry registry,
            SauerbratenMatch match,
            Privileges privileges,
            SauerbratenPings pings,
            ConnectionAdmission admission) {
        this.context = context;
        this.registry = registry;
        this.match = match;
        this.privileges = privileges;
        this.pings = pings;
        this.admission = admission;
    }

    /** Handles a message of a client that has not joined. */
    void received(long now, SauerbratenSession session, SauerbratenMessage message) {
        switch (message) {
            case SessionMessage.Connect connect -> join(now, session, connect);
            case SessionMessage.Ping ping -> pings.onPing(session, ping.millis());
            default -> registry.disconnect(session, DisconnectReason.MESSAGE_ERROR);
        }
    }

    private void join(long now, SauerbratenSession session, SessionMessage.Connect connect) {
        Privileges.Key key = privileges.checkPassword(now, session, connect.pwdhash());
        Optional<LeaveReason> ban =
                context.banned(SauerbratenCodec.GAME, session.peer.address().getAddress(), "");
        if (ban.isPresent()) {
            admission.reportRefusal(now, session.peer, ban.get());
            registry.disconnect(session, DisconnectReason.IP_BANNED, ban.get());
            return;
        }
        DisconnectReason refusal = refusal(key);
        if (refusal != DisconnectReason.NONE) {
            admission.reportRefusal(now, session.peer, ClientRegistry.leaveReason(refusal));
            registry.disconnect(session, refusal);
            return;
        }
        session.setModel(Math.max(0, connect.model()));
        session.setTeam(match.teamOfNewcomer(), SauerbratenSession.TEAM_REASON_NONE);
        boolean admin = key == Privileges.Key.ADMIN;
        if (!admin && privileges.locked()) {
            session.setSpectating(true);
        }
        String name = CubeText.playerName(connect.name());
        registry.join(
                session,
                () ->
                        context.arena()
                                .join(now, SauerbratenCodec.GAME, name, session.viewer)
                                .snapshot());
        registry.sendPacket(session, welcome(now, session));
        session.viewer.showBodies();
        if (admin) {
            privileges.onAdminJoin(now, session);
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
                || registry.joined().size()
                        >= Math.min(context.maxPlayers(), ClientRegistry.MAX_CLIENT_NUMBERS)) {
            return DisconnectReason.FULL;
        }
        return privileges.isPrivate() && !asked ? DisconnectReason.PRIVATE : DisconnectReason.NONE;
    }

    /** The welcome, in the order of the original server. */
    private List<SauerbratenMessage> welcome(long now, SauerbratenSession session) {
        List<SauerbratenMessage> welcome = new ArrayList<>();
        welcome.add(new SessionMessage.Welcome());
        match.addToWelcome(now, welcome);
        welcome.addAll(privileges.current());
        if (match.paused()) {
            welcome.add(new AdminMessage.PauseGame(true, -1));
        }
        if (match.speed() != MatchClock.NORMAL_SPEED_PERCENT) {
            welcome.add(new AdminMessage.GameSpeed(match.speed(), -1));
        }
        if (match.mode().teams()) {
            // No scores are kept.
            welcome.add(new MatchMessage.TeamInfo(List.of()));
        }
        welcome.add(
                new RosterMessage.SetTeam(
                        session.cn, session.team(), SauerbratenSession.TEAM_REASON_NONE));
        if (session.presence() == SauerbratenSession.Presence.SPECTATOR) {
            welcome.add(new RosterMessage.Spectator(session.cn, true));
        } else {
            session.nextLife(now, match.mode());
            welcome.add(new LifeMessage.SpawnState(session.cn, session.state()));
        }
        registry.addOthers(session, welcome);
        return welcome;
    }
}

package dev.wishdir.sauerbraten.server;

import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.net.loop.Duty;
import dev.wishdir.sauerbraten.server.chat.AdminHandler;
import dev.wishdir.sauerbraten.server.chat.ChatHandler;
import dev.wishdir.sauerbraten.server.chat.CommandHandler;
import dev.wishdir.sauerbraten.server.combat.ActionHandler;
import dev.wishdir.sauerbraten.server.join.AuthHandler;
import dev.wishdir.sauerbraten.server.join.AuthKeyFile;
import dev.wishdir.sauerbraten.server.join.AuthVerifier;
import dev.wishdir.sauerbraten.server.join.ConnectHandshake;
import dev.wishdir.sauerbraten.server.join.ConnectionLimiter;
import dev.wishdir.sauerbraten.server.join.LeaveHandler;
import dev.wishdir.sauerbraten.server.join.SauerbratenMasters;
import dev.wishdir.sauerbraten.server.join.WelcomeBuilder;
import dev.wishdir.sauerbraten.server.match.EditHandler;
import dev.wishdir.sauerbraten.server.match.MatchHandler;
import dev.wishdir.sauerbraten.server.match.RosterHandler;
import dev.wishdir.sauerbraten.server.movement.PositionHandler;
import dev.wishdir.sauerbraten.server.movement.TeleportRelay;
import dev.wishdir.sauerbraten.server.session.SauerbratenPings;
import dev.wishdir.sauerbraten.server.session.SauerbratenSession;
import dev.wishdir.sauerbraten.server.session.SauerbratenViewer;
import dev.wishdir.sauerbraten.server.view.MovementCache;
import dev.wishdir.sauerbraten.server.view.PositionBatcher;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.function.BiConsumer;

/** Handlers of what the clients of an endpoint send, from the connection to the leave. */
final class Handlers {
    final ConnectionLimiter limiter;
    final SauerbratenMasters masters;
    final LeaveHandler leaves;
    final PacketHandler packets;

    /** What runs before the match in each turn, in this order. */
    final List<Duty> duties;

    /**
     * @param local address of the endpoint, for master servers
     * @param relayIntervalNanos between two relays of a player's positions
     * @param onLeave removes a session
     * @throws IOException if the file of keys cannot be read, or a line is wrong
     */
    Handlers(
            Shared shared,
            Combat combat,
            InetSocketAddress local,
            long relayIntervalNanos,
            BiConsumer<SauerbratenSession, LeaveReason> onLeave)
            throws IOException {
        EndpointContext context = shared.context;
        SauerbratenPings pings =
                new SauerbratenPings(shared.clients, shared.broadcaster, context.counters());
        TeleportRelay teleports = new TeleportRelay(shared.clients, shared.broadcaster);
        limiter = new ConnectionLimiter(context, shared.clients, onLeave);
        masters = new SauerbratenMasters(context, shared.clients);
        masters.open(local);
        AuthVerifier verifier =
                new AuthVerifier(
                        context,
                        new AuthKeyFile(
                                context.options().getOrDefault(AuthKeyFile.OPTION, ""),
                                context.cycle()),
                        masters);
        duties =
                List.of(
                        pings::advance,
                        shared.broadcaster::advance,
                        teleports::advance,
                        shared.players::advance,
                        verifier::advance);
        leaves =
                new LeaveHandler(
                        context, shared.clients, shared.broadcaster, shared.privileges, limiter);
        ConnectHandshake handshake =
                new ConnectHandshake(
                        context,
                        shared.clients,
                        viewers(shared, relayIntervalNanos),
                        combat.match,
                        shared.privileges,
                        limiter,
                        new WelcomeBuilder(
                                shared.current,
                                combat.match,
                                combat.lives,
                                shared.privileges,
                                combat.flags),
                        verifier);
        packets =
                new PacketHandler(
                        shared.clients,
                        new PositionHandler(
                                shared.level,
                                combat.places,
                                teleports,
                                context.counters(),
                                (session, time) -> combat.lives.restart(time, session),
                                shared.peerTime,
                                shared.current::stopsPhysics),
                        handshake,
                        leaves,
                        pings,
                        messages(shared, combat, pings, verifier),
                        context.counters());
    }

    private static SauerbratenViewer.Services viewers(Shared shared, long relayIntervalNanos) {
        return new SauerbratenViewer.Services(
                shared.arena,
                shared.clients,
                shared.foreignPlayers,
                new MovementCache(shared.clients::number, shared.foreignPlayers),
                shared.broadcaster::flushRelayed,
                shared.players::onJoined,
                new PositionBatcher(relayIntervalNanos),
                shared.current.board(),
                shared.context.cycle()::now);
    }

    private static MessageHandler messages(
            Shared shared, Combat combat, SauerbratenPings pings, AuthVerifier verifier) {
        EndpointContext context = shared.context;
        AdminHandler admins =
                new AdminHandler(
                        shared.arena,
                        shared.clients,
                        shared.broadcaster,
                        shared.current,
                        combat.match::isShared,
                        shared.privileges,
                        context.operatorConsole());
        return new MessageHandler(
                pings,
                new ChatHandler(
                        shared.broadcaster,
                        shared.current,
                        new CommandHandler(shared.privileges, context.operatorConsole())),
                combat.lives,
                new ActionHandler(
                        shared.broadcaster, shared.arena.match(), combat.shots, shared.peerTime),
                new RosterHandler(
                        shared.clients,
                        shared.broadcaster,
                        shared.current,
                        combat.lives,
                        shared.privileges),
                new MatchHandler(
                        shared.clients,
                        shared.broadcaster,
                        combat.match,
                        shared.maps,
                        combat.items,
                        combat.lives,
                        shared.privileges),
                new AuthHandler(verifier, shared.privileges, admins),
                new EditHandler(
                        shared.broadcaster,
                        shared.current,
                        shared.maps,
                        shared.level,
                        combat.match::isShared,
                        shared.arena.match(),
                        combat.lives,
                        EditHandler.EditPermission.of(
                                context.options().getOrDefault(EditHandler.OPTION, ""))),
                combat.flags);
    }
}

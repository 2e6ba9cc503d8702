package dev.wishdir.quake3.server;

import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.net.loop.Counters;
import dev.wishdir.quake3.message.ClientMessage;
import dev.wishdir.quake3.protocol.ServerConnection;
import dev.wishdir.quake3.server.chat.EngineCommandHandler;
import dev.wishdir.quake3.server.combat.UsercmdExecutor;
import dev.wishdir.quake3.server.session.ClientTable;
import dev.wishdir.quake3.server.session.GamestateSender;
import dev.wishdir.quake3.server.session.Quake3Session;
import dev.wishdir.quake3.server.session.SessionLifecycle;
import dev.wishdir.quake3.server.view.RunningLevel;

/** Handles the messages of joined clients: acknowledgements, commands and moves. */
final class MessageHandler {
    private final Counters counters;
    private final ClientTable clients;
    private final SessionLifecycle lifecycle;
    private final RunningLevel running;
    private final UsercmdExecutor executor;
    private final EngineCommandHandler commands;

    MessageHandler(
            Counters counters,
            ClientTable clients,
            SessionLifecycle lifecycle,
            RunningLevel running,
            UsercmdExecutor executor,
            EngineCommandHandler commands) {
        this.counters = counters;
        this.clients = clients;
        this.lifecycle = lifecycle;
        this.running = running;
        this.executor = executor;
        this.commands = commands;
    }

    /** Handles a message that a connection has received. */
    void handle(long now, Quake3Session client, ServerConnection c, ClientMessage message) {
        client.player().ifPresent(player -> player.recordActivity(now));
        for (String command : c.commands(message)) {
            commands.execute(now, client, command);
            if (client.isZombie() || !clients.contains(client)) {
                return;
            }
        }
        if (c.hasLostCommands()) {
            lifecycle.drop(
                    now,
                    client,
                    new LeaveReason(LeaveReason.Code.PROTOCOL_ERROR, "Lost reliable commands"));
            return;
        }
        if (c.isNotAcknowledging(now)) {
            lifecycle.drop(now, client, LeaveReason.NOT_ACKNOWLEDGING);
            return;
        }
        if (message.serverId() != running.serverId()) {
            if (!running.isBeforeRestart(message.serverId())
                    && !client.channel().downloads().isActive()
                    && !client.isActive()) {
                requestGamestate(now, client, message);
            }
            return;
        }
        client.channel().gamestates().onLevelReceived();
        for (ClientMessage.Op op : message.ops()) {
            if (op instanceof ClientMessage.Move move) {
                move(now, client, c, message, move);
                // Clients send only one move in a message.
                return;
            }
        }
    }

    private void move(
            long now,
            Quake3Session client,
            ServerConnection c,
            ClientMessage message,
            ClientMessage.Move move) {
        GamestateSender gamestates = client.channel().gamestates();
        if (!gamestates.isAcknowledged()) {
            // It moves in a level whose gamestate it has not acknowledged.
            counters.count("quake3.drop.blind");
        } else if (!running.purity().isRequired() || client.isPure()) {
            gamestates.setPending(false);
            c.moved(message, move.delta(), running.time(now));
            executor.advance(now, clients);
            executor.execute(now, client, move.commands());
        } else if (client.isActive()) {
            // It has played, and must load the level again to prove its paks.
            requestGamestate(now, client, message);
        }
    }

    private void requestGamestate(long now, Quake3Session client, ClientMessage message) {
        if (client.channel().gamestates().request(message.messageAcknowledge())) {
            client.sendGamestate(now, running);
        }
    }
}

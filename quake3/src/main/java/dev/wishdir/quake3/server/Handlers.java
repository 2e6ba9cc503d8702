package dev.wishdir.quake3.server;

import dev.wishdir.game.EndpointContext;
import dev.wishdir.game.MasterServer;
import dev.wishdir.quake3.map.Quake3MapCatalog;
import dev.wishdir.quake3.server.chat.CommandHandler;
import dev.wishdir.quake3.server.chat.EngineCommandHandler;
import dev.wishdir.quake3.server.chat.RconConsole;
import dev.wishdir.quake3.server.chat.RconRequests;
import dev.wishdir.quake3.server.join.ConnectHandshake;
import dev.wishdir.quake3.server.join.Heartbeat;
import dev.wishdir.quake3.server.join.OutOfBandSender;
import dev.wishdir.quake3.server.join.ServerQueries;
import dev.wishdir.quake3.server.session.Quake3Session;
import dev.wishdir.quake3.server.view.PlayerConfigstrings;

import java.util.List;

/** Handlers of what the clients of an endpoint send, and of its queries. */
final class Handlers {
    final Heartbeat heartbeat;
    final RconConsole console;
    final MessageHandler messages;
    final ConnectHandshake handshake;
    final ServerQueries queries;
    final RconRequests rcon;

    /**
     * @param catalog that contains the maps operators may start
     * @param masters the master servers that get heartbeats
     */
    Handlers(Shared shared, Combat combat, Quake3MapCatalog catalog, List<MasterServer> masters) {
        EndpointContext context = shared.context;
        heartbeat = new Heartbeat(context, masters, shared.socket);
        console =
                new RconConsole(context, catalog, shared.clients, shared.running, combat.executor);
        CommandHandler gameCommands =
                new CommandHandler(
                        shared.arena,
                        shared.clients,
                        shared.running,
                        combat.executor,
                        console::isShared);
        messages =
                new MessageHandler(
                        context.counters(),
                        shared.clients,
                        shared.lifecycle,
                        shared.running,
                        combat.executor,
                        new EngineCommandHandler(
                                context.counters(),
                                shared.lifecycle,
                                shared.running,
                                gameCommands));
        OutOfBandSender sender =
                new OutOfBandSender(
                        shared.socket,
                        context.addressLimits().amplificationLimiter(),
                        context.counters());
        handshake =
                new ConnectHandshake(
                        context,
                        shared.socket,
                        sender,
                        shared.clients,
                        shared.lifecycle,
                        sessions(shared));
        queries = new ServerQueries(context, sender, shared.clients, shared.running);
        rcon = new RconRequests(context, sender, shared.clients, console);
    }

    private static Quake3Session.Services sessions(Shared shared) {
        boolean openArena = shared.running.openArena();
        return new Quake3Session.Services(
                shared.arena,
                shared.movementCache,
                shared.clients::find,
                new PlayerConfigstrings(shared.arena, shared.clients::find, openArena),
                shared.combatEntities,
                openArena,
                shared.lifecycle);
    }
}

package dev.wishdir.quake2.server;

import dev.wishdir.game.EndpointContext;
import dev.wishdir.game.MasterServer;
import dev.wishdir.game.level.MapChanger;
import dev.wishdir.quake2.map.Quake2Map;
import dev.wishdir.quake2.protocol.Quake2Codec;
import dev.wishdir.quake2.server.chat.CommandHandler;
import dev.wishdir.quake2.server.chat.RconRequests;
import dev.wishdir.quake2.server.join.ConnectHandshake;
import dev.wishdir.quake2.server.join.Heartbeat;
import dev.wishdir.quake2.server.join.ServerInfo;
import dev.wishdir.quake2.server.join.ServerQueries;
import dev.wishdir.quake2.server.join.SessionFactory;
import dev.wishdir.quake2.server.join.SignOn;
import dev.wishdir.quake2.server.match.PlayerListing;

/** Handlers of what the clients of an endpoint send, and of its queries. */
final class Handlers {
    final PlayerListing listings;
    final Heartbeat heartbeat;
    final OutOfBandHandler outOfBands;
    final MessageHandler messages;

    Handlers(Shared shared, SessionFactory sessions, MapChanger<Quake2Map> maps) {
        EndpointContext context = shared.context;
        listings = new PlayerListing(shared.arena, shared.entityTable, context.cycle()::now);
        ServerInfo serverInfo = new ServerInfo(context, shared.level);
        ServerQueries queries =
                new ServerQueries(serverInfo, listings, shared.sender, shared.counters);
        heartbeat =
                new Heartbeat(
                        context,
                        MasterServer.parse(
                                Quake2Codec.GAME,
                                context.options().getOrDefault(MasterServer.OPTION, ""),
                                Heartbeat.MASTER_PORT),
                        queries,
                        shared.socket);
        outOfBands =
                new OutOfBandHandler(
                        new ConnectHandshake(
                                context, shared.clients, sessions, shared.sender, shared.counters),
                        queries,
                        new RconRequests(
                                context,
                                shared.clients,
                                maps::change,
                                shared.sender,
                                shared.counters),
                        heartbeat,
                        shared.counters);
        messages =
                new MessageHandler(
                        new CommandHandler(
                                new SignOn(shared.strings, shared.clients, shared.counters),
                                shared.clients,
                                shared.level,
                                serverInfo,
                                listings,
                                maps::isShared,
                                shared.counters),
                        shared.counters);
    }
}

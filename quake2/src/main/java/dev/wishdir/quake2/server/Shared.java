package dev.wishdir.quake2.server;

import dev.wishdir.arena.Arena;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.net.loop.UdpSocket;
import dev.wishdir.quake2.map.Quake2Map;
import dev.wishdir.quake2.message.ServerMessage.ConfigString;
import dev.wishdir.quake2.server.session.ClientTable;
import dev.wishdir.quake2.server.session.PacketSender;
import dev.wishdir.quake2.server.session.Quake2Counters;
import dev.wishdir.quake2.server.session.Quake2Session;
import dev.wishdir.quake2.server.view.ConfigStrings;
import dev.wishdir.quake2.server.view.FlagEntities;
import dev.wishdir.quake2.server.view.ItemEntities;
import dev.wishdir.quake2.server.view.MissileEntities;
import dev.wishdir.quake2.server.view.PlayerEntityTable;
import dev.wishdir.quake2.server.view.RunningLevel;

import java.util.List;

/** State of an endpoint that its handlers share: clients, entities and the level. */
final class Shared {
    final EndpointContext context;
    final Arena arena;
    final UdpSocket socket;
    final Quake2Counters counters;
    final PacketSender sender;
    final ConfigStrings strings = new ConfigStrings(this::onConfigString);
    final MissileEntities missiles = new MissileEntities();
    final PlayerEntityTable entityTable;
    final ClientTable clients;
    final RunningLevel level;

    Shared(EndpointContext context, UdpSocket socket, Quake2Map map) {
        this.context = context;
        this.socket = socket;
        arena = context.arena();
        counters = new Quake2Counters(context.counters());
        sender = new PacketSender(socket, context.addressLimits().amplificationLimiter(), counters);
        ItemEntities items = new ItemEntities(arena.match().items());
        FlagEntities flags = new FlagEntities(arena, strings);
        entityTable = new PlayerEntityTable(arena, strings, missiles, items, flags);
        clients = new ClientTable(context, entityTable, counters);
        level =
                new RunningLevel(
                        arena,
                        context.httpDownloads(),
                        strings,
                        items,
                        flags,
                        context.cycle().now(),
                        map);
    }

    /** Sends a changed configstring to the clients that have the others. */
    private void onConfigString(int index) {
        for (Quake2Session session : clients.all()) {
            if (session.state().hasConfigStrings()) {
                session.channel()
                        .state(index, () -> List.of(new ConfigString(index, strings.get(index))));
            }
        }
    }
}

package dev.wishdir.quake3.server;

import dev.wishdir.arena.Arena;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.net.loop.UdpSocket;
import dev.wishdir.quake3.map.Pak;
import dev.wishdir.quake3.map.Quake3Map;
import dev.wishdir.quake3.protocol.Quake3Codec;
import dev.wishdir.quake3.server.session.ClientTable;
import dev.wishdir.quake3.server.session.SessionLifecycle;
import dev.wishdir.quake3.server.view.CombatEntities;
import dev.wishdir.quake3.server.view.MovementCache;
import dev.wishdir.quake3.server.view.PlayerMarks;
import dev.wishdir.quake3.server.view.RunningLevel;

import java.util.List;

/** State of an endpoint that its handlers share: clients, entities and the level. */
final class Shared {
    final EndpointContext context;
    final Arena arena;
    final UdpSocket socket;
    final ClientTable clients;
    final CombatEntities combatEntities = new CombatEntities();
    final PlayerMarks marks;
    final MovementCache movementCache;
    final SessionLifecycle lifecycle;
    final RunningLevel running;

    /**
     * @param game the folder of the game that clients must have
     * @param paks that clients must have, empty if the server is not pure
     */
    Shared(EndpointContext context, UdpSocket socket, Quake3Map map, String game, List<Pak> paks) {
        this.context = context;
        this.socket = socket;
        arena = context.arena();
        clients = new ClientTable(context.maxPlayers());
        marks = new PlayerMarks(arena.match(), context.cycle()::now);
        movementCache =
                new MovementCache(
                        context.cycle()::now,
                        id -> arena.match().quadLeft(context.cycle().now(), id),
                        marks);
        lifecycle =
                new SessionLifecycle(
                        arena, clients, context.memoryBudget(), context.httpDownloads());
        running = new RunningLevel(context, map, game, paks);
        arena.setLevel(context.cycle().now(), Quake3Codec.GAME, map.played());
    }
}

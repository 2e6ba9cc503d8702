package dev.wishdir.sauerbraten.server.session;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.Level;
import dev.wishdir.enet.EnetNode;
import dev.wishdir.net.limit.AddressLimits;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.sauerbraten.movement.SauerbratenMotion;
import dev.wishdir.sauerbraten.protocol.SauerbratenCodec;
import dev.wishdir.sauerbraten.server.view.ForeignPlayers;
import dev.wishdir.sauerbraten.server.view.MatchBoard;
import dev.wishdir.sauerbraten.server.view.MovementCache;
import dev.wishdir.sauerbraten.server.view.PositionBatcher;
import dev.wishdir.sauerbraten.server.view.RunningLevel;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Sessions with real connections over a simulated network, without an endpoint. */
final class SessionFixture {
    final SimulatedNetwork network = new SimulatedNetwork(6);
    final Arena arena = new Arena(Level.BOX, 100);
    final ClientTable clients = new ClientTable();
    final Broadcaster broadcaster = new Broadcaster(clients);
    final ForeignPlayers foreignPlayers =
            new ForeignPlayers(new RunningLevel(arena, SauerbratenMotion.CENTERED));
    final PlayerTracker players = new PlayerTracker(arena, clients, foreignPlayers);

    /** By client number, what the client has received. */
    final List<EnetNode> nodes = new ArrayList<>();

    private final EnetNode server = EnetNode.server(network);
    private final AddressLimits limits = AddressLimits.standard(100);
    private final SauerbratenViewer.Services services =
            new SauerbratenViewer.Services(
                    arena,
                    clients,
                    foreignPlayers,
                    new MovementCache(clients::number, foreignPlayers),
                    broadcaster::flushRelayed,
                    players::onJoined,
                    new PositionBatcher(0),
                    new MatchBoard(arena.match()),
                    network::now);

    SessionFixture() {
        arena.addListener(players);
    }

    /** A client that has connected, and is in the table. */
    SauerbratenSession connect() {
        EnetNode node = EnetNode.client(network, nodes.size() + 1);
        nodes.add(node);
        node.connect(server);
        InetAddress from = node.socket.local().getAddress();
        ClientConnection connection =
                new ClientConnection(
                        server.connected.getLast(),
                        Objects.requireNonNull(limits.enter(network.now(), from)),
                        clients.freeNumber(),
                        1234,
                        network.now());
        SauerbratenSession session = new SauerbratenSession(connection, services);
        clients.add(session);
        return session;
    }

    /** A client that has joined. */
    SauerbratenSession join(String name) {
        SauerbratenSession session = connect();
        arena.join(network.now(), SauerbratenCodec.GAME, name, session.viewer);
        session.viewer.introductions();
        return session;
    }

    /** Lets what was sent arrive; returns the messages that a client has received since. */
    int received(SauerbratenSession session) {
        server.wake();
        network.run(100 * EnetNode.MILLI);
        EnetNode node = nodes.get(session.cn);
        int count = node.received.size();
        node.received.clear();
        return count;
    }
}

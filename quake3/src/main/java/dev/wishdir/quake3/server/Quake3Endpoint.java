package dev.wishdir.quake3.server;

import dev.wishdir.arena.Departure;
import dev.wishdir.arena.Player;
import dev.wishdir.game.Endpoint;
import dev.wishdir.game.Serving;
import dev.wishdir.net.DatagramHandler;
import dev.wishdir.net.Duty;
import dev.wishdir.net.UdpSocket;
import dev.wishdir.quake3.map.Level;
import dev.wishdir.quake3.map.Levels;
import dev.wishdir.quake3.map.Pak;
import dev.wishdir.quake3.message.ClientMessage;
import dev.wishdir.quake3.message.ServerMessage;
import dev.wishdir.quake3.message.ServerMessage.Snapshot;
import dev.wishdir.quake3.netchan.OutOfBand;
import dev.wishdir.quake3.protocol.Quake3Codec;
import dev.wishdir.quake3.protocol.ServerConnection;
import dev.wishdir.quake3.server.Quake3Player.State;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;

/**
 * The server side: unmodified clients of protocol 68 and of both protocols 71 join the arena, walk
 * with their game's own physics and see the others. The server moves the player; nobody does
 * damage.
 */
public final class Quake3Endpoint implements Endpoint, DatagramHandler {
    private static final long MILLI = 1_000_000;
    private static final long FRAME = 1_000 * MILLI / RunningLevel.FPS;

    /** How long a snapshot that is due waits for news, or a quarter of what is between two. */
    private static final long PATIENCE = 5 * MILLI;

    /** Snapshots a second in all, so that a crowd gets fewer each: 62 where 48 play. */
    private static final int SNAPSHOTS_PER_SECOND = 3_000;

    private static final long TIMEOUT = 60_000 * MILLI;

    /** Who was accepted and sends nothing at all is gone sooner. */
    private static final long SPEECHLESS = 10_000 * MILLI;

    /** The time between two snapshots for who has not shown that it receives them. */
    private static final long UNHEARD = 200 * MILLI;

    private static final int SHORTEST_PACKET = 6;
    private static final String NOT_ACKNOWLEDGING = "does not acknowledge what it is sent";

    private final Serving serving;
    private final UdpSocket socket;
    private final Clients clients;
    private final RunningLevel running;
    private final ClientMoves moves;
    private final ClientCommands commands;
    private final Connectionless connectionless;
    private final Heartbeat heartbeat;
    private int announced;
    private long nextFrame;
    private int frames;

    /**
     * Loads the map and opens the socket.
     *
     * @param levels of which the map is one
     * @param game the folder of the game that clients must have: {@code baseoa} or {@code baseq3}
     * @param paks that clients must have to be let in, or none: Quake III, pure
     * @param masters whom to tell that there is a server
     * @throws IOException if there is no such map or the port can't be bound
     */
    public Quake3Endpoint(
            Serving serving,
            Levels levels,
            String game,
            List<Pak> paks,
            List<InetSocketAddress> masters)
            throws IOException {
        this.serving = serving;
        clients = new Clients(serving);
        Level level = levels.load(serving.map());
        running = new RunningLevel(serving, level, game, paks);
        serving.arena().play(serving.cycle().now(), Quake3Codec.GAME, level.played());
        moves = new ClientMoves(serving, running);
        nextFrame = serving.cycle().now();
        socket = serving.cycle().open(serving.address(), this);
        heartbeat = new Heartbeat(masters, socket, nextFrame);
        commands = new ClientCommands(serving, socket, clients, running, moves);
        connectionless =
                new Connectionless(
                        serving,
                        socket,
                        clients,
                        running,
                        new Console(serving.arena(), levels, clients, running, moves));
    }

    @Override
    public InetSocketAddress address() {
        return socket.local();
    }

    private void count(String what) {
        serving.counters().count("quake3." + what);
    }

    @Override
    public void receive(long now, InetSocketAddress from, byte[] data) {
        if (from.getPort() == 0 || from.equals(socket.local())) {
            count("drop.address");
            return;
        }
        try {
            Bytes bytes = Bytes.wrap(data);
            if (OutOfBand.is(bytes)) {
                connectionless.receive(now, from, OutOfBand.read(bytes));
            } else {
                inBand(now, from, data);
            }
        } catch (MalformedPacketException _) {
            count("drop.malformed");
        }
    }

    private void inBand(long now, InetSocketAddress from, byte[] data) {
        if (data.length < SHORTEST_PACKET) {
            count("drop.short");
            return;
        }
        int qport = data[4] & 0xFF | (data[5] & 0xFF) << 8;
        Quake3Player client = clients.at(from.getAddress(), qport);
        if (client == null || client.state == State.ZOMBIE) {
            count("drop.stranger");
            return;
        }
        if (!client.isFrom(now, from.getPort(), data)) {
            count("drop.port");
            return;
        }
        if (!client.messages.has(now, 1)) {
            count("drop.flood");
            return;
        }
        ServerConnection c = client.connection(data);
        ClientMessage message = c.receive(data);
        if (message == null) {
            count("drop.packet");
            return;
        }
        client.messages.take(now);
        client.connection = c;
        client.address = from;
        client.heard = now;
        if (client.id == null && !clients.enter(now, client)) {
            clients.drop(now, client, Departure.sentAway("Server is full"));
            return;
        }
        heard(now, client, c, message);
    }

    private void heard(long now, Quake3Player client, ServerConnection c, ClientMessage message) {
        if (client.id != null) {
            serving.arena().heard(now, client.id);
        }
        for (String command : c.commands(message)) {
            commands.execute(now, client, command);
            if (client.state == State.ZOMBIE || !clients.has(client)) {
                return;
            }
        }
        if (c.lostCommands()) {
            clients.drop(now, client, Departure.sentAway("Lost reliable commands"));
            return;
        }
        if (c.isNotAcknowledging(now)) {
            clients.drop(now, client, Departure.sentAway(NOT_ACKNOWLEDGING));
            return;
        }
        if (message.serverId() != running.serverId()) {
            if (!running.isBeforeRestart(message.serverId())
                    && client.download == null
                    && client.state != State.ACTIVE) {
                wantsGamestate(now, client, message);
            }
            return;
        }
        for (ClientMessage.Op op : message.ops()) {
            if (op instanceof ClientMessage.Move move) {
                if (!client.hasGamestate()) {
                    // It moves in a level of which it was told nothing that it has received.
                    count("drop.blind");
                    return;
                }
                if (!running.purity().wanted() || client.proved) {
                    client.wantsGamestate = false;
                    c.moved(message, move.delta(), running.time(now));
                    moves.advance(now, clients);
                    moves.execute(now, client, move.commands());
                } else if (client.state == State.ACTIVE) {
                    // It has played, and must load the level anew to prove its paks.
                    wantsGamestate(now, client, message);
                }
                // A client sends no second one.
                return;
            }
        }
    }

    /** A client shows that it lacks the gamestate, unless that is still on its way. */
    private void wantsGamestate(long now, Quake3Player client, ClientMessage message) {
        if (message.messageAcknowledge() > client.gamestateMessage) {
            client.missesGamestate();
            client.sendGamestate(now, running, socket);
        }
    }

    @Override
    public long advance(long now) {
        if (now >= nextFrame) {
            nextFrame = Math.max(nextFrame + FRAME, now - FRAME);
            frames++;
            if (announced != running.serverId()) {
                announced = running.serverId();
                heartbeat.changed(now);
            }
            heartbeat.advance(now);
            for (Quake3Player client : clients) {
                frame(now, client);
            }
        }
        moves.advance(now, clients);
        long next = nextFrame;
        for (Quake3Player client : clients) {
            next = Math.min(next, snapshot(now, client));
        }
        return next;
    }

    private void frame(long now, Quake3Player client) {
        if (client.state == State.ZOMBIE && now >= client.zombieUntil) {
            clients.remove(now, client, Departure.LEFT);
            return;
        }
        long limit = client.id == null ? SPEECHLESS : TIMEOUT;
        if (client.state != State.ZOMBIE && now - client.heard > limit) {
            clients.drop(now, client, Departure.TIMED_OUT);
            return;
        }
        ServerConnection c = client.connection;
        if (c == null) {
            return;
        }
        if (c.overflowed() && client.state != State.ZOMBIE) {
            clients.drop(now, client, Departure.sentAway("Server command overflow"));
            return;
        }
        moves.watch(now, client);
        if (frames % RunningLevel.FPS == 0 && client.id != null) {
            serving.arena().ping(client.id, c.ping());
        }
        client.pay(now);
        Download download = client.download;
        if (now < client.nextPacket) {
            return;
        }
        if (c.sending()) {
            client.sendPart(now, c, socket);
        } else if (client.wantsGamestate) {
            client.sendGamestate(now, running, socket);
        } else if (download != null && download.isNotAcknowledging(now)) {
            clients.drop(now, client, Departure.sentAway(NOT_ACKNOWLEDGING));
            return;
        } else if (download != null) {
            ServerMessage.Download block = download.next(now);
            if (block != null) {
                c.send(List.of(block), client.sink(socket));
            }
            if (download.finished()) {
                client.download = null;
            }
        }
        client.pay(now);
    }

    /**
     * Sends a client its next snapshot where it is due: with the next news, or a little later
     * without.
     *
     * @return when to look again without news
     */
    private long snapshot(long now, Quake3Player client) {
        ServerConnection c = client.connection;
        if (c == null || c.sending() || client.download != null) {
            return Duty.NEVER;
        }
        long due = Math.max(client.nextSnapshot, client.nextPacket);
        if (now < due) {
            return due;
        }
        long interval = interval(now, client, c);
        client.interval = interval;
        long patience = Math.min(PATIENCE, interval / 4);
        if (!client.hasNews && now < due + patience) {
            return due + patience;
        }
        boolean rateDelayed = client.nextPacket > client.nextSnapshot;
        int flags =
                running.serverCountFlag()
                        | (client.state == State.ACTIVE ? 0 : Snapshot.NOT_ACTIVE)
                        | (rateDelayed ? Snapshot.RATE_DELAYED : 0);
        List<Player> shown = client.shown();
        client.news.tell(now, running, shown);
        c.send(
                client.frame(now, running.time(now), running.entities(), shown),
                flags,
                client.sink(socket));
        client.sentPart(now);
        client.pay(now);
        client.hasNews = false;
        // One that waited for news makes the next one no later.
        client.nextSnapshot = Math.max(client.nextSnapshot, now - patience) + interval;
        return client.nextSnapshot;
    }

    /** The time between two snapshots for a client. */
    private long interval(long now, Quake3Player client, ServerConnection c) {
        if (!client.listens()) {
            return UNHEARD;
        }
        int most = SNAPSHOTS_PER_SECOND / Math.max(1, clients.playing());
        return Math.max(
                1_000 * MILLI / Math.min(client.snaps(), most), c.pace(running.time(now)) * MILLI);
    }

    @Override
    public void close(String reason) {
        long now = serving.cycle().now();
        for (Quake3Player client : clients) {
            if (client.state != State.ZOMBIE) {
                clients.drop(now, client, new Departure(Departure.Kind.CLOSED, reason));
            }
            ServerConnection c = client.connection;
            for (int i = 0; c != null && i < 2 && !c.sending(); i++) {
                c.send(
                        client.frame(now, running.time(now), running.entities(), client.shown()),
                        Snapshot.NOT_ACTIVE,
                        client.sink(socket));
            }
            clients.remove(now, client, Departure.CLOSED);
        }
        heartbeat.close();
        socket.close();
    }
}

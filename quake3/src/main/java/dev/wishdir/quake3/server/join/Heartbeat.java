package dev.wishdir.quake3.server.join;

import dev.wishdir.game.EndpointContext;
import dev.wishdir.game.MasterServer;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.loop.UdpSocket;
import dev.wishdir.quake3.netchan.OutOfBand;
import dev.wishdir.quake3.protocol.Quake3Codec;

import java.net.InetSocketAddress;
import java.util.List;

/**
 * Sends heartbeats to master servers every 300 s and at a new level:
 * docs/protocols/quake3.md#heartbeat.
 */
public final class Heartbeat {
    private static final long INTERVAL_NANOS = 300_000_000_000L;
    private static final String TEXT = "heartbeat QuakeArena-1\n";

    private final List<MasterServer> masters;
    private final DutyCycle cycle;
    private final UdpSocket socket;
    private long next;

    /** The level that the last heartbeat announced. */
    private int announcedServerId;

    /**
     * @param masters the master servers, may be empty
     */
    public Heartbeat(EndpointContext context, List<MasterServer> masters, UdpSocket socket) {
        this.masters = masters;
        cycle = context.cycle();
        this.socket = socket;
        next = cycle.now();
        for (MasterServer master : masters) {
            context.operatorConsole()
                    .addStatusLine(
                            () -> master.status(Quake3Codec.GAME, socket.local().getAddress()));
        }
    }

    /** Records a query, which is a master server's only answer. */
    public void onQuery(InetSocketAddress from) {
        MasterServer.recordAnswer(masters, Quake3Codec.GAME, socket.local().getAddress(), from);
    }

    /**
     * Sends a heartbeat if it is due, or if the level is a new one.
     *
     * @param serverId of the current level
     */
    public void advance(long now, int serverId) {
        if (announcedServerId != serverId) {
            announcedServerId = serverId;
            next = now;
        }
        masters.forEach(master -> master.advance(cycle, socket.local().getAddress(), this::beat));
        if (now >= next) {
            next = now + INTERVAL_NANOS;
            beat();
        }
    }

    /** Sends the last heartbeats: masters then query the server and get no answer. */
    public void close() {
        beat();
        beat();
    }

    private void beat() {
        MasterServer.send(masters, socket, new OutOfBand(TEXT).datagram().toArray());
    }

    private void beat(InetSocketAddress master) {
        byte[] bytes = new OutOfBand(TEXT).datagram().toArray();
        socket.send(master, bytes, 0, bytes.length);
    }
}

package dev.wishdir.quake2.server.join;

import dev.wishdir.game.EndpointContext;
import dev.wishdir.game.MasterServer;
import dev.wishdir.net.loop.Duty;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.loop.ResolvedHost;
import dev.wishdir.net.loop.UdpSocket;
import dev.wishdir.quake2.netchan.OutOfBand;
import dev.wishdir.quake2.protocol.Quake2Codec;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Announces the server to master servers: a ping and a heartbeat once an address is known, then a
 * heartbeat every 300 s: docs/protocols/quake2.md, 1.1.
 */
public final class Heartbeat {
    /** The default port of master servers. */
    public static final int MASTER_PORT = 27_900;

    private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(300);

    private final List<MasterServer> masters;
    private final ServerQueries queries;
    private final UdpSocket socket;
    private final DutyCycle cycle;
    private long next = Long.MIN_VALUE;

    /**
     * @param masters the master servers, may be empty
     */
    public Heartbeat(
            EndpointContext context,
            List<MasterServer> masters,
            ServerQueries queries,
            UdpSocket socket) {
        this.masters = masters;
        this.queries = queries;
        this.socket = socket;
        cycle = context.cycle();
        for (MasterServer master : masters) {
            context.operatorConsole()
                    .addStatusLine(
                            () -> master.status(Quake2Codec.GAME, socket.local().getAddress()));
        }
    }

    /** Sends heartbeats that are due; returns when to call again. */
    public long advance(long now) {
        if (masters.isEmpty()) {
            return Duty.NEVER;
        }
        masters.forEach(
                master -> master.advance(cycle, socket.local().getAddress(), this::announce));
        if (now >= next) {
            if (next == Long.MIN_VALUE) {
                send("ping");
            }
            next = now + INTERVAL_NANOS;
            send(text());
        }
        return Math.min(next, now + ResolvedHost.RETRY_NANOS);
    }

    private String text() {
        return queries.status("heartbeat\n");
    }

    private void announce(InetSocketAddress master) {
        for (String text : List.of("ping", text())) {
            byte[] packet = new OutOfBand(text).packet();
            socket.send(master, packet, 0, packet.length);
        }
    }

    private void send(String text) {
        MasterServer.send(masters, socket, new OutOfBand(text).packet());
    }

    /**
     * Records the acknowledgement of a master server.
     *
     * @return false if it comes from elsewhere
     */
    public boolean onAcknowledged(InetSocketAddress from) {
        return MasterServer.recordAnswer(
                masters, Quake2Codec.GAME, socket.local().getAddress(), from);
    }

    /** Announces the end of the server. */
    public void close() {
        send("shutdown");
    }
}

package dev.wishdir.app.record;

import dev.wishdir.arena.event.ArenaListener;
import dev.wishdir.game.ClientConfig;
import dev.wishdir.game.Game;
import dev.wishdir.game.capture.CapturedPlayers;
import dev.wishdir.inspect.Inspector;
import dev.wishdir.net.loop.DatagramHandler;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.loop.ForwardingCycle;
import dev.wishdir.net.loop.UdpSocket;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.dissect.Datagram;
import dev.wishdir.wire.dissect.Direction;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Reports what a headless client sees of the other players on a server as events of an arena. The
 * client's own datagrams are decoded as those of a capture, so both give the same events. A
 * transport that only the client can decrypt is decoded from what the client reports.
 *
 * <p>It is the duty cycle of that client: {@link ClientConfig#cycle}. Events come on its thread.
 */
public final class ServerWatch extends ForwardingCycle {
    /** Stands for the client's sockets, as the server sees one client. */
    private static final InetSocketAddress CLIENT =
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);

    private final InetSocketAddress server;
    private final long startNanos;
    private final List<String> keys = new CopyOnWriteArrayList<>();
    private final Inspector inspector;
    private final Queue<Datagram> sent = new ArrayDeque<>();
    private boolean receiving;

    /** Whether the client reports its datagrams in the clear. */
    private boolean hasPlaintext;

    private long frames;

    /**
     * @param cycle runs the client
     * @param epochNanos the present time, nanoseconds since 1970
     * @param listener receives the events of all players except the client's own
     */
    public ServerWatch(
            DutyCycle cycle,
            Game game,
            InetSocketAddress server,
            long epochNanos,
            ArenaListener listener) {
        super(cycle);
        this.server = server;
        startNanos = cycle.now();
        CapturedPlayers players = CapturedPlayers.seen(listener);
        players.start(epochNanos);
        var dissector = game.movementDissector(players, keys);
        inspector = Inspector.of(List.of(dissector), Map.of(server.getPort(), dissector), _ -> {});
    }

    /** Adds the key of the client's session, from {@code ClientListener.onSessionKey}. */
    public void addKey(String key) {
        keys.add(key);
    }

    /**
     * Decodes what the client reports in the clear, from {@code ClientListener.plaintext}, instead
     * of its encrypted datagrams.
     */
    public void addPlaintext(Direction direction, Bytes datagram) {
        hasPlaintext = true;
        inspector.datagram(
                direction == Direction.C2S
                        ? datagram(now(), CLIENT, server, datagram)
                        : datagram(now(), server, CLIENT, datagram));
    }

    private Datagram datagram(
            long now, InetSocketAddress source, InetSocketAddress destination, Bytes payload) {
        return new Datagram(++frames, (now - startNanos) / 1e9, source, destination, payload);
    }

    @Override
    protected void received(
            DatagramHandler handler, long now, InetSocketAddress from, byte[] data) {
        Datagram datagram = datagram(now, from, CLIENT, Bytes.of(data));
        // The client first: it finds the key of the session in the message that starts encryption.
        receiving = true;
        try {
            super.received(handler, now, from, data);
        } finally {
            receiving = false;
            inspect(datagram);
            for (Datagram next = sent.poll(); next != null; next = sent.poll()) {
                inspect(next);
            }
        }
    }

    /** Decodes a datagram as it was on the network. */
    private void inspect(Datagram datagram) {
        if (!hasPlaintext) {
            inspector.datagram(datagram);
        }
    }

    @Override
    protected void send(
            UdpSocket socket, InetSocketAddress to, byte[] data, int offset, int length) {
        super.send(socket, to, data, offset, length);
        Datagram datagram = datagram(now(), CLIENT, to, Bytes.copyOf(data, offset, length));
        if (receiving) {
            sent.add(datagram);
        } else {
            inspect(datagram);
        }
    }
}

package dev.wishdir.raknet;

import dev.wishdir.net.DatagramHandler;
import dev.wishdir.net.DatagramSink;
import dev.wishdir.raknet.RakNetPeer.EndReason;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Writer;

import org.jspecify.annotations.Nullable;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * A RakNet client: discovers the path's MTU, repeats the server's cookie, and then has one
 * connection. Used only by one thread.
 */
public final class RakNetClient implements DatagramHandler {
    private static final long RETRY_NANOS = 500_000_000;
    private static final long CONNECT_TIMEOUT_NANOS = 10_000_000_000L;
    private static final int TRIES = 4;

    private final InetSocketAddress server;
    private final RakNetSettings settings;
    private final DatagramSink output;
    private final RakNetPeer.Listener listener;
    private final long guid;
    private final Writer writer = new Writer(1500);
    private long started;
    private long due = Long.MIN_VALUE;
    private int tries;
    private boolean begun;
    private boolean over;
    private OfflineMessage.@Nullable OpenConnectionReply1 reply;
    private @Nullable RakNetPeer peer;

    /**
     * @param settings protocol, magic and lowest id of the server; limits of this side
     * @param random source of this client's GUID
     */
    public RakNetClient(
            InetSocketAddress server,
            RakNetSettings settings,
            DatagramSink output,
            RakNetPeer.Listener listener,
            RandomGenerator random) {
        this.server = server;
        this.settings = settings;
        this.output = output;
        this.listener = listener;
        guid = random.nextLong();
    }

    /** Whether the connection, or the attempt to connect, has ended. */
    public boolean isClosed() {
        return over || (peer != null && peer.isClosed());
    }

    /** Ends the connection or the attempt to connect. */
    public void close(long now) {
        if (peer != null) {
            peer.close();
        } else {
            fail(now, EndReason.CLOSED, "closed");
        }
    }

    @Override
    public void receive(long now, InetSocketAddress from, byte[] data) {
        if (over || data.length == 0 || !from.equals(server)) {
            return;
        }
        try {
            if ((data[0] & RakNetDatagram.VALID) == 0) {
                offline(now, OfflineMessage.read(new Reader(data), settings.magic(), false));
            } else if (peer != null) {
                peer.receive(now, data);
            }
        } catch (MalformedPacketException ignored) {
            // Anyone can forge the server's address: such a datagram must not end the session.
        }
    }

    private void offline(long now, OfflineMessage message) {
        if (peer != null) {
            return;
        }
        switch (message) {
            case OfflineMessage.OpenConnectionReply1 m -> {
                if (reply == null) {
                    reply = m;
                    due = now;
                }
            }
            case OfflineMessage.OpenConnectionReply2 m -> {
                if (reply != null) {
                    peer =
                            RakNetPeer.client(
                                    server,
                                    guid,
                                    settings.mtu(m.mtu()),
                                    settings,
                                    output,
                                    listener,
                                    now);
                }
            }
            case OfflineMessage.IncompatibleProtocolVersion m ->
                    fail(
                            now,
                            EndReason.REFUSED,
                            "the server's RakNet protocol is "
                                    + m.protocol()
                                    + ", this client's "
                                    + settings.protocol());
            case OfflineMessage.Refusal m -> fail(now, EndReason.REFUSED, m.reason());
            default -> {}
        }
    }

    private void fail(long now, EndReason ending, String reason) {
        if (!over) {
            over = true;
            listener.onEnded(
                    now,
                    RakNetPeer.closed(server, settings, output, listener, now),
                    ending,
                    reason);
        }
    }

    @Override
    public long advance(long now) {
        if (over) {
            return NEVER;
        }
        if (peer != null) {
            return peer.advance(now);
        }
        if (!begun) {
            begun = true;
            started = now;
            due = now;
        }
        if (now - started >= CONNECT_TIMEOUT_NANOS) {
            fail(now, EndReason.TIMED_OUT, "the server does not answer");
            return NEVER;
        }
        if (now >= due) {
            due = now + RETRY_NANOS;
            writer.reset();
            if (reply == null) {
                sendRequest1();
            } else {
                sendRequest2(reply);
            }
            output.send(server, writer.array(), 0, writer.position());
        }
        return Math.min(due, started + CONNECT_TIMEOUT_NANOS);
    }

    private void sendRequest1() {
        List<Integer> mtus = settings.mtus();
        int mtu = mtus.get(Math.min(tries++ / TRIES, mtus.size() - 1));
        OfflineMessage.OpenConnectionRequest1.wire(
                writer,
                new OfflineMessage.OpenConnectionRequest1(
                        settings.protocol(),
                        mtu
                                - RakNet.headers(server.getAddress())
                                - OfflineMessage.OpenConnectionRequest1.LENGTH),
                settings.magic());
    }

    private void sendRequest2(OfflineMessage.OpenConnectionReply1 answer) {
        OfflineMessage.OpenConnectionRequest2.wire(
                writer,
                new OfflineMessage.OpenConnectionRequest2(
                        answer.cookie(), false, server, settings.mtu(answer.mtu()), guid),
                settings.magic(),
                answer.security());
    }
}

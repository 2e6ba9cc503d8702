package dev.wishdir.raknet;

import dev.wishdir.net.Requirements;
import dev.wishdir.net.loop.DatagramHandler;
import dev.wishdir.net.loop.DatagramSink;
import dev.wishdir.raknet.RakNetPeer.EndReason;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Writer;

import org.jspecify.annotations.Nullable;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * A RakNet client: discovers the path's MTU, repeats the server's cookie, and then has one
 * connection. Used only by one thread.
 */
public final class RakNetClient implements DatagramHandler {
    private static final long RETRY_NANOS = 500_000_000;
    private static final long DEFAULT_CONNECT_TIMEOUT_NANOS = 10_000_000_000L;
    private static final int TRIES = 4;

    /**
     * The server's first refusal, which anyone can forge.
     *
     * @param requests sent before it
     */
    private record Refused(String reason, int requests) {}

    private final InetSocketAddress server;
    private final RakNetSettings settings;
    private final DatagramSink output;
    private final RakNetPeer.Listener listener;
    private final long guid;
    private final Writer writer = new Writer(1500);
    private long started = Long.MIN_VALUE;
    private long due = Long.MIN_VALUE;
    private int tries;
    private boolean over;
    private OfflineMessage.@Nullable OpenConnectionReply1 reply;
    private @Nullable RakNetPeer peer;
    private long connectTimeoutNanos = DEFAULT_CONNECT_TIMEOUT_NANOS;
    private int requests;

    private @Nullable Refused refused;

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
        this.server = Requirements.destination("server", server);
        this.settings = settings;
        this.output = output;
        this.listener = listener;
        guid = random.nextLong();
    }

    /**
     * Sets how long it tries to connect; default: 10 s.
     *
     * @throws IllegalArgumentException if the time is not positive
     */
    public void connectTimeout(Duration timeout) {
        if (!timeout.isPositive()) {
            throw new IllegalArgumentException("time-out must be positive, is " + timeout);
        }
        connectTimeoutNanos = timeout.toNanos();
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
                    refused(
                            now,
                            "the server's RakNet protocol is "
                                    + m.protocol()
                                    + ", this client's "
                                    + settings.protocol());
            case OfflineMessage.Refusal m -> refused(now, m.reason());
            default -> {}
        }
    }

    /**
     * Ends the attempt when the server also refuses a later request: anyone can forge a refusal,
     * but not keep the server from answering.
     */
    private void refused(long now, String reason) {
        if (refused == null) {
            refused = new Refused(reason, requests);
        } else if (requests > refused.requests) {
            fail(now, EndReason.REFUSED, reason);
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
        if (started == Long.MIN_VALUE) {
            started = now;
            due = now;
        }
        if (now - started >= connectTimeoutNanos) {
            if (refused == null) {
                fail(now, EndReason.TIMED_OUT, "the server does not answer");
            } else {
                fail(now, EndReason.REFUSED, refused.reason);
            }
            return NEVER;
        }
        if (now >= due) {
            due = now + RETRY_NANOS;
            requests++;
            writer.reset();
            if (reply == null) {
                sendRequest1();
            } else {
                sendRequest2(reply);
            }
            output.send(server, writer.array(), 0, writer.position());
        }
        return Math.min(due, started + connectTimeoutNanos);
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

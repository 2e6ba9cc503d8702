package dev.wishdir.raknet;

import dev.wishdir.net.Requirements;
import dev.wishdir.net.loop.DatagramHandler;
import dev.wishdir.net.loop.DatagramSink;
import dev.wishdir.raknet.RakNetPeer.EndReason;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Writer;

import org.jspecify.annotations.Nullable;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * A RakNet client: discovers the path's MTU, repeats the server's cookie, and then has one
 * connection. Used only by one thread.
 *
 * <p>Anyone can forge the server's answers: so it repeats its requests until the connection is
 * open, answers each first reply, and starts over if the connection ends before it is open.
 */
public final class RakNetClient implements DatagramHandler {
    private static final long RETRY_NANOS = 500_000_000;
    private static final long DEFAULT_CONNECT_TIMEOUT_NANOS = 10_000_000_000L;
    private static final int TRIES = 4;

    /** Maximum of first replies that are answered between two retries. */
    private static final int MAX_ANSWERS = 64;

    /** Time after the first refusal from which another is believed: two retries were in vain. */
    private static final long REFUSAL_DELAY_NANOS = 900_000_000;

    /** The first refusal of the server, and its time. */
    private record Refused(long at, EndReason ending, String reason) {}

    /** Starts over where a connection ends before it is open. */
    private final class OpeningListener implements RakNetPeer.Listener {
        private boolean opened;

        @Override
        public void onConnected(long now, RakNetPeer connected) {
            opened = true;
            listener.onConnected(now, connected);
        }

        @Override
        public void onReceived(long now, RakNetPeer from, Bytes message) {
            listener.onReceived(now, from, message);
        }

        @Override
        public void onViolation(long now, RakNetPeer violator, String reason) {
            if (opened) {
                listener.onViolation(now, violator, reason);
            }
        }

        @Override
        public void onEnded(long now, RakNetPeer ended, EndReason ending, String reason) {
            if (opened || ending == EndReason.CLOSED || ending == EndReason.ABORTED) {
                listener.onEnded(now, ended, ending, reason);
            } else {
                startOver(now, ending, reason);
            }
        }
    }

    private final InetSocketAddress server;
    private final RakNetSettings settings;
    private final DatagramSink output;
    private final RakNetPeer.Listener listener;
    private final RandomGenerator random;
    private final Writer writer = new Writer(1500);
    private long started = Long.MIN_VALUE;
    private long due = Long.MIN_VALUE;
    private int tries;
    private boolean over;
    private int answers;
    private long guid;

    /** The newest. */
    private OfflineMessage.@Nullable OpenConnectionReply1 reply;

    /** The servers that sent a first reply. */
    private final Set<Long> guids = new HashSet<>();

    private @Nullable RakNetPeer peer;
    private long connectTimeoutNanos = DEFAULT_CONNECT_TIMEOUT_NANOS;
    private @Nullable Refused refused;

    /**
     * @param settings protocol, magic and lowest id of the server; limits of this side
     * @param random source of this client's GUIDs
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
        this.random = random;
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

    /** Whether the connection is not open yet, so that the requests are repeated. */
    private boolean isOpening() {
        return !over && (peer == null || peer.isOpening());
    }

    private void offline(long now, OfflineMessage message) {
        if (!isOpening()) {
            return;
        }
        switch (message) {
            case OfflineMessage.OpenConnectionReply1 m -> {
                if (answers < MAX_ANSWERS) {
                    answers++;
                    reply = m;
                    guids.add(m.guid());
                    sendRequest2(m);
                }
            }
            case OfflineMessage.OpenConnectionReply2 m -> {
                if (m.mtu() == settings.mtu(m.mtu()) && guids.contains(m.guid())) {
                    onAgreed(now, m.mtu());
                }
            }
            case OfflineMessage.IncompatibleProtocolVersion m ->
                    refused(
                            now,
                            EndReason.REFUSED,
                            "the server's RakNet protocol is "
                                    + m.protocol()
                                    + ", this client's "
                                    + settings.protocol());
            case OfflineMessage.Refusal m -> refused(now, EndReason.REFUSED, m.reason());
            default -> {}
        }
    }

    /** Of several MTUs the lowest counts: a forged one may be more than the path allows. */
    private void onAgreed(long now, int mtu) {
        if (peer == null) {
            peer =
                    RakNetPeer.client(
                            server, guid, mtu, settings, output, new OpeningListener(), now);
        } else {
            peer.lowerMtu(mtu);
        }
    }

    /**
     * Ends the attempt when the server still refuses after {@link #REFUSAL_DELAY_NANOS}: anyone can
     * forge a refusal, but not keep the server from answering meanwhile.
     */
    private void refused(long now, EndReason ending, String reason) {
        if (peer != null) {
            return;
        }
        Refused first = refused;
        if (first == null) {
            refused = new Refused(now, ending, reason);
        } else if (now - first.at >= REFUSAL_DELAY_NANOS) {
            fail(now, ending, reason);
        }
    }

    /** Goes back to the first request, with another GUID: the server may keep what it has. */
    private void startOver(long now, EndReason ending, String reason) {
        peer = null;
        guid = random.nextLong();
        due = now;
        if (ending == EndReason.LEFT) {
            refused(now, ending, reason);
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
        long next = peer == null ? NEVER : peer.advance(now);
        if (!isOpening()) {
            return next;
        }
        if (started == Long.MIN_VALUE) {
            started = now;
            due = now;
        }
        if (peer == null) {
            if (now - started >= connectTimeoutNanos) {
                if (refused == null) {
                    fail(now, EndReason.TIMED_OUT, "the server does not answer");
                } else {
                    fail(now, refused.ending, refused.reason);
                }
                return NEVER;
            }
            next = started + connectTimeoutNanos;
        }
        if (now >= due) {
            due = now + RETRY_NANOS;
            answers = 0;
            sendRequest1();
            if (reply != null) {
                sendRequest2(reply);
            }
        }
        return Math.min(due, next);
    }

    private void sendRequest1() {
        List<Integer> mtus = settings.mtus();
        int probed = mtus.get(Math.min(tries / TRIES, mtus.size() - 1));
        tries += peer == null ? 1 : 0;
        writer.reset();
        OfflineMessage.OpenConnectionRequest1.wire(
                writer,
                new OfflineMessage.OpenConnectionRequest1(
                        settings.protocol(),
                        probed
                                - RakNet.headers(server.getAddress())
                                - OfflineMessage.OpenConnectionRequest1.LENGTH),
                settings.magic());
        output.send(server, writer.array(), 0, writer.position());
    }

    private void sendRequest2(OfflineMessage.OpenConnectionReply1 answer) {
        writer.reset();
        OfflineMessage.OpenConnectionRequest2.wire(
                writer,
                new OfflineMessage.OpenConnectionRequest2(
                        answer.cookie(), false, server, settings.mtu(answer.mtu()), guid),
                settings.magic(),
                answer.security());
        output.send(server, writer.array(), 0, writer.position());
    }
}

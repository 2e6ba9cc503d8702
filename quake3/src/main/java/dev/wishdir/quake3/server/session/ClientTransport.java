package dev.wishdir.quake3.server.session;

import dev.wishdir.net.limit.TokenBucket;
import dev.wishdir.net.loop.UdpSocket;
import dev.wishdir.quake3.message.ClientMessage;
import dev.wishdir.quake3.netchan.InfoString;
import dev.wishdir.quake3.netchan.Netchan;
import dev.wishdir.quake3.netchan.NetchanHeader;
import dev.wishdir.quake3.netchan.Side;
import dev.wishdir.quake3.protocol.EntityDeltaCache;
import dev.wishdir.quake3.protocol.Protocol;
import dev.wishdir.quake3.protocol.ServerConnection;
import dev.wishdir.wire.MalformedPacketException;

import org.jspecify.annotations.Nullable;

import java.net.InetAddress;
import java.net.InetSocketAddress;

/**
 * The netchan connection of one client at its present address, and its send rate. The connection
 * exists once a packet has shown the client's protocol.
 */
public final class ClientTransport {
    private static final long MILLI = 1_000_000;

    /** Idle time of the old port before a client may continue from another one (NAT rebinding). */
    private static final long PORT_IDLE_NANOS = 1_000 * MILLI;

    /** Maximum number of packets lost during a NAT rebinding. */
    private static final int MAX_REBINDING_LOSS = 5_000;

    private final UdpSocket socket;
    private final int challenge;
    private final int qport;

    /** Only a {@code connect} names it, no later userinfo. */
    private final int protocolNumber;

    /** Number of the first message: unpredictable, so an acknowledgement proves the address. */
    private final int firstMessage;

    private final EntityDeltaCache deltas;
    private final SendRate rate = new SendRate();
    private final Netchan.Sink sink = this::datagram;

    /** Rate limit of NAT rebindings: changes of the port at the same address. */
    private final TokenBucket rebindings = new TokenBucket(3, 0.2);

    private InetSocketAddress address;
    private @Nullable ServerConnection connection;

    /**
     * @param userinfo of the client's {@code connect}
     * @param firstMessage the unpredictable number of the first message that is sent
     * @param deltas the delta cache that all clients of an endpoint share
     */
    public ClientTransport(
            UdpSocket socket,
            InetSocketAddress address,
            InfoString userinfo,
            int firstMessage,
            EntityDeltaCache deltas) {
        this.socket = socket;
        this.address = address;
        this.firstMessage = firstMessage;
        this.deltas = deltas;
        challenge = userinfo.number("challenge", 0);
        qport = userinfo.number("qport", 0) & 0xFFFF;
        protocolNumber = userinfo.number("protocol", 0);
        if (protocolNumber == Protocol.QUAKE3_68.number()) {
            connection = connection(Protocol.QUAKE3_68);
        }
    }

    private ServerConnection connection(Protocol protocol) {
        return new ServerConnection(protocol, challenge, qport, firstMessage, deltas);
    }

    InetSocketAddress address() {
        return address;
    }

    public int challenge() {
        return challenge;
    }

    public int qport() {
        return qport;
    }

    /** The protocol that the client named as it connected; 0 for none. */
    int protocolNumber() {
        return protocolNumber;
    }

    /** Whether in-band packets of this address and qport are the client's, at whatever port. */
    boolean is(InetAddress from, int qport) {
        return this.qport == qport && address.getAddress().equals(from);
    }

    /** Whether a packet comes from the client's present address and has a new sequence number. */
    public boolean isNew(InetSocketAddress from, byte[] datagram) {
        ServerConnection c = connection;
        return from.equals(address) && (c == null || c.isNew(datagram));
    }

    /**
     * Whether to accept a packet from this port. Another port than before is accepted (NAT
     * rebinding) only if the old one is idle, the sequence number continues, and the rate limit
     * allows it.
     *
     * @param idleNanos since the client's last packet, nanoseconds
     */
    public boolean accepts(long now, int port, long idleNanos, byte[] datagram) {
        return port == address.getPort()
                || idleNanos >= PORT_IDLE_NANOS
                        && continues(idleNanos, datagram)
                        && rebindings.tryAcquire(now);
    }

    /** Whether a packet continues the client's sequence numbers after an idle time, nanoseconds. */
    public boolean continues(long idleNanos, byte[] datagram) {
        ServerConnection c = connection;
        return c != null
                && c.isNext(datagram, (int) Math.min(idleNanos / MILLI, MAX_REBINDING_LOSS));
    }

    /**
     * Receives a packet. The first one that decodes decides the protocol of the connection.
     *
     * @return the message, or null if the packet completes none
     * @throws MalformedPacketException if the message does not follow the protocol
     */
    public @Nullable ClientMessage receive(InetSocketAddress from, byte[] datagram) {
        ServerConnection c = connection;
        if (c == null) {
            c =
                    connection(
                            NetchanHeader.isModern(datagram, Side.CLIENT, challenge)
                                    ? Protocol.IOQUAKE3_71
                                    : Protocol.OPENARENA_71);
        }
        ClientMessage message = c.receive(datagram);
        if (message != null && !from.equals(address) && !hasAcknowledged()) {
            // Only an acknowledgement of a sent message proves that it is the same client.
            return null;
        }
        if (message != null) {
            connection = c;
            address = from;
        }
        return message;
    }

    /** The connection; null before the first message if the protocol is not yet known. */
    public @Nullable ServerConnection connection() {
        return connection;
    }

    /** Whether the client has acknowledged a message, which proves its address. */
    boolean hasAcknowledged() {
        ServerConnection c = connection;
        return c != null && c.messageAcknowledge() >= firstMessage;
    }

    /** Whether too many reliable commands are unacknowledged, so that state updates should wait. */
    boolean isCongested() {
        ServerConnection c = connection;
        return c != null && c.isCongested();
    }

    /** Whether fragments of a message are pending, so that no other message may be sent. */
    public boolean hasPendingFragments() {
        ServerConnection c = connection;
        return c != null && c.hasPendingFragments();
    }

    /** Queues a reliable command; ignored until the client has acknowledged a message. */
    void command(String text) {
        ServerConnection c = connection;
        if (c != null && hasAcknowledged()) {
            c.command(text);
        }
    }

    /** Queues the last reliable commands, whether or not the client has acknowledged a message. */
    void lastCommands(String... commands) {
        ServerConnection c = connection;
        if (c != null) {
            for (String command : commands) {
                c.command(command);
            }
        }
    }

    /** Sends datagrams of the connection to the client's present address. */
    Netchan.Sink sink() {
        return sink;
    }

    private void datagram(byte[] data, int offset, int length) {
        socket.send(address, data, offset, length);
        rate.onSent(length);
    }

    /** Sets the client's {@code rate}, bytes a second. */
    void setRate(int bytesPerSecond) {
        rate.setBytesPerSecond(bytesPerSecond);
    }

    /** Charges sent bytes to the client's {@code rate}. */
    public void chargeRate(long now) {
        rate.charge(now, address.getAddress());
    }

    /** Whether the client's {@code rate} allows a packet now. */
    public boolean isRateAvailable(long now) {
        chargeRate(now);
        return now >= rate.nextPacket();
    }

    /** Time at which the client's {@code rate} allows the next packet, nanoseconds. */
    long nextPacket() {
        return rate.nextPacket();
    }

    /** Heap bytes of the connection's queues. */
    long retainedBytes() {
        ServerConnection c = connection;
        return c == null ? 0 : c.retainedBytes();
    }
}

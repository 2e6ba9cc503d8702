package dev.wishdir.quake3.server;

import dev.wishdir.net.Duty;
import dev.wishdir.net.TokenBucket;
import dev.wishdir.net.UdpSocket;
import dev.wishdir.quake3.message.ClientMessage;
import dev.wishdir.quake3.message.EntityState;
import dev.wishdir.quake3.message.ServerMessage;
import dev.wishdir.quake3.message.ServerMessage.Snapshot;
import dev.wishdir.quake3.netchan.InfoString;
import dev.wishdir.quake3.netchan.NetchanHeader;
import dev.wishdir.quake3.netchan.Side;
import dev.wishdir.quake3.protocol.EntityDeltaCache;
import dev.wishdir.quake3.protocol.Frame;
import dev.wishdir.quake3.protocol.Protocol;
import dev.wishdir.quake3.protocol.ServerConnection;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;

import org.jspecify.annotations.Nullable;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;

/**
 * The send side of one client: netchan connection, message fragments, file download and snapshot
 * pacing. The connection exists once a packet has shown the client's protocol. One class, as all of
 * these share one connection and one rate.
 */
final class ClientChannel {
    static final int MAX_SNAPSHOTS_PER_SECOND = 125;

    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000 * MILLI;

    /** Maximum wait of a due snapshot for a movement; at most a quarter of the interval. */
    private static final long MAX_SNAPSHOT_DELAY_NANOS = 5 * MILLI;

    /** Snapshot interval of a client that has not yet acknowledged a message. */
    private static final long UNACKED_SNAPSHOT_INTERVAL_NANOS = 200 * MILLI;

    /** Time without an acknowledgement after which snapshots are sent slowly. */
    private static final long SLOW_AFTER_NANOS = 2 * SECOND;

    /** Snapshot interval of a client that no longer acknowledges messages. */
    private static final long SLOW_INTERVAL_NANOS = 500 * MILLI;

    /** Delay of a snapshot after a gamestate, which it would make worthless by overtaking it. */
    private static final long GAMESTATE_SNAPSHOT_DELAY_NANOS = 50 * MILLI;

    /** Minimum interval between fragments: a fragment that overtakes the one before it is lost. */
    private static final long FRAGMENT_INTERVAL_NANOS = 15 * MILLI;

    /** Maximum interval between fragments: even a bad network does not reorder these. */
    private static final long MAX_FRAGMENT_INTERVAL_NANOS = 240 * MILLI;

    /** Idle time of the old port before a client may continue from another one (NAT rebinding). */
    private static final long PORT_IDLE_NANOS = SECOND;

    /** Maximum number of packets lost during a NAT rebinding. */
    private static final int MAX_REBINDING_LOSS = 5_000;

    /** Bytes of the IPv4 and UDP headers of a datagram. */
    private static final int HEADER_BYTES = 28;

    private final UdpSocket socket;
    private final int challenge;
    private final int qport;

    /** Number of the first message: unpredictable, so an acknowledgement proves the address. */
    private final int firstMessage;

    private final EntityDeltaCache deltaCache;

    /** Rate limit of NAT rebindings: changes of the port at the same address. */
    private final TokenBucket rebindings = new TokenBucket(3, 0.2);

    private InetSocketAddress address;
    private @Nullable ServerConnection connection;
    private int snaps;
    private int rate;
    private int uncharged;

    /** When the client's {@code rate} allows the next packet. */
    private long nextPacket;

    private long nextSnapshot;

    /** Snapshot interval in nanoseconds. */
    private long snapshotInterval = SECOND / 20;

    /** The newest message that the client acknowledged. */
    private int acknowledged;

    private long acknowledgedSince;

    /** Whether a player has moved since the last snapshot. */
    private boolean isDirty;

    private int gamestateMessage = -1;

    /** Whether a gamestate must be sent as soon as the rate allows it. */
    private boolean gamestatePending;

    /** Earliest time of the next gamestate. */
    private long nextGamestate;

    /** Earliest time of the next fragment. */
    private long nextFragment;

    /** Interval between fragments: doubled after each gamestate that did not arrive. */
    private long fragmentInterval = FRAGMENT_INTERVAL_NANOS;

    private @Nullable Download download;

    /**
     * @param userinfo of the client's {@code connect}
     * @param firstMessage the unpredictable number of the first message that is sent
     * @param deltaCache the delta cache that all channels of an endpoint share
     */
    ClientChannel(
            UdpSocket socket,
            InetSocketAddress address,
            InfoString userinfo,
            int firstMessage,
            EntityDeltaCache deltaCache) {
        this.socket = socket;
        this.address = address;
        this.firstMessage = firstMessage;
        this.deltaCache = deltaCache;
        challenge = userinfo.number("challenge", 0);
        qport = userinfo.number("qport", 0) & 0xFFFF;
        adapt(userinfo);
        if (userinfo.number("protocol", 0) == Protocol.QUAKE3_68.number()) {
            connection = connection(Protocol.QUAKE3_68);
        }
    }

    private ServerConnection connection(Protocol protocol) {
        return new ServerConnection(protocol, challenge, qport, firstMessage, deltaCache);
    }

    InetSocketAddress address() {
        return address;
    }

    int challenge() {
        return challenge;
    }

    int qport() {
        return qport;
    }

    /**
     * Applies the settings {@code snaps} (snapshots a second) and {@code rate} (bytes a second).
     */
    void adapt(InfoString userinfo) {
        snaps = Math.clamp(userinfo.number("snaps", 20), 1, MAX_SNAPSHOTS_PER_SECOND);
        rate = Math.clamp(userinfo.number("rate", 25_000), 1_000, 90_000);
    }

    /** Whether a packet comes from the client's present address and has a new sequence number. */
    boolean sends(InetSocketAddress from, byte[] datagram) {
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
    boolean isFrom(long now, int port, long idleNanos, byte[] datagram) {
        return port == address.getPort()
                || idleNanos >= PORT_IDLE_NANOS
                        && continues(idleNanos, datagram)
                        && rebindings.tryAcquire(now);
    }

    /** Whether a packet continues the client's sequence numbers after an idle time, nanoseconds. */
    boolean continues(long idleNanos, byte[] datagram) {
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
    @Nullable ClientMessage receive(InetSocketAddress from, byte[] datagram) {
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
    @Nullable ServerConnection connection() {
        return connection;
    }

    /** Whether the client has acknowledged the newest gamestate. */
    boolean hasGamestate() {
        ServerConnection c = connection;
        return c != null && gamestateMessage >= 0 && c.messageAcknowledge() >= gamestateMessage;
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
    boolean sending() {
        ServerConnection c = connection;
        return c != null && c.sending();
    }

    /** Queues a reliable command; ignored until the client has acknowledged a message. */
    void command(String text) {
        ServerConnection c = connection;
        if (c != null && hasAcknowledged()) {
            c.command(text);
        }
    }

    private void datagram(byte[] data, int offset, int length) {
        socket.send(address, data, offset, length);
        uncharged += length + HEADER_BYTES;
    }

    /** Charges sent bytes to the client's {@code rate}; private addresses have no limit. */
    void chargeRate(long now) {
        InetAddress a = address.getAddress();
        if (!a.isLoopbackAddress() && !a.isSiteLocalAddress() && uncharged > 0) {
            nextPacket = Math.max(nextPacket, now) + uncharged * SECOND / rate;
        }
        uncharged = 0;
    }

    /** Whether the client's {@code rate} allows a packet now. */
    boolean isRateAvailable(long now) {
        chargeRate(now);
        return now >= nextPacket;
    }

    /** Begins a level: drops the state of the previous one; a gamestate may follow at once. */
    void beginLevel(long now) {
        gamestateMessage = -1;
        nextGamestate = now;
        download = null;
        nextSnapshot = now;
    }

    /** Ends the session: from now on only these reliable commands are sent. */
    void end(long now, String... commands) {
        download = null;
        gamestatePending = false;
        nextSnapshot = now;
        if (connection != null) {
            List.of(commands).forEach(connection::command);
        }
    }

    /** Whether a gamestate must be sent. */
    boolean wantsGamestate() {
        return gamestatePending;
    }

    /** Sets whether a gamestate must be sent. */
    void wantGamestate(boolean pending) {
        gamestatePending = pending;
    }

    /**
     * Requests a gamestate if a message shows that the client lacks it: unless the gamestate is
     * still in flight, a fragment of it was lost or reordered, so fragments are then sent at twice
     * the interval.
     *
     * @return whether a gamestate must be sent
     */
    boolean needsGamestate(int messageAcknowledge) {
        if (messageAcknowledge <= gamestateMessage) {
            return false;
        }
        if (!gamestatePending && gamestateMessage >= 0) {
            fragmentInterval = Math.min(2 * fragmentInterval, MAX_FRAGMENT_INTERVAL_NANOS);
        }
        gamestatePending = true;
        return true;
    }

    /** Whether a gamestate may be sent now: no fragments are pending, and at most once a second. */
    boolean mayHaveGamestate(long now) {
        return connection != null && gamestatePending && !sending() && now >= nextGamestate;
    }

    /** The number of the last server command, which a gamestate carries. */
    int lastCommand() {
        return connection == null ? 0 : connection.lastCommand();
    }

    /**
     * Sends a gamestate.
     *
     * @param states the baselines of entities by number; never changed
     */
    void sendGamestate(
            long now, ServerMessage.Gamestate gamestate, Map<Integer, EntityState> states) {
        ServerConnection c = connection;
        if (c == null) {
            return;
        }
        gamestatePending = false;
        nextGamestate = now + SECOND;
        c.level(gamestate.checksumFeed(), states);
        gamestateMessage = c.outgoing();
        c.send(List.of(gamestate), this::datagram);
        onFragmentSent(now);
        nextSnapshot = now + Math.max(GAMESTATE_SNAPSHOT_DELAY_NANOS, fragmentInterval);
    }

    /** Sends the next fragment of a message if it is due. */
    void sendPart(long now) {
        ServerConnection c = connection;
        if (c != null && now >= nextFragment) {
            c.sendPart(this::datagram);
            onFragmentSent(now);
            nextSnapshot = now + Math.max(GAMESTATE_SNAPSHOT_DELAY_NANOS, fragmentInterval);
        }
    }

    private void onFragmentSent(long now) {
        nextFragment = now + fragmentInterval;
    }

    /** Begins a download; one in progress is not restarted. */
    void offer(long now, Bytes file) {
        Download d = download;
        if (d == null || !d.isFile()) {
            download = new Download(file, now);
        }
    }

    /** Refuses a download. */
    void refuse(long now, String why) {
        download = Download.refused(why, now);
    }

    /** Ends a download at the client's request. */
    void stopDownload() {
        download = null;
    }

    /** Whether a download is in progress. */
    boolean downloads() {
        return download != null;
    }

    /** Handles the acknowledgement of a download block. */
    void acknowledgeBlock(long now, int block) {
        Download d = download;
        if (d != null && d.acknowledge(now, block) && d.finished()) {
            download = null;
        }
    }

    /** Whether the download's acknowledgement time-out has passed: the client must be dropped. */
    boolean isNotAcknowledgingBlocks(long now) {
        Download d = download;
        return d != null && d.isNotAcknowledging(now);
    }

    /**
     * Sends the next download blocks that the window and the client's rate allow.
     *
     * @param max number of blocks
     * @param until when the next blocks may follow; the rate must allow these by then
     */
    void sendBlocks(long now, int max, long until) {
        chargeRate(now);
        for (int i = 0; i < max && !sending() && nextPacket < until && sendBlock(now); i++) {
            chargeRate(now);
        }
    }

    /** Sends the next download block. Returns whether there was one to send. */
    private boolean sendBlock(long now) {
        ServerConnection c = connection;
        Download d = download;
        ServerMessage.Download block = c == null || d == null ? null : d.next(now);
        if (c == null || d == null || block == null) {
            return false;
        }
        c.send(List.of(block), this::datagram);
        if (d.finished()) {
            download = null;
        }
        return true;
    }

    /** Marks that a player has moved: the next snapshot need not wait. */
    void markDirty() {
        isDirty = true;
    }

    /** Makes the next snapshot due at once. */
    void expediteSnapshot(long now) {
        nextSnapshot = now;
    }

    /** The snapshot interval in nanoseconds. */
    long interval() {
        return snapshotInterval;
    }

    /**
     * When the next snapshot is due: at once if a player has moved, otherwise a little later.
     *
     * @param serverTime milliseconds
     * @param maxPerSecond snapshots a second that the server has for each client
     */
    long snapshotDue(long now, int serverTime, int maxPerSecond) {
        ServerConnection c = connection;
        if (c == null || c.sending() || download != null) {
            return Duty.NEVER;
        }
        long due = Math.max(nextSnapshot, nextPacket);
        if (now < due) {
            return due;
        }
        if (c.messageAcknowledge() != acknowledged) {
            acknowledged = c.messageAcknowledge();
            acknowledgedSince = now;
        }
        if (!hasAcknowledged()) {
            snapshotInterval = UNACKED_SNAPSHOT_INTERVAL_NANOS;
        } else if (now - acknowledgedSince >= SLOW_AFTER_NANOS) {
            snapshotInterval = SLOW_INTERVAL_NANOS;
        } else {
            snapshotInterval =
                    Math.max(SECOND / Math.min(snaps, maxPerSecond), c.pace(serverTime) * MILLI);
        }
        return isDirty ? due : due + maxSnapshotDelay();
    }

    private long maxSnapshotDelay() {
        return Math.min(MAX_SNAPSHOT_DELAY_NANOS, snapshotInterval / 4);
    }

    /**
     * Sends a snapshot that is due.
     *
     * @return when the next one is
     */
    long sendSnapshot(long now, Frame frame, int flags) {
        send(frame, nextPacket > nextSnapshot ? flags | Snapshot.RATE_DELAYED : flags);
        onFragmentSent(now);
        chargeRate(now);
        isDirty = false;
        // A snapshot that waited for a movement does not delay the next one.
        nextSnapshot = Math.max(nextSnapshot, now - maxSnapshotDelay()) + snapshotInterval;
        return nextSnapshot;
    }

    /** Sends a snapshot immediately, unless fragments of another message are pending. */
    void send(Frame frame, int flags) {
        ServerConnection c = connection;
        if (c != null && !c.sending()) {
            c.send(frame, flags, this::datagram);
        }
    }

    /** Heap bytes of the connection's queues. */
    long retainedBytes() {
        ServerConnection c = connection;
        return c == null ? 0 : c.retainedBytes();
    }
}

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
 * What goes to one client, and when: its connection, which it has once a packet has shown its
 * protocol, the parts of long messages, a file, and the pace of snapshots. Longer than other
 * classes, as all of them share one connection and one rate.
 */
final class ClientChannel {
    /** The most snapshots a second. */
    static final int MAX_SNAPSHOTS_PER_SECOND = 125;

    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000 * MILLI;

    /** How long a snapshot that is due waits for news, or a quarter of what is between two. */
    private static final long MAX_SNAPSHOT_DELAY_NANOS = 5 * MILLI;

    /** The time between two snapshots for who has not shown that it receives them. */
    private static final long UNACKED_SNAPSHOT_INTERVAL_NANOS = 200 * MILLI;

    /** A client that acknowledges no message for so long is sent snapshots slowly. */
    private static final long UNACKNOWLEDGED_NANOS = 2 * SECOND;

    /** The time between two snapshots for a client that acknowledges nothing any more. */
    private static final long SLOW_INTERVAL_NANOS = 500 * MILLI;

    /** A snapshot that overtakes a gamestate makes it worthless: it follows so much later. */
    private static final long GAMESTATE_SNAPSHOT_DELAY_NANOS = 50 * MILLI;

    /** A part that overtakes the one before it is lost. */
    private static final long PART_INTERVAL_NANOS = 15 * MILLI;

    /** As far apart as parts can be overtaken on a bad line. */
    private static final long MAX_PART_INTERVAL_NANOS = 240 * MILLI;

    /** How long nothing has come from a port that a client has left. */
    private static final long SILENCE_NANOS = SECOND;

    /** Packets that may be missing while a client moves to another port. */
    private static final int MAX_AHEAD = 5_000;

    /** The bytes of a datagram that are not ours. */
    private static final int OVERHEAD = 28;

    private final UdpSocket socket;
    private final int challenge;
    private final int qport;

    /** The first message's number: only who receives messages can acknowledge it. */
    private final int firstMessage;

    private final EntityDeltaCache made;

    /** Moves to another port of its address. */
    private final TokenBucket ports = new TokenBucket(3, 0.2);

    private InetSocketAddress address;
    private @Nullable ServerConnection connection;
    private int snaps;
    private int rate;
    private int unpaid;

    /** When the client's rate has paid for what was sent. */
    private long nextPacket;

    private long nextSnapshot;

    /** The time between two snapshots, nanoseconds. */
    private long interval = SECOND / 20;

    /** The last message that the client acknowledged, and since when. */
    private int acknowledged;

    private long acknowledgedSince;

    /** Whether somebody has moved since the last snapshot. */
    private boolean hasNews;

    private int gamestateMessage = -1;

    /** Whether it must be told of the level, as soon as that may be. */
    private boolean wantsGamestate;

    /** When it may be sent a gamestate again. */
    private long nextGamestate;

    /** When the next part of a message may follow. */
    private long nextPart;

    /** How far apart parts are sent: farther after each gamestate that did not arrive. */
    private long betweenParts = PART_INTERVAL_NANOS;

    private @Nullable Download download;

    /**
     * @param userinfo what the client said when it connected
     * @param firstMessage the number of the first message that is sent, which nobody guesses
     * @param made shared by all lines of an endpoint
     */
    ClientChannel(
            UdpSocket socket,
            InetSocketAddress address,
            InfoString userinfo,
            int firstMessage,
            EntityDeltaCache made) {
        this.socket = socket;
        this.address = address;
        this.firstMessage = firstMessage;
        this.made = made;
        challenge = userinfo.number("challenge", 0);
        qport = userinfo.number("qport", 0) & 0xFFFF;
        adapt(userinfo);
        if (userinfo.number("protocol", 0) == Protocol.QUAKE3_68.number()) {
            connection = connection(Protocol.QUAKE3_68);
        }
    }

    private ServerConnection connection(Protocol protocol) {
        return new ServerConnection(protocol, challenge, qport, firstMessage, made);
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

    /** Takes in how many snapshots and bytes a second the client wishes. */
    void adapt(InfoString userinfo) {
        snaps = Math.clamp(userinfo.number("snaps", 20), 1, MAX_SNAPSHOTS_PER_SECOND);
        rate = Math.clamp(userinfo.number("rate", 25_000), 1_000, 90_000);
    }

    /** Whether a packet may be the client's, from where it was last and by the packet's number. */
    boolean sends(InetSocketAddress from, byte[] datagram) {
        ServerConnection c = connection;
        return from.equals(address) && (c == null || c.isNew(datagram));
    }

    /**
     * Whether a packet may come from a port: from another one than before only where nothing comes
     * from that one any more, with one of the next numbers, and not often.
     *
     * @param silence for which nothing has come, nanoseconds
     */
    boolean isFrom(long now, int port, long silence, byte[] datagram) {
        return port == address.getPort()
                || silence >= SILENCE_NANOS
                        && continues(silence, datagram)
                        && ports.tryAcquire(now);
    }

    /** Whether a packet has one of the next numbers after a silence. */
    boolean continues(long silence, byte[] datagram) {
        ServerConnection c = connection;
        return c != null && c.isNext(datagram, (int) Math.min(silence / MILLI, MAX_AHEAD));
    }

    /**
     * Takes a packet in. Where there is no connection yet, it is one of the protocol that the first
     * message shows.
     *
     * @return null where it completes no message
     * @throws MalformedPacketException if its message does not follow the protocol
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
            // Only what acknowledges a message that was sent shows that it is the same client.
            return null;
        }
        if (message != null) {
            connection = c;
            address = from;
        }
        return message;
    }

    /** The connection; null before the first message where the protocol is not known. */
    @Nullable ServerConnection connection() {
        return connection;
    }

    /** Whether it has the newest gamestate. */
    boolean hasGamestate() {
        ServerConnection c = connection;
        return c != null && gamestateMessage >= 0 && c.messageAcknowledge() >= gamestateMessage;
    }

    /** Whether it has shown that it receives what it is sent. */
    boolean hasAcknowledged() {
        ServerConnection c = connection;
        return c != null && c.messageAcknowledge() >= firstMessage;
    }

    /** Whether so much waits that state should be told later. */
    boolean isCongested() {
        ServerConnection c = connection;
        return c != null && c.isCongested();
    }

    /** Whether parts of a message wait, so that no other may be sent. */
    boolean sending() {
        ServerConnection c = connection;
        return c != null && c.sending();
    }

    /** Adds a reliable command, for a client that listens. */
    void command(String text) {
        ServerConnection c = connection;
        if (c != null && hasAcknowledged()) {
            c.command(text);
        }
    }

    private void datagram(byte[] data, int offset, int length) {
        socket.send(address, data, offset, length);
        unpaid += length + OVERHEAD;
    }

    /** Lets the client's rate pay for what was sent; on the same network it has no rate. */
    void chargeRate(long now) {
        InetAddress a = address.getAddress();
        if (!a.isLoopbackAddress() && !a.isSiteLocalAddress() && unpaid > 0) {
            nextPacket = Math.max(nextPacket, now) + unpaid * SECOND / rate;
        }
        unpaid = 0;
    }

    /** Whether the client's rate has paid for all that was sent. */
    boolean isRateAvailable(long now) {
        chargeRate(now);
        return now >= nextPacket;
    }

    /** A level begins: nothing of the one before counts, and it may be told at once. */
    void beginLevel(long now) {
        gamestateMessage = -1;
        nextGamestate = now;
        download = null;
        nextSnapshot = now;
    }

    /** All that it is told from now on, whatever it knows of the level. */
    void end(long now, String... commands) {
        download = null;
        wantsGamestate = false;
        nextSnapshot = now;
        if (connection != null) {
            List.of(commands).forEach(connection::command);
        }
    }

    /** Whether it must be told of the level. */
    boolean wantsGamestate() {
        return wantsGamestate;
    }

    /** It must be told of the level, or knows enough of it. */
    void wantGamestate(boolean wants) {
        wantsGamestate = wants;
    }

    /**
     * It shows by a message that it lacks the gamestate: unless that is still on its way, a part of
     * it was lost, or overtaken.
     *
     * @return whether it must be told
     */
    boolean needsGamestate(int messageAcknowledge) {
        if (messageAcknowledge <= gamestateMessage) {
            return false;
        }
        if (!wantsGamestate && gamestateMessage >= 0) {
            betweenParts = Math.min(2 * betweenParts, MAX_PART_INTERVAL_NANOS);
        }
        wantsGamestate = true;
        return true;
    }

    /**
     * Whether it may be told of the level now, and wants that: not while it is being told
     * something, and not again within a second.
     */
    boolean mayHaveGamestate(long now) {
        return connection != null && wantsGamestate && !sending() && now >= nextGamestate;
    }

    /** The number of the last server command, which a gamestate tells. */
    int lastCommand() {
        return connection == null ? 0 : connection.lastCommand();
    }

    /**
     * Tells the client all that it must know of a level.
     *
     * @param states what entities begin with; never changed
     */
    void sendGamestate(
            long now, ServerMessage.Gamestate gamestate, Map<Integer, EntityState> states) {
        ServerConnection c = connection;
        if (c == null) {
            return;
        }
        wantsGamestate = false;
        nextGamestate = now + SECOND;
        c.level(gamestate.checksumFeed(), states);
        gamestateMessage = c.outgoing();
        c.send(List.of(gamestate), this::datagram);
        sentPart(now);
        nextSnapshot = now + Math.max(GAMESTATE_SNAPSHOT_DELAY_NANOS, betweenParts);
    }

    /** Sends the next part of a message, if it is time. */
    void sendPart(long now) {
        ServerConnection c = connection;
        if (c != null && now >= nextPart) {
            c.sendPart(this::datagram);
            sentPart(now);
            nextSnapshot = now + Math.max(GAMESTATE_SNAPSHOT_DELAY_NANOS, betweenParts);
        }
    }

    private void sentPart(long now) {
        nextPart = now + betweenParts;
    }

    /** Begins to send a file; one that is being sent is not begun again. */
    void offer(long now, Bytes file) {
        Download d = download;
        if (d == null || !d.isFile()) {
            download = new Download(file, now);
        }
    }

    /** Says that a file is not to be had. */
    void refuse(long now, String why) {
        download = Download.refused(why, now);
    }

    /** The client has what it wants of a file. */
    void stopDownload() {
        download = null;
    }

    /** Whether it is being sent a file. */
    boolean downloads() {
        return download != null;
    }

    /** The client has a block of its file. */
    void acknowledgeBlock(long now, int block) {
        Download d = download;
        if (d != null && d.acknowledge(now, block) && d.finished()) {
            download = null;
        }
    }

    /** Whether it has acknowledged nothing of its file for so long that it must be sent away. */
    boolean isNotAcknowledgingBlocks(long now) {
        Download d = download;
        return d != null && d.isNotAcknowledging(now);
    }

    /**
     * Sends the next blocks of a file that its window and the client's rate allow.
     *
     * @param max blocks
     * @param until when the next blocks may follow: the rate pays for these by then
     */
    void sendBlocks(long now, int max, long until) {
        chargeRate(now);
        for (int i = 0; i < max && !sending() && nextPacket < until && sendBlock(now); i++) {
            chargeRate(now);
        }
    }

    /** Sends the next block of a file. Returns whether there was one to send. */
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

    /** Somebody has moved: the next snapshot need not wait. */
    void markDirty() {
        hasNews = true;
    }

    /** The next snapshot is due at once. */
    void expediteSnapshot(long now) {
        nextSnapshot = now;
    }

    /** The time between two snapshots, nanoseconds. */
    long interval() {
        return interval;
    }

    /**
     * When the next snapshot is due: with the next news, or a little later without.
     *
     * @param serverTime milliseconds
     * @param most snapshots a second that there are for each client
     */
    long snapshotDue(long now, int serverTime, int most) {
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
            interval = UNACKED_SNAPSHOT_INTERVAL_NANOS;
        } else if (now - acknowledgedSince >= UNACKNOWLEDGED_NANOS) {
            interval = SLOW_INTERVAL_NANOS;
        } else {
            interval = Math.max(SECOND / Math.min(snaps, most), c.pace(serverTime) * MILLI);
        }
        return hasNews ? due : due + maxSnapshotDelay();
    }

    private long maxSnapshotDelay() {
        return Math.min(MAX_SNAPSHOT_DELAY_NANOS, interval / 4);
    }

    /**
     * Sends a snapshot that is due.
     *
     * @return when the next one is
     */
    long sendSnapshot(long now, Frame frame, int flags) {
        send(frame, nextPacket > nextSnapshot ? flags | Snapshot.RATE_DELAYED : flags);
        sentPart(now);
        chargeRate(now);
        hasNews = false;
        // One that waited for news makes the next one no later.
        nextSnapshot = Math.max(nextSnapshot, now - maxSnapshotDelay()) + interval;
        return nextSnapshot;
    }

    /** Sends a snapshot out of its turn; nothing where another message is being sent. */
    void send(Frame frame, int flags) {
        ServerConnection c = connection;
        if (c != null && !c.sending()) {
            c.send(frame, flags, this::datagram);
        }
    }

    /** The heap of what waits. */
    long retainedBytes() {
        ServerConnection c = connection;
        return c == null ? 0 : c.retainedBytes();
    }
}

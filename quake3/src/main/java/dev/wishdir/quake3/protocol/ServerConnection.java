package dev.wishdir.quake3.protocol;

import dev.wishdir.net.limit.AckProgressTimeout;
import dev.wishdir.net.loop.TrafficCounters;
import dev.wishdir.quake3.message.ClientMessage;
import dev.wishdir.quake3.message.EntityState;
import dev.wishdir.quake3.message.ServerMessage;
import dev.wishdir.quake3.netchan.Netchan;
import dev.wishdir.quake3.netchan.Side;
import dev.wishdir.wire.MalformedPacketException;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * The server's end of a connection: netchan, reliable commands, keys and the frames that were sent.
 * A pure state machine.
 *
 * <p>A client that keeps sending has {@link #ACK_TIMEOUT_NANOS} to acknowledge a command. The game
 * itself drops it at the 64th unacknowledged command, or after 200 s without a packet.
 */
public final class ServerConnection {
    private static final int MAX_PING_MILLIS = 999;

    /** Maximum age of a delta base in messages; two less than a receiver must keep. */
    private static final int MAX_BASE_AGE = 28;

    /** Limit of the characters of commands in one message; others wait for the next. */
    private static final int MAX_MESSAGE_COMMAND_CHARS = 3_000;

    /**
     * Limit of the characters of commands that surely fit into one packet. Parts of a message must
     * arrive in order, which they hardly ever do on a line that reorders.
     */
    private static final int STALLED_COMMAND_CHARS = 900;

    /** After this time without progress a client counts as stalled, nanoseconds. */
    private static final long STALLED_NANOS = 2_000_000_000L;

    /** Overhead of a command besides its text, in characters. */
    private static final int COMMAND_OVERHEAD_CHARS = 8;

    /** Maximum snapshot interval for a client that acknowledges late. */
    private static final int MAX_SNAPSHOT_INTERVAL_MILLIS = 50;

    private static final int MAX_COMMAND_CHARS = 1_022;

    /** Time in which a client that keeps sending must acknowledge a command. */
    static final long ACK_TIMEOUT_NANOS = 30_000_000_000L;

    /** Number of unacknowledged commands at which the client is congested. */
    private static final int CONGESTED_COMMANDS = ReliableCommands.SIZE / 2;

    private final Quake3Codec codec;
    private final Netchan netchan;
    private final EntityDeltaCache deltaCache;
    private final AckProgressTimeout ackTimeout = new AckProgressTimeout(ACK_TIMEOUT_NANOS);
    private final @Nullable Frame[] frames = new Frame[FrameHistory.DEPTH];

    /** Round-trip time of each frame in milliseconds; -1 until acknowledged. */
    private final int[] roundTrips = new int[FrameHistory.DEPTH];

    private final int first;
    private Map<Integer, EntityState> baselines = Map.of();
    private int acknowledged;
    private int messageAcknowledge;
    private int base;
    private int firstOfLevel;
    private boolean overflowed;
    private boolean lostCommands;

    /**
     * @param first the number of the first message that is sent: if it is unpredictable, its
     *     acknowledgement proves the client's address
     * @param deltaCache the delta cache that all connections of an endpoint share
     */
    public ServerConnection(
            Protocol protocol, int challenge, int qport, int first, EntityDeltaCache deltaCache) {
        this.deltaCache = deltaCache;
        codec = new Quake3Codec(protocol, challenge);
        netchan = new Netchan(Side.SERVER, protocol.modern(), qport, challenge, first);
        this.first = first;
        firstOfLevel = first;
        Arrays.fill(roundTrips, -1);
    }

    /** The traffic counters of the netchan. */
    public TrafficCounters traffic() {
        return netchan.traffic();
    }

    Protocol protocol() {
        return codec.protocol();
    }

    /**
     * Begins a level: earlier frames are no longer delta bases.
     *
     * @param baselines of entities that a delta base lacks, by number; never changed
     */
    public void level(int checksumFeed, Map<Integer, EntityState> baselines) {
        this.baselines = baselines;
        codec.checksumFeed(checksumFeed);
        firstOfLevel = netchan.outgoing();
        base = 0;
    }

    /** The number of the last server command, which a gamestate carries. */
    public int lastCommand() {
        return codec.serverCommands().last();
    }

    /** The number of the next message to send. */
    public int outgoing() {
        return netchan.outgoing();
    }

    /** The newest message that the client has acknowledged. */
    public int messageAcknowledge() {
        return messageAcknowledge;
    }

    /**
     * Whether more than 64 commands were unacknowledged, or there are no more numbers for messages:
     * the client must be dropped.
     */
    public boolean hasOverflowed() {
        return overflowed || netchan.isExhausted();
    }

    /** Whether a client command is missing from the sequence: the client must be dropped. */
    public boolean hasLostCommands() {
        return lostCommands;
    }

    /**
     * Queues a reliable command, repeated in messages until acknowledged. One above the client's
     * limit of 1,022 characters is dropped.
     */
    public void command(String text) {
        if (text.length() > MAX_COMMAND_CHARS) {
            return;
        }
        if (codec.serverCommands().last() - acknowledged >= ReliableCommands.SIZE) {
            overflowed = true;
            return;
        }
        codec.serverCommands().add(text);
    }

    /** The number of commands that the client has not acknowledged. */
    int waiting() {
        return codec.serverCommands().last() - acknowledged;
    }

    /**
     * Whether half of the command ring is unacknowledged: state updates should then wait and be
     * sent as the newest value, and chat should be dropped.
     */
    public boolean isCongested() {
        return waiting() >= CONGESTED_COMMANDS;
    }

    /**
     * Whether the client keeps sending but has not acknowledged a command in time: it must be
     * dropped. To be called at each received message.
     *
     * @param now nanoseconds
     */
    public boolean isNotAcknowledging(long now) {
        return ackTimeout.onPacket(now, waiting() > 0, acknowledged);
    }

    /**
     * Heap bytes of commands and fragments. The frames of the last messages, which every client
     * has, are not included.
     */
    public long retainedBytes() {
        return (long) codec.serverCommands().retainedBytes()
                + codec.clientCommands().retainedBytes()
                + netchan.retainedBytes();
    }

    /**
     * The minimum snapshot interval: grows with the age of the acknowledged frame, so that this is
     * still a delta base for the next snapshots at any round-trip time.
     *
     * @param serverTime milliseconds, as the result
     */
    public int pace(int serverTime) {
        Frame acknowledgedFrame = base == 0 ? null : frames[base & FrameHistory.DEPTH - 1];
        return acknowledgedFrame == null
                ? MAX_SNAPSHOT_INTERVAL_MILLIS
                : Math.min(
                        MAX_SNAPSHOT_INTERVAL_MILLIS,
                        (serverTime - acknowledgedFrame.serverTime()) / (MAX_BASE_AGE / 2));
    }

    /**
     * The mean round-trip time of recently acknowledged frames in milliseconds, at most 999, which
     * also means unknown.
     */
    public int ping() {
        int count = 0;
        int sum = 0;
        for (int i = 0; i < roundTrips.length; i++) {
            if (roundTrips[i] >= 0) {
                count++;
                sum += roundTrips[i];
            }
        }
        return count == 0 ? MAX_PING_MILLIS : Math.min(MAX_PING_MILLIS, sum / count);
    }

    /** Whether a packet's number is among the next 64, or {@code more} above. */
    public boolean isNext(byte[] datagram, int more) {
        return netchan.isNext(datagram, more);
    }

    /** Whether a packet's number is above the last message's. */
    public boolean isNew(byte[] datagram) {
        return netchan.isNew(datagram);
    }

    /** Whether fragments of a message are pending, so that no other message may be sent. */
    public boolean hasPendingFragments() {
        return netchan.hasPendingFragments();
    }

    /** Sends the next pending fragment. */
    public void sendFragment(Netchan.Sink sink) {
        netchan.sendFragment(sink);
    }

    /**
     * Sends a message without a snapshot, with as many unacknowledged commands as fit.
     *
     * @param ops after the commands
     * @return the bytes of the message
     */
    public int send(List<ServerMessage.Op> ops, Netchan.Sink sink) {
        store(null);
        return transmit(ops, MAX_MESSAGE_COMMAND_CHARS, sink);
    }

    private boolean isStalled() {
        return ackTimeout.withoutProgressNanos() >= STALLED_NANOS;
    }

    /**
     * Whether one message has room for all unacknowledged commands. A gamestate must have them in
     * front of it: the client goes on from its command number, and both ends derive keys from the
     * texts.
     */
    public boolean hasRoomForCommands() {
        return lastThatFits(MAX_MESSAGE_COMMAND_CHARS) == lastCommand();
    }

    /** The number of the last unacknowledged command that fits into one message. */
    private int lastThatFits(int maxChars) {
        int chars = 0;
        int id = acknowledged;
        while (id < lastCommand()) {
            chars += codec.serverCommands().text(id + 1).length() + COMMAND_OVERHEAD_CHARS;
            if (chars > maxChars) {
                break;
            }
            id++;
        }
        return id;
    }

    private int transmit(List<ServerMessage.Op> ops, int maxChars, Netchan.Sink sink) {
        List<ServerMessage.Op> all = new ArrayList<>();
        int last = lastThatFits(maxChars);
        for (int id = acknowledged + 1; id <= last; id++) {
            all.add(new ServerMessage.ServerCommand(id, codec.serverCommands().text(id)));
        }
        all.addAll(ops);
        byte[] message =
                codec.encode(
                        new ServerMessage(codec.clientCommands().last(), all), netchan.outgoing());
        netchan.send(message, sink);
        return message.length;
    }

    /**
     * Sends a snapshot, as a delta to the newest acknowledged frame if possible. To a stalled
     * client, each fourth message has only commands, in one packet.
     *
     * @param flags of the snapshot
     * @return the bytes of the message
     */
    public int send(Frame frame, int flags, Netchan.Sink sink) {
        int sequence = netchan.outgoing();
        if (isStalled() && sequence % 4 == 0) {
            store(null);
            return transmit(List.of(), STALLED_COMMAND_CHARS, sink);
        }
        int deltaNum = base == 0 ? 0 : sequence - base;
        Frame baseFrame =
                deltaNum == 0 || deltaNum > MAX_BASE_AGE
                        ? null
                        : frames[base & FrameHistory.DEPTH - 1];
        store(frame);
        return transmit(
                List.of(
                        baseFrame == null
                                ? frame.since(Frame.EMPTY, 0, flags, baselines, deltaCache)
                                : frame.since(baseFrame, deltaNum, flags, baselines, deltaCache)),
                MAX_MESSAGE_COMMAND_CHARS,
                sink);
    }

    /**
     * Receives a packet.
     *
     * @return null if it completes no message, is old, or acknowledges a message never sent
     * @throws MalformedPacketException if the message does not follow the protocol
     */
    public @Nullable ClientMessage receive(byte[] datagram) {
        byte[] message = netchan.receive(datagram);
        if (message == null) {
            return null;
        }
        try {
            ClientMessage read = decode(message);
            if (read == null) {
                netchan.forget();
            } else {
                netchan.accept();
            }
            return read;
        } catch (MalformedPacketException e) {
            netchan.forget();
            throw e;
        }
    }

    private @Nullable ClientMessage decode(byte[] message) {
        int[] head = Quake3Codec.head(message, 3);
        int last = codec.serverCommands().last();
        if (head[1] != 0 && head[1] < first
                || head[1] >= netchan.outgoing() + (netchan.hasPendingFragments() ? 1 : 0)
                || head[2] > last
                || head[2] < acknowledged) {
            return null;
        }
        ClientMessage read = codec.decodeClient(message);
        acknowledged = head[2];
        messageAcknowledge = head[1];
        return read;
    }

    /** The new commands of a message, in order; they count as executed. */
    public List<String> commands(ClientMessage message) {
        List<String> commands = new ArrayList<>();
        for (ClientMessage.Op op : message.ops()) {
            if (op instanceof ClientMessage.ClientCommand c) {
                int last = codec.clientCommands().last();
                if (c.id() == last + 1 && commands.size() < ReliableCommands.SIZE) {
                    codec.clientCommands().receive(c.id(), c.text());
                    commands.add(c.text());
                } else if (c.id() > last) {
                    lostCommands = true;
                    return commands;
                }
            }
        }
        return commands;
    }

    /**
     * Handles a move, which says whether the acknowledged message may be a delta base.
     *
     * @param serverTime milliseconds
     */
    public void moved(ClientMessage message, boolean delta, int serverTime) {
        int acknowledgedMessage = message.messageAcknowledge();
        int slot = acknowledgedMessage & FrameHistory.DEPTH - 1;
        Frame frame =
                acknowledgedMessage >= firstOfLevel
                                && netchan.outgoing() - acknowledgedMessage < FrameHistory.DEPTH
                        ? frames[slot]
                        : null;
        if (frame != null && roundTrips[slot] < 0) {
            roundTrips[slot] = Math.max(0, serverTime - frame.serverTime());
        }
        base = delta && frame != null ? acknowledgedMessage : 0;
        if (frame != null) {
            forgetBefore(acknowledgedMessage);
        }
    }

    /** Stores the frame of the next message, or that it has none. */
    private void store(@Nullable Frame frame) {
        int slot = netchan.outgoing() & FrameHistory.DEPTH - 1;
        frames[slot] = frame;
        roundTrips[slot] = -1;
    }

    /** Drops frames that the client can no longer acknowledge. */
    private void forgetBefore(int message) {
        // The slot before these may hold the frame of a message whose fragments are pending.
        for (int baseFrame = netchan.outgoing() - FrameHistory.DEPTH + 1;
                baseFrame < message;
                baseFrame++) {
            frames[baseFrame & FrameHistory.DEPTH - 1] = null;
        }
    }
}

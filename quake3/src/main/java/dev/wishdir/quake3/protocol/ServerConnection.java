package dev.wishdir.quake3.protocol;

import dev.wishdir.net.AckProgressTimeout;
import dev.wishdir.net.TrafficCounters;
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
 * The server's end of a connection: the netchan with what its messages need, reliable commands,
 * keys and the frames that were sent. A pure state machine.
 *
 * <p>A client that goes on sending has {@link #ACK_TIMEOUT_NANOS} to acknowledge a command. The
 * game itself sends it away with the 64th that waits, or after 200 s of silence.
 */
public final class ServerConnection {
    /** The most milliseconds that a ping is. */
    private static final int MAX_PING_MILLIS = 999;

    /** How many messages back a base may lie; two less than a receiver must keep. */
    private static final int MAX_BASE_AGE = 28;

    /** The most characters of commands in one message; what is beyond waits for the next. */
    private static final int COMMAND_CHARS = 3_000;

    /**
     * The most characters of commands that surely fit into one packet. Parts of a message must
     * arrive in order, which they hardly ever do on a line that reorders.
     */
    private static final int STALLED_COMMAND_CHARS = 900;

    /** After this time without progress a client counts as stalled, nanoseconds. */
    private static final long STALLED_NANOS = 2_000_000_000L;

    /** What a command takes beside its text, in characters. */
    private static final int COMMAND_HEAD = 8;

    /** The longest time between snapshots that a client gets for acknowledging late, ms. */
    private static final int MAX_SNAPSHOT_INTERVAL_MILLIS = 50;

    private static final int MAX_COMMAND_CHARS = 1_022;

    /** How long a client may go on sending without acknowledging a command, nanoseconds. */
    static final long ACK_TIMEOUT_NANOS = 30_000_000_000L;

    /** With so many commands waiting, state should wait for a better moment. */
    private static final int CONGESTED_COMMANDS = ReliableCommands.RING / 2;

    private final Quake3Codec codec;
    private final Netchan netchan;
    private final EntityDeltaCache made;
    private final AckProgressTimeout ackTimeout = new AckProgressTimeout(ACK_TIMEOUT_NANOS);
    private final @Nullable Frame[] frames = new Frame[FrameHistory.DEPTH];

    /** How long the acknowledgement of each of the frames took, milliseconds; -1 while it lacks. */
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
     * @param first the number of the first message that is sent: one that nobody guesses shows by
     *     its acknowledgement that the client receives
     * @param made shared by all connections of an endpoint
     */
    public ServerConnection(
            Protocol protocol, int challenge, int qport, int first, EntityDeltaCache made) {
        this.made = made;
        codec = new Quake3Codec(protocol, challenge);
        netchan = new Netchan(Side.SERVER, protocol.modern(), qport, challenge, first);
        this.first = first;
        firstOfLevel = first;
        Arrays.fill(roundTrips, -1);
    }

    /** What came and went. */
    public TrafficCounters traffic() {
        return netchan.traffic();
    }

    Protocol protocol() {
        return codec.protocol();
    }

    /**
     * Begins a level: what was sent before is no base any more.
     *
     * @param baselines what entities are against that the base of a snapshot lacks; never changed
     */
    public void level(int checksumFeed, Map<Integer, EntityState> baselines) {
        this.baselines = baselines;
        codec.checksumFeed(checksumFeed);
        firstOfLevel = netchan.outgoing();
        base = 0;
    }

    /** The number of the last server command, which a gamestate tells. */
    public int lastCommand() {
        return codec.serverCommands().last();
    }

    /** The number of the next message that is sent. */
    public int outgoing() {
        return netchan.outgoing();
    }

    /** The last message that the client says it has. */
    public int messageAcknowledge() {
        return messageAcknowledge;
    }

    /** Whether the client has fallen 64 commands behind: it must be sent away. */
    public boolean overflowed() {
        return overflowed;
    }

    /** Whether a client command was lost for good: the client must be sent away. */
    public boolean lostCommands() {
        return lostCommands;
    }

    /**
     * Adds a reliable command: messages carry it until the client has acknowledged it. One that is
     * longer than a client takes is not sent.
     */
    public void command(String text) {
        if (text.length() > MAX_COMMAND_CHARS) {
            return;
        }
        if (codec.serverCommands().last() - acknowledged >= ReliableCommands.RING) {
            overflowed = true;
            return;
        }
        codec.serverCommands().add(text);
    }

    /** How many commands the client has not acknowledged. */
    int waiting() {
        return codec.serverCommands().last() - acknowledged;
    }

    /**
     * Whether so many commands wait that what is only state should be told later, as its newest
     * value, and what others say is better left out.
     */
    public boolean isCongested() {
        return waiting() >= CONGESTED_COMMANDS;
    }

    /**
     * Whether the client, which goes on sending, does not acknowledge the commands that it is sent:
     * it must be sent away. To be asked with each message that came in.
     *
     * @param now nanoseconds
     */
    public boolean isNotAcknowledging(long now) {
        return ackTimeout.onPacket(now, waiting() > 0, acknowledged);
    }

    /**
     * The heap of commands and of messages on their way in parts. The frames of the last messages,
     * which every client has alike, are not in it.
     */
    public long retainedBytes() {
        return (long) codec.serverCommands().retainedBytes()
                + codec.clientCommands().retainedBytes()
                + netchan.retainedBytes();
    }

    /**
     * The shortest time between two snapshots: so many that the last one acknowledged is still a
     * base for the next ones, however long an acknowledgement is on its way.
     *
     * @param serverTime milliseconds, as those returned
     */
    public int pace(int serverTime) {
        Frame known = base == 0 ? null : frames[base & FrameHistory.DEPTH - 1];
        return known == null
                ? MAX_SNAPSHOT_INTERVAL_MILLIS
                : Math.min(
                        MAX_SNAPSHOT_INTERVAL_MILLIS,
                        (serverTime - known.serverTime()) / (MAX_BASE_AGE / 2));
    }

    /**
     * The mean time between a snapshot and its acknowledgement, of the last ones that were
     * acknowledged: milliseconds, 999 at most and where there is none.
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

    /** Whether a packet has one of the next numbers, or so many more. */
    public boolean isNext(byte[] datagram, int more) {
        return netchan.isNext(datagram, more);
    }

    /** Whether a packet has a number after that of the last one. */
    public boolean isNew(byte[] datagram) {
        return netchan.isNew(datagram);
    }

    /** Whether parts of a message wait, so that no other may be sent. */
    public boolean sending() {
        return netchan.sending();
    }

    /** Sends the next part of a message in fragments. */
    public void sendPart(Netchan.Sink sink) {
        netchan.sendPart(sink);
    }

    /**
     * Sends a message with the commands that wait, as many as fit, and without a frame.
     *
     * @param ops what follows the commands
     * @return the bytes of the message
     */
    public int send(List<ServerMessage.Op> ops, Netchan.Sink sink) {
        place(null);
        return transmit(ops, COMMAND_CHARS, sink);
    }

    private boolean isStalled() {
        return ackTimeout.withoutProgressNanos() >= STALLED_NANOS;
    }

    private int transmit(List<ServerMessage.Op> ops, int maxChars, Netchan.Sink sink) {
        List<ServerMessage.Op> all = new ArrayList<>();
        int chars = 0;
        for (int id = acknowledged + 1; id <= codec.serverCommands().last(); id++) {
            String text = codec.serverCommands().text(id);
            chars += text.length() + COMMAND_HEAD;
            if (chars > maxChars) {
                break;
            }
            all.add(new ServerMessage.ServerCommand(id, text));
        }
        all.addAll(ops);
        byte[] message =
                codec.encode(
                        new ServerMessage(codec.clientCommands().last(), all), netchan.outgoing());
        netchan.send(message, sink);
        return message.length;
    }

    /**
     * Sends a frame, against the newest that the client has. To a stalled client, each fourth
     * message has only commands, in one packet.
     *
     * @param flags of the snapshot
     * @return the bytes of the message
     */
    public int send(Frame frame, int flags, Netchan.Sink sink) {
        int sequence = netchan.outgoing();
        if (isStalled() && sequence % 4 == 0) {
            place(null);
            return transmit(List.of(), STALLED_COMMAND_CHARS, sink);
        }
        int deltaNum = base == 0 ? 0 : sequence - base;
        Frame old =
                deltaNum == 0 || deltaNum > MAX_BASE_AGE
                        ? null
                        : frames[base & FrameHistory.DEPTH - 1];
        place(frame);
        return transmit(
                List.of(
                        old == null
                                ? frame.since(Frame.EMPTY, 0, flags, baselines, made)
                                : frame.since(old, deltaNum, flags, baselines, made)),
                COMMAND_CHARS,
                sink);
    }

    /**
     * Takes a packet in.
     *
     * @return null where it completes no message, is not the next one, or acknowledges what was
     *     never sent
     * @throws MalformedPacketException if its message does not follow the protocol
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
                || head[1] >= netchan.outgoing() + (netchan.sending() ? 1 : 0)
                || head[2] > last
                || head[2] < acknowledged) {
            return null;
        }
        ClientMessage read = codec.decodeClient(message);
        acknowledged = head[2];
        messageAcknowledge = head[1];
        return read;
    }

    /** The commands of a message that are new, in order; they count as executed. */
    public List<String> commands(ClientMessage message) {
        List<String> fresh = new ArrayList<>();
        for (ClientMessage.Op op : message.ops()) {
            if (op instanceof ClientMessage.ClientCommand c) {
                int last = codec.clientCommands().last();
                if (c.id() == last + 1 && fresh.size() < ReliableCommands.RING) {
                    codec.clientCommands().hear(c.id(), c.text());
                    fresh.add(c.text());
                } else if (c.id() > last) {
                    lostCommands = true;
                    return fresh;
                }
            }
        }
        return fresh;
    }

    /**
     * The client has moved in this level: it says whether snapshots may be against the message that
     * it acknowledged.
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

    /** Keeps the frame of the message that is sent next, or that it has none. */
    private void place(@Nullable Frame frame) {
        int slot = netchan.outgoing() & FrameHistory.DEPTH - 1;
        frames[slot] = frame;
        roundTrips[slot] = -1;
    }

    /** A client acknowledges nothing older than what it has acknowledged. */
    private void forgetBefore(int message) {
        // Where the frame before those was, there may be that of a message on its way in parts.
        for (int old = netchan.outgoing() - FrameHistory.DEPTH + 1; old < message; old++) {
            frames[old & FrameHistory.DEPTH - 1] = null;
        }
    }
}

package dev.wishdir.enet;

import dev.wishdir.enet.EnetCommand.Ack;
import dev.wishdir.enet.EnetCommand.Fragment;
import dev.wishdir.enet.EnetCommand.Ping;
import dev.wishdir.enet.EnetCommand.SendFragment;
import dev.wishdir.enet.EnetCommand.SendReliable;
import dev.wishdir.enet.EnetCommand.SendUnreliableFragment;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a peer has still to be sent, and what it has not acknowledged: packs commands into
 * datagrams, repeats reliable ones, pings. ENet 1.3, reliability, timers, flow control.
 *
 * <p>In a datagram acknowledgements come first, then repetitions, then new commands in the order in
 * which they were queued.
 */
final class EnetOutbox {
    private static final int PING_INTERVAL = 500;
    private static final int TIMEOUT_MINIMUM = 5000;
    private static final int TIMEOUT_MAXIMUM = 30_000;
    private static final int TIMEOUT_LIMIT = 32;

    /**
     * How long one command may go unacknowledged, from its first sending, while the peer
     * acknowledges others: as long as ENet itself waits for a peer that acknowledges nothing.
     */
    private static final int PATIENCE = TIMEOUT_MAXIMUM;

    /** A peer that was heard so lately is not silent: it does not acknowledge. */
    private static final int TALKS = 3000;

    /** A command with its bookkeeping, its payload's array, and its entry among those in flight. */
    private static final int COMMAND_HEAP = 208;

    /** What being a fragment adds. */
    private static final int FRAGMENT_HEAP = 40;

    /** More waiting heap than this, and what is only state should wait for a better moment. */
    private static final int BEHIND = 64 << 10;

    /** Acknowledgements that may pile up between two turns of the host; the rest is not sent. */
    private static final int MAX_ACKS = 4096;

    /** The room for acknowledgements that is kept when there are none. */
    private static final int KEPT_ACKS = 64;

    private static final long NO_TIMEOUT = -1;

    /** A queued command. */
    private static final class Outgoing {
        final EnetCommand command;
        final long order;
        final boolean shared;
        final int length;
        final int payload;
        long firstSent = NO_TIMEOUT;
        long sentTime;
        long timeout;
        long timeoutLimit;
        boolean expired;
        boolean acknowledged;

        Outgoing(EnetCommand command, long order, boolean shared) {
            this.command = command;
            this.order = order;
            this.shared = shared;
            length = command.length();
            payload =
                    switch (command) {
                        case SendReliable c -> c.payload().length();
                        case SendFragment c -> c.fragment().payload().length();
                        default -> 0;
                    };
        }

        void timeout(int millis) {
            timeout = millis;
            timeoutLimit = (long) TIMEOUT_LIMIT * millis;
        }

        /** The heap that it takes; of a file, without the bytes. */
        int cost() {
            return switch (command) {
                case SendFragment c -> FRAGMENT_HEAP + cost(c.fragment());
                case SendUnreliableFragment c -> FRAGMENT_HEAP + cost(c.fragment());
                default -> COMMAND_HEAP + (length + 7 & ~7);
            };
        }

        private int cost(Fragment fragment) {
            return COMMAND_HEAP + (shared ? 0 : fragment.payload().length() + 7 & ~7);
        }
    }

    /** A file on its way: its fragments are cut when they are sent. */
    private static final class Sending {
        final EnetFile file;
        final int channel;
        final int start;
        final int piece;
        final int count;
        int cut;
        int arrived;

        Sending(EnetFile file, int channel, int start, int piece) {
            this.file = file;
            this.channel = channel;
            this.start = start;
            this.piece = piece;
            count = (file.message().length() + piece - 1) / piece;
        }

        SendFragment next() {
            int offset = cut * piece;
            int total = file.message().length();
            return new SendFragment(
                    EnetCommand.ACKNOWLEDGE,
                    channel,
                    start + cut & 0xFFFF,
                    new Fragment(
                            start,
                            count,
                            cut,
                            total,
                            offset,
                            file.message().slice(offset, Math.min(piece, total - offset))));
        }
    }

    private final EnetHost host;
    private final EnetPeer peer;
    private final EnetRoundTrip roundTrip;

    private long[] acks = new long[8];
    private int ackCount;
    private final ArrayDeque<Outgoing> repeats = new ArrayDeque<>();
    private final ArrayDeque<Outgoing> reliable = new ArrayDeque<>();
    private final ArrayDeque<Outgoing> unreliable = new ArrayDeque<>();
    private final Map<Integer, Outgoing> inFlight = new LinkedHashMap<>();

    private int mtu;
    private int window = EnetHost.MAX_WINDOW;
    private int seq;
    private long order;
    private int queuedBytes;
    private int inFlightBytes;
    private long nextTimeout = EnetHost.NEVER;
    private long earliestTimeout = NO_TIMEOUT;
    private @Nullable Sending sending;
    private @Nullable Outgoing cut;
    private long lastAck;
    private boolean pings;
    private long sentBytes;
    private long offered;
    private long retransmissions;

    EnetOutbox(EnetHost host, EnetPeer peer, EnetRoundTrip roundTrip) {
        this.host = host;
        this.peer = peer;
        this.roundTrip = roundTrip;
        mtu = host.settings().mtu();
    }

    int mtu() {
        return mtu;
    }

    long sentBytes() {
        return sentBytes;
    }

    /** The bytes that were to be sent lately, whether the throttle let them through or not. */
    long offered() {
        return offered;
    }

    void offer(int bytes) {
        offered += bytes;
    }

    void forgetOffered() {
        offered = 0;
    }

    long retransmissions() {
        return retransmissions;
    }

    /** The heap of what waits to be sent or acknowledged, without the bytes of a file. */
    int queuedBytes() {
        return queuedBytes;
    }

    /** The heap of all that waits; of a file, this peer's share. */
    long held() {
        Sending now = sending;
        return queuedBytes + ackCount * 8L + (now == null ? 0 : now.file.share());
    }

    boolean isBehind() {
        return queuedBytes > BEHIND;
    }

    boolean isSendingFile() {
        return sending != null;
    }

    /**
     * Sends a file in fragments, whenever there is room that nothing else needs.
     *
     * @param start the sequence number of its first fragment; those of the others follow
     */
    void sendFile(EnetFile file, int channel, int start) {
        sending = new Sending(file, channel, start, fragmentLength());
        file.begun();
        dirty();
    }

    private void endFile() {
        Sending done = sending;
        if (done != null) {
            done.file.done();
            sending = null;
            cut = null;
        }
    }

    /** The next fragment of the file to go out; null if there is none. */
    private @Nullable Outgoing nextOfFile() {
        Sending file = sending;
        if (cut == null && file != null && file.cut < file.count) {
            cut = new Outgoing(file.next(), Long.MAX_VALUE, true);
        }
        return cut;
    }

    /** Why {@link #flush} gave up. */
    EnetListener.Cause cause(long now) {
        return now - peer.lastHeard() < TALKS
                ? EnetListener.Cause.NOT_ACKNOWLEDGING
                : EnetListener.Cause.TIMEOUT;
    }

    void open(long now, int mtu, int window) {
        this.mtu = mtu;
        this.window = window;
        lastAck = now;
        pings = true;
        dirty();
    }

    void window(int window) {
        this.window = window;
    }

    /** The next sequence number of a command that belongs to no channel. */
    int nextSeq() {
        seq = seq + 1 & 0xFFFF;
        return seq;
    }

    void continueAfter(int seq) {
        this.seq = seq;
    }

    /** The longest payload of a message in one datagram, and the length of a fragment's. */
    int fragmentLength() {
        return mtu - EnetHeader.MAX_LENGTH - SendFragment.LENGTH;
    }

    boolean fits(int payload) {
        return payload
                        + (COMMAND_HEAP + FRAGMENT_HEAP) * (payload / fragmentLength() + 1L)
                        + queuedBytes
                <= host.settings().sendMemory();
    }

    void queueReliable(EnetCommand command) {
        queue(reliable, command);
    }

    void queueUnreliable(EnetCommand command) {
        queue(unreliable, command);
    }

    private void queue(ArrayDeque<Outgoing> queue, EnetCommand command) {
        Outgoing outgoing = new Outgoing(command, order++, false);
        queuedBytes += outgoing.cost();
        queue.add(outgoing);
        dirty();
    }

    private void dirty() {
        host.dirty(peer);
    }

    void acknowledge(EnetCommand command, int sentTime) {
        if (ackCount == MAX_ACKS) {
            return;
        }
        if (ackCount == acks.length) {
            acks = Arrays.copyOf(acks, 2 * ackCount);
        }
        acks[ackCount++] = (long) command.channel() << 32 | (long) command.seq() << 16 | sentTime;
        dirty();
    }

    /** Nothing waits to be sent or acknowledged by the other side. */
    boolean idle() {
        return inFlight.isEmpty() && reliable.isEmpty() && unreliable.isEmpty() && sending == null;
    }

    void clear() {
        ackCount = 0;
        repeats.clear();
        reliable.clear();
        unreliable.clear();
        inFlight.clear();
        endFile();
        queuedBytes = 0;
        inFlightBytes = 0;
        pings = false;
        nextTimeout = EnetHost.NEVER;
        earliestTimeout = NO_TIMEOUT;
    }

    /**
     * An acknowledgement came in; returns the command that it is for. It is for none, and neither a
     * sign of life nor a sample of the round trip, if that command is not on its way or its sent
     * time is before the first or after the last sending.
     */
    @Nullable EnetCommand acknowledged(long now, Ack ack) {
        Outgoing outgoing = inFlight.get(key(ack.channel(), ack.recvSeq()));
        if (outgoing == null) {
            return null;
        }
        // Nothing is on its way for as long as it takes 16 bits to come round.
        long sent = outgoing.firstSent + (ack.recvSentTime() - outgoing.firstSent & 0xFFFF);
        if (sent > outgoing.sentTime) {
            host.drop(EnetHost.Drop.WRONG_ACK);
            return null;
        }
        arrived(now, outgoing);
        roundTrip.sample(now, now - sent);
        return outgoing.command;
    }

    /** The CONNECT has its answer, which is no acknowledgement. */
    void answered(long now) {
        Outgoing connect = inFlight.get(key(EnetCommand.NO_CHANNEL, EnetHost.FIRST_SEQ));
        if (connect != null) {
            arrived(now, connect);
        }
    }

    private void arrived(long now, Outgoing outgoing) {
        inFlight.remove(key(outgoing.command.channel(), outgoing.command.seq()));
        lastAck = now;
        earliestTimeout = NO_TIMEOUT;
        host.schedule(peer, now + PING_INTERVAL);
        outgoing.acknowledged = true;
        queuedBytes -= outgoing.cost();
        if (!outgoing.expired) {
            inFlightBytes -= outgoing.payload;
        }
        Sending file = sending;
        if (file != null && outgoing.shared && ++file.arrived == file.count) {
            endFile();
        }
        if (!reliable.isEmpty() || !repeats.isEmpty() || sending != null) {
            dirty();
        }
    }

    private static int key(int channel, int seq) {
        return channel << 16 | seq;
    }

    /** When {@link #flush} has to be called again, milliseconds. */
    long deadline() {
        long ping = pings && inFlight.isEmpty() ? lastAck + PING_INTERVAL : EnetHost.NEVER;
        return Math.min(inFlight.isEmpty() ? EnetHost.NEVER : nextTimeout, ping);
    }

    /**
     * Sends all that may be sent now.
     *
     * @return false if the other side acknowledges nothing for so long that it must be gone
     */
    boolean flush(long now) {
        if (!inFlight.isEmpty() && now >= nextTimeout && !expire(now)) {
            return false;
        }
        if (pings
                && inFlight.isEmpty()
                && reliable.isEmpty()
                && sending == null
                && now - lastAck >= PING_INTERVAL) {
            queueReliable(new Ping(EnetCommand.ACKNOWLEDGE, EnetCommand.NO_CHANNEL, nextSeq()));
        }
        EnetPacker packer = host.packer();
        boolean more = true;
        while (more) {
            packer.start(mtu);
            more = pack(packer, now);
            emit(packer, now);
        }
        return true;
    }

    private void emit(EnetPacker packer, long now) {
        if (packer.count() > 0) {
            sentBytes +=
                    packer.emit(host.output(), peer.address(), peer.header(packer.sentTime(now)));
        }
    }

    /** One command in a datagram of its own, at once, past all queues. */
    void sendAlone(EnetCommand command) {
        EnetPacker packer = host.packer();
        packer.start(mtu);
        packer.add(command, command.length());
        emit(packer, 0);
    }

    /**
     * Looks for commands that were not acknowledged in time.
     *
     * <p>ENet itself drops a peer for one command that it repeated in vain, even if the peer
     * acknowledges others all the time: at a fifth of loss each way that happens within minutes.
     * Here only silence makes a command's time-outs longer and counts against the peer, until it
     * has left one command unacknowledged for {@link #PATIENCE}: what waits behind a full window
     * waits for those in flight.
     */
    private boolean expire(long now) {
        long next = EnetHost.NEVER;
        for (Outgoing outgoing : inFlight.values()) {
            if (outgoing.expired) {
                continue;
            }
            if (now - outgoing.sentTime < outgoing.timeout) {
                next = Math.min(next, outgoing.sentTime + outgoing.timeout);
                continue;
            }
            if (now - outgoing.firstSent >= PATIENCE) {
                return false;
            }
            if (lastAck > outgoing.sentTime) {
                outgoing.timeout(roundTrip.timeout());
            } else if (silentTooLong(now, outgoing)) {
                return false;
            } else {
                outgoing.timeout *= 2;
            }
            outgoing.expired = true;
            inFlightBytes -= outgoing.payload;
            repeats.add(outgoing);
        }
        nextTimeout = next;
        return true;
    }

    private boolean silentTooLong(long now, Outgoing expired) {
        if (earliestTimeout == NO_TIMEOUT || expired.sentTime < earliestTimeout) {
            earliestTimeout = expired.sentTime;
        }
        long elapsed = now - earliestTimeout;
        return elapsed >= TIMEOUT_MAXIMUM
                || elapsed >= TIMEOUT_MINIMUM && expired.timeout >= expired.timeoutLimit;
    }

    /** Fills one datagram; returns whether something is left for a next one. */
    private boolean pack(EnetPacker packer, long now) {
        if (!packAcks(packer)) {
            return true;
        }
        while (!repeats.isEmpty()) {
            Outgoing outgoing = repeats.element();
            if (outgoing.acknowledged) {
                repeats.remove();
                continue;
            }
            if (windowFull(outgoing)) {
                break;
            }
            if (!packer.add(outgoing.command, outgoing.length)) {
                return true;
            }
            repeats.remove();
            retransmissions++;
            sent(outgoing, now);
        }
        return packNew(packer, now);
    }

    private boolean packAcks(EnetPacker packer) {
        int packed = 0;
        while (packed < ackCount) {
            long ack = acks[packed];
            int channel = (int) (ack >> 32);
            int seq = (int) (ack >> 16) & 0xFFFF;
            if (!packer.add(new Ack(0, channel, seq, seq, (int) ack & 0xFFFF), Ack.LENGTH)) {
                break;
            }
            packed++;
        }
        ackCount -= packed;
        if (ackCount == 0 && acks.length > KEPT_ACKS) {
            acks = new long[KEPT_ACKS];
        }
        System.arraycopy(acks, packed, acks, 0, ackCount);
        return ackCount == 0;
    }

    private boolean packNew(EnetPacker packer, long now) {
        boolean blocked = !repeats.isEmpty();
        while (true) {
            boolean ofFile = reliable.isEmpty();
            Outgoing first = blocked ? null : ofFile ? nextOfFile() : reliable.peek();
            if (first != null && (windowFull(first) || !peer.mayStart(first.command))) {
                blocked = true;
                first = null;
            }
            Outgoing other = unreliable.peek();
            if (first == null && other == null) {
                return false;
            }
            if (first != null && (other == null || first.order < other.order)) {
                if (!packer.add(first.command, first.length)) {
                    return true;
                }
                if (ofFile) {
                    leave(first);
                } else {
                    reliable.remove();
                }
                first.timeout(roundTrip.timeout());
                first.firstSent = now;
                inFlight.put(key(first.command.channel(), first.command.seq()), first);
                peer.started(first.command);
                sent(first, now);
            } else if (other != null) {
                if (!packer.add(other.command, other.length)) {
                    return true;
                }
                unreliable.remove();
                queuedBytes -= other.cost();
            }
        }
    }

    /** A fragment of the file goes on its way. */
    private void leave(Outgoing fragment) {
        queuedBytes += fragment.cost();
        cut = null;
        Sending file = sending;
        if (file != null) {
            file.cut++;
        }
    }

    private boolean windowFull(Outgoing outgoing) {
        return outgoing.payload > 0
                && inFlightBytes + outgoing.payload
                        > Math.max(
                                window * roundTrip.throttle() / EnetRoundTrip.FULL_THROTTLE, mtu);
    }

    private void sent(Outgoing outgoing, long now) {
        if (inFlight.size() == 1) {
            nextTimeout = EnetHost.NEVER;
        }
        outgoing.sentTime = now;
        outgoing.expired = false;
        inFlightBytes += outgoing.payload;
        nextTimeout = Math.min(nextTimeout, now + outgoing.timeout);
    }
}

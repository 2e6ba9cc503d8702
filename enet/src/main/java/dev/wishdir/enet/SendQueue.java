package dev.wishdir.enet;

import dev.wishdir.enet.EnetCommand.Ack;
import dev.wishdir.enet.EnetCommand.Ping;
import dev.wishdir.enet.EnetCommand.SendFragment;
import dev.wishdir.net.loop.TrafficCounters;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;

/**
 * Send queue of a peer: packs commands into datagrams, retransmits reliable ones and pings:
 * docs/protocols/enet.md#reliability, timers and flow control.
 *
 * <p>In a datagram acknowledgements come first, then retransmissions, then new commands in the
 * order of queueing.
 *
 * <p>It has many fields, because one pass over all of its queues makes a datagram.
 */
final class SendQueue {
    private static final int PING_INTERVAL_MILLIS = 500;

    /** Queued heap above which a peer is congested, bytes. */
    private static final int CONGESTED_BYTES = 64 << 10;

    private static final int FIRST_SEQ = 1;
    private static final long NEVER = Long.MAX_VALUE;

    /** The host as the queue sees it. */
    interface Owner {
        /** Requests a turn, to send something. */
        void wake();

        /** Requests a turn at the given time at the latest, milliseconds. */
        void schedule(long deadline);

        void drop(DropReason reason);
    }

    private final Owner owner;
    private final int maxBytes;
    private final RoundTripEstimator roundTrip;
    private final TrafficCounters traffic = new TrafficCounters();
    private final RetransmitQueue retransmits;
    private final PendingAcks acks = new PendingAcks();
    private final ArrayDeque<OutgoingCommand> reliable = new ArrayDeque<>();
    private final ArrayDeque<OutgoingCommand> unreliable = new ArrayDeque<>();

    private PeerAddress peerAddress;
    private int mtu;
    private OutgoingChannel[] channels = {};
    private int seq;
    private long order;
    private int queuedBytes;
    private @Nullable SharedPayloadTransfer file;
    private boolean pings;
    private long offered;

    SendQueue(
            EnetSettings settings,
            PeerAddress peerAddress,
            RoundTripEstimator roundTrip,
            Owner owner) {
        maxBytes = settings.sendMemory();
        mtu = settings.mtu();
        this.peerAddress = peerAddress;
        this.roundTrip = roundTrip;
        this.owner = owner;
        retransmits = new RetransmitQueue(roundTrip, traffic);
    }

    void open(long now, PeerAddress peerAddress, int mtu, int window, int count) {
        this.peerAddress = peerAddress;
        this.mtu = mtu;
        channels = new OutgoingChannel[count];
        for (int i = 0; i < count; i++) {
            channels[i] = new OutgoingChannel();
        }
        retransmits.open(now, window);
        pings = true;
        owner.wake();
    }

    TrafficCounters traffic() {
        return traffic;
    }

    /** Bytes offered since {@link #resetOffered}, including those that the throttle dropped. */
    long offered() {
        return offered;
    }

    void offer(int bytes) {
        offered += bytes;
    }

    void resetOffered() {
        offered = 0;
    }

    /** The heap of commands queued or in flight, bytes, without a file's payload. */
    int queuedBytes() {
        return queuedBytes;
    }

    /** The retained heap with this peer's share of a file, bytes. */
    long retainedBytes() {
        SharedPayloadTransfer now = file;
        return queuedBytes + acks.retainedBytes() + (now == null ? 0 : now.retainedBytes());
    }

    boolean isCongested() {
        return queuedBytes > CONGESTED_BYTES;
    }

    boolean isSendingFile() {
        return file != null;
    }

    void window(int window) {
        retransmits.window(window);
    }

    /** The sending half of a channel. */
    OutgoingChannel channel(int channel) {
        return channels[channel];
    }

    boolean hasChannel(int channel) {
        return channel < channels.length;
    }

    /** The next sequence number of a command without a channel. */
    int nextSeq() {
        seq = seq + 1 & 0xFFFF;
        return seq;
    }

    void continueAfter(int seq) {
        this.seq = seq;
    }

    /** Maximum payload of a message in one datagram, and the payload of a fragment, bytes. */
    int fragmentLength() {
        return mtu - EnetHeader.MAX_LENGTH - SendFragment.LENGTH;
    }

    boolean fits(int payload) {
        return payload
                        + (OutgoingCommand.COMMAND_HEAP + OutgoingCommand.FRAGMENT_HEAP)
                                * (payload / fragmentLength() + 1L)
                        + queuedBytes
                <= maxBytes;
    }

    void queueReliable(EnetCommand command) {
        queue(reliable, command);
    }

    void queueUnreliable(EnetCommand command) {
        queue(unreliable, command);
    }

    private void queue(ArrayDeque<OutgoingCommand> queue, EnetCommand command) {
        OutgoingCommand outgoing = new OutgoingCommand(command, order++, false);
        queuedBytes += outgoing.heapBytes();
        queue.add(outgoing);
        owner.wake();
    }

    /**
     * Sends a file in fragments, after all other messages.
     *
     * @param start sequence number of its first fragment; the others follow
     */
    void sendFile(EnetSharedPayload sent, int channel, int start) {
        file = new SharedPayloadTransfer(sent, channel, start, fragmentLength());
        owner.wake();
    }

    private void endFile() {
        SharedPayloadTransfer done = file;
        if (done != null) {
            done.end();
            file = null;
        }
    }

    void acknowledge(EnetCommand command, int sentTime) {
        if (acks.add(command, sentTime)) {
            owner.wake();
        }
    }

    /** Whether nothing is queued or in flight. */
    boolean isIdle() {
        return retransmits.isEmpty() && reliable.isEmpty() && unreliable.isEmpty() && file == null;
    }

    void clear() {
        acks.clear();
        reliable.clear();
        unreliable.clear();
        retransmits.clear();
        endFile();
        queuedBytes = 0;
        pings = false;
    }

    /**
     * Handles an acknowledgement; returns its command. Returns null, and takes neither a sign of
     * life nor a round-trip sample, if the command is not in flight or the sent time is not between
     * its first and last transmission.
     */
    @Nullable EnetCommand onAck(long now, Ack ack) {
        OutgoingCommand outgoing = retransmits.find(ack.channel(), ack.recvSeq());
        if (outgoing == null) {
            return null;
        }
        long sent = outgoing.sentTime(ack.recvSentTime());
        if (sent > outgoing.sentTime()) {
            owner.drop(DropReason.WRONG_ACK);
            return null;
        }
        onAcknowledged(now, outgoing);
        roundTrip.addSample(now, now - sent);
        return outgoing.command();
    }

    /** Handles the answer to a CONNECT, which is not an acknowledgement. */
    void onConnectAnswered(long now) {
        OutgoingCommand connect = retransmits.find(EnetCommand.NO_CHANNEL, FIRST_SEQ);
        if (connect != null) {
            onAcknowledged(now, connect);
        }
    }

    private void onAcknowledged(long now, OutgoingCommand outgoing) {
        retransmits.onAcknowledged(outgoing, now);
        EnetCommand command = outgoing.command();
        if (hasChannel(command.channel())) {
            channels[command.channel()].onAcknowledged(command.seq());
        }
        owner.schedule(now + PING_INTERVAL_MILLIS);
        queuedBytes -= outgoing.heapBytes();
        SharedPayloadTransfer sending = file;
        if (sending != null && outgoing.shared() && sending.onAcknowledged()) {
            endFile();
        }
        if (!reliable.isEmpty() || retransmits.hasRetransmits() || file != null) {
            owner.wake();
        }
    }

    /** Latest time of the next {@link #flush}, milliseconds. */
    long deadline() {
        long ping =
                pings && retransmits.isEmpty()
                        ? retransmits.lastAck() + PING_INTERVAL_MILLIS
                        : NEVER;
        return Math.min(retransmits.deadline(), ping);
    }

    /**
     * Sends everything that may be sent now.
     *
     * @return false if the peer has timed out
     */
    boolean flush(long now, DatagramBuilder datagram) {
        if (!retransmits.expire(now)) {
            return false;
        }
        if (pings
                && retransmits.isEmpty()
                && reliable.isEmpty()
                && file == null
                && now - retransmits.lastAck() >= PING_INTERVAL_MILLIS) {
            queueReliable(new Ping(EnetCommand.ACKNOWLEDGE, EnetCommand.NO_CHANNEL, nextSeq()));
        }
        boolean hasMore = true;
        while (hasMore) {
            datagram.start(mtu);
            hasMore = pack(datagram, now);
            emit(datagram, now);
        }
        return true;
    }

    /** The header of a datagram. */
    EnetHeader header(int sentTime) {
        return peerAddress.header(sentTime);
    }

    private void emit(DatagramBuilder datagram, long now) {
        if (datagram.count() > 0) {
            traffic.out(datagram.emit(peerAddress.to(), header(datagram.sentTime(now))));
        }
    }

    /** Sends one command in a datagram of its own, bypassing the queues. */
    void sendNow(EnetCommand command, DatagramBuilder datagram) {
        datagram.start(mtu);
        datagram.add(command, command.length());
        emit(datagram, 0);
    }

    /** Fills one datagram; returns whether more is left. */
    private boolean pack(DatagramBuilder datagram, long now) {
        if (!acks.pack(datagram)) {
            return true;
        }
        OutgoingCommand retransmit = retransmits.nextRetransmit();
        while (retransmit != null && !retransmits.mustWait(retransmit, mtu)) {
            if (!datagram.add(retransmit.command(), retransmit.length())) {
                return true;
            }
            retransmits.onRetransmitted(now);
            retransmit = retransmits.nextRetransmit();
        }
        return packNew(datagram, now);
    }

    private boolean packNew(DatagramBuilder datagram, long now) {
        boolean blocked = retransmits.hasRetransmits();
        while (true) {
            OutgoingCommand first = blocked ? null : nextReliable();
            if (first != null && (retransmits.isFull(first, mtu) || !canStart(first.command()))) {
                blocked = true;
                first = null;
            }
            OutgoingCommand other = unreliable.peek();
            if (first == null && other == null) {
                return false;
            }
            if (first != null && (other == null || first.isBefore(other))) {
                if (!datagram.add(first.command(), first.length())) {
                    return true;
                }
                onStarted(first, now);
            } else if (other != null) {
                if (!datagram.add(other.command(), other.length())) {
                    return true;
                }
                unreliable.remove();
                queuedBytes -= other.heapBytes();
            }
        }
    }

    /** The next reliable command; a file's fragments come after all others. */
    private @Nullable OutgoingCommand nextReliable() {
        SharedPayloadTransfer sending = file;
        return reliable.isEmpty() && sending != null ? sending.next() : reliable.peek();
    }

    private boolean canStart(EnetCommand command) {
        return !hasChannel(command.channel())
                || channels[command.channel()].canStart(command.seq());
    }

    private void onStarted(OutgoingCommand outgoing, long now) {
        SharedPayloadTransfer sending = file;
        if (outgoing.shared() && sending != null) {
            queuedBytes += outgoing.heapBytes();
            sending.onSent();
        } else {
            reliable.remove();
        }
        EnetCommand command = outgoing.command();
        if (hasChannel(command.channel())) {
            channels[command.channel()].onStarted(command.seq());
        }
        retransmits.add(outgoing, now);
    }
}

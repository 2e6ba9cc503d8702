package dev.wishdir.enet;

import dev.wishdir.enet.EnetCommand.Ack;
import dev.wishdir.enet.EnetCommand.Ping;
import dev.wishdir.enet.EnetCommand.SendFragment;
import dev.wishdir.net.TrafficCounters;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;

/**
 * What a peer has still to be sent, and what it has not acknowledged: packs commands into
 * datagrams, repeats reliable ones, pings. ENet 1.3, reliability, timers, flow control.
 *
 * <p>In a datagram acknowledgements come first, then repetitions, then new commands in the order in
 * which they were queued.
 */
final class SendQueue {
    private static final int PING_INTERVAL_MILLIS = 500;

    /** More waiting heap than this, and what is only state should wait for a better moment. */
    private static final int CONGESTED_BYTES = 64 << 10;

    private static final int FIRST_SEQ = 1;
    private static final long NEVER = Long.MAX_VALUE;

    /** What an outbox asks of the connection that it belongs to. */
    interface Owner {
        /** Something is to be sent in the next turn. */
        void wake();

        /** A turn has to come at a time at the latest, milliseconds. */
        void schedule(long deadline);

        void drop(DropReason reason);
    }

    private final Owner owner;
    private final int mostBytes;
    private final RoundTripEstimator roundTrip;
    private final TrafficCounters traffic = new TrafficCounters();
    private final RetransmitQueue retransmits;
    private final PendingAcks acks = new PendingAcks();
    private final ArrayDeque<OutgoingCommand> reliable = new ArrayDeque<>();
    private final ArrayDeque<OutgoingCommand> unreliable = new ArrayDeque<>();

    private PeerAddress peerAddress;
    private int mtu;
    private OutgoingChannel[] sequences = {};
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
        mostBytes = settings.sendMemory();
        mtu = settings.mtu();
        this.peerAddress = peerAddress;
        this.roundTrip = roundTrip;
        this.owner = owner;
        retransmits = new RetransmitQueue(roundTrip, traffic);
    }

    void open(long now, PeerAddress peerAddress, int mtu, int window, int channels) {
        this.peerAddress = peerAddress;
        this.mtu = mtu;
        sequences = new OutgoingChannel[channels];
        for (int i = 0; i < channels; i++) {
            sequences[i] = new OutgoingChannel();
        }
        retransmits.open(now, window);
        pings = true;
        owner.wake();
    }

    int mtu() {
        return mtu;
    }

    TrafficCounters traffic() {
        return traffic;
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

    /** The heap of what waits to be sent or acknowledged, without the bytes of a file. */
    int queuedBytes() {
        return queuedBytes;
    }

    /** The heap of all that waits; of a file, this peer's share. */
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

    /** The numbers of a channel's messages. */
    OutgoingChannel sequence(int channel) {
        return sequences[channel];
    }

    boolean hasChannel(int channel) {
        return channel < sequences.length;
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
                        + (OutgoingCommand.COMMAND_HEAP + OutgoingCommand.FRAGMENT_HEAP)
                                * (payload / fragmentLength() + 1L)
                        + queuedBytes
                <= mostBytes;
    }

    void queueReliable(EnetCommand command) {
        queue(reliable, command);
    }

    void queueUnreliable(EnetCommand command) {
        queue(unreliable, command);
    }

    private void queue(ArrayDeque<OutgoingCommand> queue, EnetCommand command) {
        OutgoingCommand outgoing = new OutgoingCommand(command, order++, false);
        queuedBytes += outgoing.cost();
        queue.add(outgoing);
        owner.wake();
    }

    /**
     * Sends a file in fragments, whenever there is room that nothing else needs.
     *
     * @param start the sequence number of its first fragment; those of the others follow
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

    /** Nothing waits to be sent or acknowledged by the other side. */
    boolean idle() {
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
     * An acknowledgement came in; returns the command that it is for. It is for none, and neither a
     * sign of life nor a sample of the round trip, if that command is not on its way or its sent
     * time is before the first or after the last sending.
     */
    @Nullable EnetCommand acknowledged(long now, Ack ack) {
        OutgoingCommand outgoing = retransmits.find(ack.channel(), ack.recvSeq());
        if (outgoing == null) {
            return null;
        }
        long sent = outgoing.sentTime(ack.recvSentTime());
        if (sent > outgoing.sentTime()) {
            owner.drop(DropReason.WRONG_ACK);
            return null;
        }
        arrived(now, outgoing);
        roundTrip.sample(now, now - sent);
        return outgoing.command();
    }

    /** The CONNECT has its answer, which is no acknowledgement. */
    void answered(long now) {
        OutgoingCommand connect = retransmits.find(EnetCommand.NO_CHANNEL, FIRST_SEQ);
        if (connect != null) {
            arrived(now, connect);
        }
    }

    private void arrived(long now, OutgoingCommand outgoing) {
        retransmits.arrived(outgoing, now);
        EnetCommand command = outgoing.command();
        if (hasChannel(command.channel())) {
            sequences[command.channel()].acknowledged(command.seq());
        }
        owner.schedule(now + PING_INTERVAL_MILLIS);
        queuedBytes -= outgoing.cost();
        SharedPayloadTransfer sending = file;
        if (sending != null && outgoing.shared() && sending.arrive()) {
            endFile();
        }
        if (!reliable.isEmpty() || retransmits.repeats() || file != null) {
            owner.wake();
        }
    }

    /** When {@link #flush} has to be called again, milliseconds. */
    long deadline() {
        long ping =
                pings && retransmits.isEmpty()
                        ? retransmits.lastAck() + PING_INTERVAL_MILLIS
                        : NEVER;
        return Math.min(retransmits.deadline(), ping);
    }

    /**
     * Sends all that may be sent now.
     *
     * @return false if the other side acknowledges nothing for so long that it must be gone
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
        boolean more = true;
        while (more) {
            datagram.start(mtu);
            more = pack(datagram, now);
            emit(datagram, now);
        }
        return true;
    }

    /** The head of a datagram. */
    EnetHeader header(int sentTime) {
        return peerAddress.header(sentTime);
    }

    private void emit(DatagramBuilder datagram, long now) {
        if (datagram.count() > 0) {
            traffic.out(datagram.emit(peerAddress.to(), header(datagram.sentTime(now))));
        }
    }

    /** One command in a datagram of its own, at once, past all queues. */
    void sendAlone(EnetCommand command, DatagramBuilder datagram) {
        datagram.start(mtu);
        datagram.add(command, command.length());
        emit(datagram, 0);
    }

    /** Fills one datagram; returns whether something is left for a next one. */
    private boolean pack(DatagramBuilder datagram, long now) {
        if (!acks.pack(datagram)) {
            return true;
        }
        OutgoingCommand again = retransmits.repeated();
        while (again != null && !retransmits.mustWait(again, mtu)) {
            if (!datagram.add(again.command(), again.length())) {
                return true;
            }
            retransmits.repeat(now);
            again = retransmits.repeated();
        }
        return packNew(datagram, now);
    }

    private boolean packNew(DatagramBuilder datagram, long now) {
        boolean blocked = retransmits.repeats();
        while (true) {
            OutgoingCommand first = blocked ? null : nextReliable();
            if (first != null && (retransmits.isFull(first, mtu) || !mayStart(first.command()))) {
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
                leave(first, now);
            } else if (other != null) {
                if (!datagram.add(other.command(), other.length())) {
                    return true;
                }
                unreliable.remove();
                queuedBytes -= other.cost();
            }
        }
    }

    /** The next reliable command; a file's fragments go when there are no others. */
    private @Nullable OutgoingCommand nextReliable() {
        SharedPayloadTransfer sending = file;
        return reliable.isEmpty() && sending != null ? sending.next() : reliable.peek();
    }

    private boolean mayStart(EnetCommand command) {
        return !hasChannel(command.channel())
                || sequences[command.channel()].mayStart(command.seq());
    }

    private void leave(OutgoingCommand outgoing, long now) {
        SharedPayloadTransfer sending = file;
        if (outgoing.shared() && sending != null) {
            queuedBytes += outgoing.cost();
            sending.leave();
        } else {
            reliable.remove();
        }
        EnetCommand command = outgoing.command();
        if (hasChannel(command.channel())) {
            sequences[command.channel()].started(command.seq());
        }
        retransmits.start(outgoing, now);
    }
}

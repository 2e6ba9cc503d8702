package dev.wishdir.nethernet.sctp;

import dev.wishdir.net.limit.HeapFootprint;
import dev.wishdir.net.loop.TrafficCounters;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Writer;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The sending half of an association: fragments messages into chunks and retransmits them, within
 * congestion and receive window.
 *
 * <p>It has many fields: the variables of congestion control and retransmission (RFC 9260, 6 and
 * 7), which each acknowledgement changes together.
 */
final class SctpSender {
    private static final int DATA_HEADER = 16;

    /** Maximum payload of a chunk, so that it fits one packet; a multiple of four. */
    static final int MAX_PART_BYTES = SctpPacket.MAX_BYTES - SctpPacket.HEADER - DATA_HEADER;

    private static final int MTU = SctpPacket.MAX_BYTES;
    private static final int FIRST_CWND = 4380;
    private static final int MAX_CWND_BYTES = 1 << 20;
    private static final long INITIAL_RTO_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long MIN_RTO_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    /** Far less than the RFC's 60 s, as in all WebRTC implementations: a player waits. */
    private static final long MAX_RTO_NANOS = TimeUnit.SECONDS.toNanos(2);

    private static final int MISSED = 3;

    private static final class Message {
        final int stream;
        final int kind;
        final boolean unreliable;
        final int sequence;
        final byte[] data;
        int cut;
        boolean abandoned;

        Message(int stream, int kind, boolean unreliable, int sequence, byte[] data) {
            this.stream = stream;
            this.kind = kind;
            this.unreliable = unreliable;
            this.sequence = sequence;
            this.data = data;
        }

        long cost() {
            return HeapFootprint.OBJECT + HeapFootprint.bytes(data.length);
        }
    }

    private static final class Chunk {
        final long number;
        final Message message;
        final int offset;
        final int length;
        long sentAt;
        int sendings;
        int missed;
        boolean inFlight;
        boolean acknowledged;

        Chunk(long number, Message message, int offset, int length) {
            this.number = number;
            this.message = message;
            this.offset = offset;
            this.length = length;
        }

        boolean isLast() {
            return offset + length == message.data.length;
        }

        boolean settled() {
            return acknowledged || message.abandoned;
        }
    }

    private final TrafficCounters traffic;
    private final ArrayDeque<Message> queue = new ArrayDeque<>();
    private final ArrayDeque<Chunk> outstanding = new ArrayDeque<>();
    private final Map<Integer, Integer> sequences = new HashMap<>();
    private boolean mayAbandon;
    private long next;
    private long acknowledged;
    private long recovery;
    private long forwarded;
    private long held;
    private int lost;
    private int flight;
    private int cwnd = FIRST_CWND;
    private int threshold = MAX_CWND_BYTES;
    private int partial;
    private int peerWindow;
    private long srtt;
    private long variance;
    private long rto = INITIAL_RTO_NANOS;
    private long due = Long.MAX_VALUE;
    private int expired;
    private boolean forward;

    SctpSender(int first, TrafficCounters traffic) {
        this.traffic = traffic;
        next = first & 0xFFFF_FFFFL;
        acknowledged = next - 1;
        forwarded = acknowledged;
        recovery = acknowledged;
    }

    /**
     * Applies the peer's parameters.
     *
     * @param abandons whether it supports partial reliability
     */
    void begin(int window, boolean abandons) {
        peerWindow = window;
        mayAbandon = abandons;
    }

    /** Queues a message; the caller must not change the array any more. */
    void send(int stream, int kind, boolean unreliable, byte[] data) {
        int sequence = unreliable ? 0 : sequences.merge(stream, 1, Integer::sum) - 1 & 0xFFFF;
        Message message = new Message(stream, kind, unreliable, sequence, data);
        queue.add(message);
        held += message.cost();
    }

    /** The heap of messages queued or in flight, bytes. */
    long retainedBytes() {
        return held + (long) outstanding.size() * 2 * HeapFootprint.OBJECT;
    }

    boolean idle() {
        return queue.isEmpty() && outstanding.isEmpty();
    }

    /** A number that increases with each acknowledgement. */
    long progress() {
        return acknowledged;
    }

    long roundTrip() {
        return srtt;
    }

    /** Number of successive time-outs without an acknowledgement. */
    int expired() {
        return expired;
    }

    long deadline() {
        return due;
    }

    void drop() {
        queue.clear();
        outstanding.clear();
        held = 0;
        lost = 0;
        flight = 0;
        due = Long.MAX_VALUE;
    }

    /** Appends the chunks that may be sent now to a packet, as far as it has room. */
    void fill(long now, Writer w) {
        if (forward) {
            forward(w);
        }
        if (lost > 0) {
            for (Chunk chunk : outstanding) {
                if (!chunk.inFlight && !chunk.settled()) {
                    if (!fits(w, chunk.length) || flight > 0 && flight + chunk.length > cwnd) {
                        return;
                    }
                    lost--;
                    put(now, w, chunk);
                }
            }
        }
        while (!queue.isEmpty()) {
            Message message = queue.element();
            int length = Math.min(MAX_PART_BYTES, message.data.length - message.cut);
            boolean probe = outstanding.isEmpty();
            if (!fits(w, length)
                    || flight > 0 && flight + length > cwnd
                    || peerWindow < length && !probe) {
                return;
            }
            Chunk chunk = new Chunk(next++, message, message.cut, length);
            message.cut += length;
            if (chunk.isLast()) {
                queue.remove();
            }
            outstanding.add(chunk);
            peerWindow = Math.max(0, peerWindow - length);
            put(now, w, chunk);
        }
    }

    private static boolean fits(Writer w, int length) {
        return w.remaining() >= DATA_HEADER + (length + 3 & ~3);
    }

    private void put(long now, Writer w, Chunk chunk) {
        int flags =
                (chunk.isLast() ? 1 : 0)
                        | (chunk.offset == 0 ? 2 : 0)
                        | (chunk.message.unreliable ? 4 : 0);
        SctpPacket.chunk(w, SctpPacket.DATA, flags, 12 + chunk.length);
        w.i32be("TSN", (int) chunk.number);
        w.u16be("stream", chunk.message.stream);
        w.u16be("sequence number", chunk.message.sequence);
        w.i32be("payload protocol", chunk.message.kind);
        w.append(chunk.message.data, chunk.offset, chunk.length);
        SctpPacket.pad(w);
        chunk.sentAt = now;
        traffic.lostOut(chunk.sendings++ == 0 ? 0 : 1);
        chunk.missed = 0;
        chunk.inFlight = true;
        flight += chunk.length;
        if (due == Long.MAX_VALUE) {
            due = now + rto;
        }
    }

    private void forward(Writer w) {
        if (w.remaining() >= 8) {
            forward = false;
            SctpPacket.chunk(w, SctpPacket.FORWARD_TSN, 0, 4);
            w.i32be("TSN", (int) forwarded);
        }
    }

    /** Handles an acknowledgement; an old one, or one of something never sent, changes nothing. */
    void acknowledged(long now, Reader r) {
        long cumulative = acknowledged + (r.i32be("cumulative TSN", 0) - (int) acknowledged);
        int window = r.i32be("window", 0);
        int blocks = r.u16be("gap blocks", 0);
        r.u16be("duplicates", 0);
        if (cumulative < acknowledged || cumulative >= next) {
            return;
        }
        int used = flight;
        int news = 0;
        long sample = -1;
        boolean advanced = cumulative > acknowledged;
        while (!outstanding.isEmpty() && outstanding.element().number <= cumulative) {
            Chunk chunk = outstanding.remove();
            if (!chunk.acknowledged && chunk.sendings == 1) {
                sample = chunk.sentAt;
            }
            news += settle(chunk);
            if (chunk.isLast()) {
                held -= chunk.message.cost();
            }
        }
        acknowledged = cumulative;
        news += gaps(cumulative, blocks, r);
        if (sample >= 0) {
            measured(now - sample);
        }
        if (advanced) {
            expired = 0;
            due = now + rto;
            grow(used, news);
        }
        if (outstanding.isEmpty()) {
            due = Long.MAX_VALUE;
        }
        peerWindow = (int) Math.max(0, (window & 0xFFFF_FFFFL) - flight);
        abandonFirst();
    }

    private int settle(Chunk chunk) {
        if (chunk.acknowledged) {
            return 0;
        }
        chunk.acknowledged = true;
        if (chunk.inFlight) {
            chunk.inFlight = false;
            flight -= chunk.length;
        } else if (!chunk.message.abandoned) {
            lost--;
        }
        return chunk.length;
    }

    /** Handles the gap blocks: a chunk that three acknowledgements passed over is lost. */
    private int gaps(long cumulative, int blocks, Reader r) {
        int news = 0;
        long highest = -1;
        long end = cumulative;
        var chunks = outstanding.iterator();
        Chunk chunk = chunks.hasNext() ? chunks.next() : null;
        for (int i = 0; i < blocks && r.remaining() >= 4; i++) {
            long from = cumulative + r.u16be("gap start", 0);
            long to = cumulative + r.u16be("gap end", 0);
            if (from <= end || to < from) {
                break;
            }
            end = to;
            while (chunk != null && chunk.number <= to) {
                if (chunk.number >= from) {
                    int bytes = settle(chunk);
                    news += bytes;
                    if (bytes > 0) {
                        highest = chunk.number;
                    }
                }
                chunk = chunks.hasNext() ? chunks.next() : null;
            }
        }
        if (highest >= 0) {
            missed(highest);
        }
        return news;
    }

    private void missed(long highest) {
        List<Chunk> gone = new ArrayList<>();
        for (Chunk each : outstanding) {
            if (each.number >= highest) {
                break;
            }
            if (each.inFlight && each.sendings == 1 && ++each.missed >= MISSED) {
                gone.add(each);
            }
        }
        if (!gone.isEmpty() && acknowledged >= recovery) {
            recovery = next - 1;
            threshold = Math.max(cwnd / 2, 4 * MTU);
            cwnd = threshold;
            partial = 0;
        }
        gone.forEach(this::lose);
    }

    private void lose(Chunk chunk) {
        if (chunk.inFlight) {
            chunk.inFlight = false;
            flight -= chunk.length;
            if (chunk.message.unreliable && mayAbandon) {
                abandon(chunk.message);
            } else if (!chunk.message.abandoned) {
                lost++;
            }
        }
    }

    /** Abandons a whole message; its chunks in flight no longer count. */
    private void abandon(Message message) {
        message.abandoned = true;
        if (message.cut < message.data.length) {
            // The rest gets numbers, so that the receiver can skip to the message's end.
            queue.remove(message);
            int rest = message.data.length - message.cut;
            outstanding.add(new Chunk(next++, message, message.cut, rest));
            message.cut = message.data.length;
        }
        for (Chunk chunk : outstanding) {
            if (chunk.message == message && chunk.inFlight) {
                chunk.inFlight = false;
                flight -= chunk.length;
            }
        }
    }

    private void abandonFirst() {
        long to = acknowledged;
        boolean any = false;
        for (Chunk chunk : outstanding) {
            if (!chunk.settled()) {
                break;
            }
            any |= chunk.message.abandoned;
            to = chunk.number;
        }
        if (any && to > forwarded) {
            forwarded = to;
            forward = true;
        }
    }

    private void measured(long sample) {
        if (srtt == 0) {
            srtt = Math.max(1, sample);
            variance = sample / 2;
        } else {
            variance = (3 * variance + Math.abs(srtt - sample)) / 4;
            srtt = (7 * srtt + sample) / 8;
        }
        rto = Math.clamp(srtt + 4 * variance, MIN_RTO_NANOS, MAX_RTO_NANOS);
    }

    private void grow(int used, int news) {
        if (acknowledged < recovery) {
            return;
        }
        if (cwnd <= threshold) {
            if (used + MTU > cwnd) {
                cwnd = Math.min(MAX_CWND_BYTES, cwnd + Math.min(news, 2 * MTU));
            }
            return;
        }
        partial += news;
        if (partial >= cwnd) {
            partial -= cwnd;
            cwnd = Math.min(MAX_CWND_BYTES, cwnd + MTU);
        }
    }

    /** Marks chunks as lost that were not acknowledged in time. */
    void expire(long now) {
        if (now < due) {
            return;
        }
        expired++;
        threshold = Math.max(cwnd / 2, 4 * MTU);
        cwnd = MTU;
        partial = 0;
        recovery = acknowledged;
        rto = Math.min(2 * rto, MAX_RTO_NANOS);
        due = now + rto;
        for (Chunk chunk : outstanding.toArray(Chunk[]::new)) {
            lose(chunk);
        }
        if (lost == 0 && !outstanding.isEmpty()) {
            // It is not missed, so the peer has dropped what it had acknowledged out of order.
            Chunk first = outstanding.element();
            if (first.message.abandoned) {
                forwarded = acknowledged;
            } else {
                first.acknowledged = false;
                lost = 1;
            }
        }
        abandonFirst();
    }
}

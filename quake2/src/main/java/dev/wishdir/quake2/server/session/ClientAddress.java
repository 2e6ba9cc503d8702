package dev.wishdir.quake2.server.session;

import dev.wishdir.arena.event.Proof;
import dev.wishdir.net.limit.AddressLimits;
import dev.wishdir.net.limit.TokenBucket;
import dev.wishdir.quake2.netchan.Netchan;
import dev.wishdir.quake2.netchan.NetchanHeader;

import java.net.InetSocketAddress;

/**
 * The address of one client, how it was accepted from there, and which packets are its own: those
 * from its port, and after NAT rebinding those from another port that continue its netchan.
 */
public final class ClientAddress {
    /** Maximum gap before the first packet from another port. */
    private static final int MAX_SEQUENCE_AHEAD = 32;

    /**
     * Packet interval of a fast client: during a port change, the gap may grow by one per interval.
     */
    private static final long MIN_PACKET_INTERVAL_NANOS = 1_000_000;

    /** Minimum silence of the old port before a port change. */
    private static final long MIN_SILENCE_NANOS = 1_000_000_000;

    /** Burst of accepted port changes. */
    private static final double MAX_REBINDINGS = 3;

    private static final double REBINDINGS_PER_SECOND = 0.1;

    private final ConnectRequest request;
    private final AddressLimits.Place place;
    private final Proof proof;
    private final TokenBucket rebindings = new TokenBucket(MAX_REBINDINGS, REBINDINGS_PER_SECOND);
    private InetSocketAddress current;

    /**
     * @param request by which the client was accepted
     * @param place that it takes among the sessions of its address
     * @param proof of who its player is
     */
    public ClientAddress(ConnectRequest request, AddressLimits.Place place, Proof proof) {
        this.request = request;
        this.place = place;
        this.proof = proof;
        current = request.from();
    }

    /** The current address and port. */
    InetSocketAddress current() {
        return current;
    }

    Proof proof() {
        return proof;
    }

    int qport() {
        return request.qport();
    }

    /** Whether a connect repeats the one by which the client was accepted. */
    boolean isSameConnect(ConnectRequest other) {
        return request.qport() == other.qport() && request.challenge() == other.challenge();
    }

    /** Whether a packet from the current address can be the client's, by the header. */
    boolean isFrom(NetchanHeader header, Netchan netchan) {
        return qport() == header.qport() && header.sequence() > netchan.incoming();
    }

    /**
     * Whether a packet from another port has one of the next numbers, which others behind the same
     * address do not know.
     *
     * @param idleNanos since the last packet
     */
    static boolean continues(NetchanHeader header, Netchan netchan, long idleNanos) {
        long ahead = MAX_SEQUENCE_AHEAD + idleNanos / MIN_PACKET_INTERVAL_NANOS;
        return header.sequence() > netchan.incoming()
                && header.sequence() - netchan.incoming() <= ahead
                && header.ack() >= netchan.acknowledged()
                && header.ack() < netchan.nextSequence();
    }

    /**
     * Whether the client may move to another port now: the old one is silent, and it has not moved
     * too often.
     *
     * @param idleNanos since the last packet
     */
    boolean allowsRebinding(long now, long idleNanos) {
        return idleNanos >= MIN_SILENCE_NANOS && rebindings.tryAcquire(now);
    }

    /** Continues with another port. */
    void rebind(InetSocketAddress address) {
        current = address;
    }

    /** Frees its place among the sessions of its address. */
    void free() {
        place.leave();
    }
}

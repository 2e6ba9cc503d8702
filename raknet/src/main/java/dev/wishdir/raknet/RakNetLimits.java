package dev.wishdir.raknet;

import dev.wishdir.net.Requirements;

import java.util.concurrent.TimeUnit;

/**
 * Limits on the memory and the time-outs of one connection: docs/protocols/raknet.md#limits.
 * Breaking one ends the connection.
 *
 * @param maxSplitParts maximum parts of a split message
 * @param maxPendingSplits maximum incomplete split messages
 * @param maxReassemblyBytes maximum heap of incomplete messages and of messages after a gap
 * @param maxQueuedBytes maximum heap of messages queued or in flight
 * @param maxDatagramsPer10Ms maximum datagrams in 10 ms; further ones are dropped
 * @param idleTimeoutNanos time without a datagram after which the connection ends
 * @param ackTimeoutNanos time without an acknowledgement after which the connection of a peer that
 *     keeps sending ends; for a single frame three times that
 * @param handshakeTimeoutNanos time from the first datagram to the open connection
 * @param reassemblyTimeoutNanos maximum duration of a gap or an incomplete message
 */
public record RakNetLimits(
        int maxSplitParts,
        int maxPendingSplits,
        int maxReassemblyBytes,
        int maxQueuedBytes,
        int maxDatagramsPer10Ms,
        long idleTimeoutNanos,
        long ackTimeoutNanos,
        long handshakeTimeoutNanos,
        long reassemblyTimeoutNanos) {
    /**
     * @throws IllegalArgumentException if a limit is not positive
     */
    public RakNetLimits {
        Requirements.positive("maxSplitParts", maxSplitParts);
        Requirements.positive("maxPendingSplits", maxPendingSplits);
        Requirements.positive("maxReassemblyBytes", maxReassemblyBytes);
        Requirements.positive("maxQueuedBytes", maxQueuedBytes);
        Requirements.positive("maxDatagramsPer10Ms", maxDatagramsPer10Ms);
        Requirements.positive("idleTimeoutNanos", idleTimeoutNanos);
        Requirements.positive("ackTimeoutNanos", ackTimeoutNanos);
        Requirements.positive("handshakeTimeoutNanos", handshakeTimeoutNanos);
        Requirements.positive("reassemblyTimeoutNanos", reassemblyTimeoutNanos);
    }

    /** Limits for a server's clients: the largest message is a login with a skin. */
    public static final RakNetLimits SERVER =
            new RakNetLimits(
                    8192,
                    4,
                    4 << 20,
                    8 << 20,
                    500,
                    TimeUnit.SECONDS.toNanos(10),
                    TimeUnit.SECONDS.toNanos(10),
                    TimeUnit.SECONDS.toNanos(10),
                    TimeUnit.SECONDS.toNanos(30));

    /** Limits for a client's server: worlds are large. */
    public static final RakNetLimits CLIENT =
            new RakNetLimits(
                    8192,
                    64,
                    32 << 20,
                    8 << 20,
                    5000,
                    TimeUnit.SECONDS.toNanos(10),
                    TimeUnit.SECONDS.toNanos(10),
                    TimeUnit.SECONDS.toNanos(5),
                    TimeUnit.SECONDS.toNanos(30));
}

package dev.wishdir.raknet;

import java.util.concurrent.TimeUnit;

/**
 * What one connection may cost and how long it may be silent: docs/protocols/raknet.md#limits.
 * Breaking a limit ends the connection.
 *
 * @param maxSplitParts the most parts of a split message
 * @param maxPendingSplits the most split messages of which parts are missing
 * @param maxReassemblyBytes the most heap in incomplete messages and behind gaps
 * @param maxQueuedBytes the most heap that waits to be sent or acknowledged
 * @param maxDatagramsPer10Ms the most datagrams in 10 ms; more are dropped
 * @param idleTimeoutNanos nanoseconds without any datagram until the connection is lost
 * @param ackTimeoutNanos nanoseconds without acknowledging anything of what waits until the
 *     connection is ended though the peer goes on sending; a single frame has three times as long
 * @param handshakeTimeoutNanos nanoseconds from the first datagram to the open connection
 * @param reassemblyTimeoutNanos nanoseconds that a gap or an incomplete message may last
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
    /** What a server grants to anybody. */
    public static final RakNetLimits SERVER =
            new RakNetLimits(
                    128,
                    4,
                    1 << 20,
                    8 << 20,
                    500,
                    TimeUnit.SECONDS.toNanos(10),
                    TimeUnit.SECONDS.toNanos(10),
                    TimeUnit.SECONDS.toNanos(10),
                    TimeUnit.SECONDS.toNanos(30));

    /** What a client grants to the server of its choice: worlds are large. */
    public static final RakNetLimits CLIENT =
            new RakNetLimits(
                    8192,
                    64,
                    32 << 20,
                    8 << 20,
                    5000,
                    TimeUnit.SECONDS.toNanos(10),
                    TimeUnit.SECONDS.toNanos(10),
                    TimeUnit.SECONDS.toNanos(10),
                    TimeUnit.SECONDS.toNanos(30));
}

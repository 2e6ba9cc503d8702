package dev.wishdir.raknet;

import java.util.concurrent.TimeUnit;

/**
 * What one connection may cost and how long it may be silent: RakNet, limits. Breaking a limit ends
 * the connection.
 *
 * @param splitParts the most parts of a split message
 * @param openSplits the most split messages of which parts are missing
 * @param heldBytes the most heap in incomplete messages and behind gaps
 * @param queuedBytes the most heap that waits to be sent or acknowledged
 * @param datagrams the most datagrams in 10 ms; more are dropped
 * @param silence nanoseconds without any datagram until the connection is lost
 * @param patience nanoseconds without acknowledging anything of what waits until the connection is
 *     ended though the peer goes on sending; a single frame has three times as long
 * @param handshake nanoseconds from the first datagram to the open connection
 * @param stall nanoseconds that a gap or an incomplete message may last
 */
public record RakNetLimits(
        int splitParts,
        int openSplits,
        int heldBytes,
        int queuedBytes,
        int datagrams,
        long silence,
        long patience,
        long handshake,
        long stall) {
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

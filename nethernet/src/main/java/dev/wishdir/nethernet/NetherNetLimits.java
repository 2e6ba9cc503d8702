package dev.wishdir.nethernet;

import java.util.concurrent.TimeUnit;

/**
 * What one connection may cost and how long it may be silent. Breaking a limit ends the connection.
 *
 * @param windowBytes the most heap behind gaps, bytes, until the peer is {@linkplain
 *     NetherNetPeer#admit admitted}
 * @param maxPacketBytes the most bytes of a packet until then
 * @param admittedWindowBytes the window from then on
 * @param admittedMaxPacketBytes the most bytes of a packet from then on
 * @param maxQueuedBytes the most heap that waits to be sent or acknowledged
 * @param pathTimeoutNanos nanoseconds until the other side has shown that it receives where it
 *     sends from
 * @param openTimeoutNanos nanoseconds until both channels are open
 * @param idleTimeoutNanos nanoseconds without anything that only the other side can have sent
 * @param ackTimeoutNanos nanoseconds without acknowledging anything of what waits until the
 *     connection is ended though the peer goes on sending
 */
public record NetherNetLimits(
        int windowBytes,
        int maxPacketBytes,
        int admittedWindowBytes,
        int admittedMaxPacketBytes,
        int maxQueuedBytes,
        long pathTimeoutNanos,
        long openTimeoutNanos,
        long idleTimeoutNanos,
        long ackTimeoutNanos) {
    /** What a server grants to anybody. */
    public static final NetherNetLimits SERVER =
            new NetherNetLimits(
                    256 << 10,
                    8 << 20,
                    1 << 20,
                    1 << 20,
                    4 << 20,
                    TimeUnit.SECONDS.toNanos(10),
                    TimeUnit.SECONDS.toNanos(15),
                    TimeUnit.SECONDS.toNanos(30),
                    TimeUnit.SECONDS.toNanos(10));

    /** What a client grants to the server of its choice: worlds are large. */
    public static final NetherNetLimits CLIENT =
            new NetherNetLimits(
                    1 << 20,
                    32 << 20,
                    1 << 20,
                    32 << 20,
                    8 << 20,
                    TimeUnit.SECONDS.toNanos(10),
                    TimeUnit.SECONDS.toNanos(15),
                    TimeUnit.SECONDS.toNanos(30),
                    TimeUnit.SECONDS.toNanos(10));
}

package dev.wishdir.nethernet;

import dev.wishdir.net.Requirements;

import java.util.concurrent.TimeUnit;

/**
 * Limits on the memory and the time-outs of one connection. Breaking one ends the connection.
 *
 * @param windowBytes maximum heap of chunks after a gap, bytes, until the peer is {@linkplain
 *     NetherNetPeer#admit admitted}
 * @param maxPacketBytes maximum length of a packet until then
 * @param admittedWindowBytes maximum heap of chunks after a gap, bytes, from then on
 * @param admittedMaxPacketBytes maximum length of a packet from then on
 * @param maxQueuedBytes maximum heap of messages queued or in flight
 * @param pathTimeoutNanos time until a signed check must have proved the peer's address
 * @param openTimeoutNanos time until both channels must be open
 * @param idleTimeoutNanos time without anything that only the peer can have sent, after which the
 *     connection ends
 * @param ackTimeoutNanos time without an acknowledgement after which the connection of a peer that
 *     keeps sending ends
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
    /**
     * @throws IllegalArgumentException if a limit is not positive
     */
    public NetherNetLimits {
        Requirements.positive("windowBytes", windowBytes);
        Requirements.positive("maxPacketBytes", maxPacketBytes);
        Requirements.positive("admittedWindowBytes", admittedWindowBytes);
        Requirements.positive("admittedMaxPacketBytes", admittedMaxPacketBytes);
        Requirements.positive("maxQueuedBytes", maxQueuedBytes);
        Requirements.positive("pathTimeoutNanos", pathTimeoutNanos);
        Requirements.positive("openTimeoutNanos", openTimeoutNanos);
        Requirements.positive("idleTimeoutNanos", idleTimeoutNanos);
        Requirements.positive("ackTimeoutNanos", ackTimeoutNanos);
    }

    /** Limits for a server's clients. */
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

    /** Limits for a client's server: worlds are large. */
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

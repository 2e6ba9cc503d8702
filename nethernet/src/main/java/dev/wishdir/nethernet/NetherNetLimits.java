package dev.wishdir.nethernet;

import java.util.concurrent.TimeUnit;

/**
 * What one connection may cost and how long it may be silent. Breaking a limit ends the connection.
 *
 * @param window the most heap behind gaps, bytes, until the peer is {@linkplain NetherNetPeer#admit
 *     admitted}
 * @param packet the most bytes of a packet until then
 * @param admittedWindow the window from then on
 * @param admittedPacket the most bytes of a packet from then on
 * @param queuedBytes the most heap that waits to be sent or acknowledged
 * @param path nanoseconds until the other side has shown that it receives where it sends from
 * @param open nanoseconds until both channels are open
 * @param silence nanoseconds without anything that only the other side can have sent
 * @param patience nanoseconds without acknowledging anything of what waits until the connection is
 *     ended though the peer goes on sending
 */
public record NetherNetLimits(
        int window,
        int packet,
        int admittedWindow,
        int admittedPacket,
        int queuedBytes,
        long path,
        long open,
        long silence,
        long patience) {
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

package dev.wishdir.wire.dissect;

import dev.wishdir.wire.Bytes;

import java.net.InetSocketAddress;

/**
 * One captured UDP datagram.
 *
 * @param frame number of the packet in the capture, from 1; for a fragmented datagram, that of its
 *     last fragment
 * @param time seconds since the first packet of the capture
 */
public record Datagram(
        long frame,
        double time,
        InetSocketAddress source,
        InetSocketAddress destination,
        Bytes payload) {
    /** The client's UDP port, if the datagram travels in {@code direction}. */
    public int client(Direction direction) {
        return flow(direction).client().getPort();
    }

    /** Client and server, if the datagram travels in {@code direction}. */
    public Flow flow(Direction direction) {
        return direction == Direction.C2S
                ? new Flow(source, destination)
                : new Flow(destination, source);
    }
}

package dev.wishdir.wire.dissect;

import dev.wishdir.wire.Bytes;

import java.net.InetSocketAddress;

/**
 * One captured UDP datagram.
 *
 * @param frame the number of the packet in the capture, from 1; of a datagram in IP fragments, that
 *     of the last one
 * @param time seconds since the first packet of the capture
 */
public record Datagram(
        long frame,
        double time,
        InetSocketAddress source,
        InetSocketAddress destination,
        Bytes payload) {
    /** The client's UDP port, given the way that this datagram goes. */
    public int client(Dissector.Direction direction) {
        return flow(direction).client().getPort();
    }

    /** Client and server, given the way that this datagram goes. */
    public Flow flow(Dissector.Direction direction) {
        return direction == Dissector.Direction.C2S
                ? new Flow(source, destination)
                : new Flow(destination, source);
    }
}

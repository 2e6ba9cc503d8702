package dev.wishdir.net;

import java.net.InetSocketAddress;

/** Sends the datagrams of a protocol's state machine; usually a {@link UdpSocket}. */
@FunctionalInterface
public interface DatagramSink {
    /**
     * Sends a datagram. The caller may reuse the array after the call.
     *
     * @param offset of the first byte in {@code data}
     * @param length of the datagram, bytes
     */
    void send(InetSocketAddress to, byte[] data, int offset, int length);
}

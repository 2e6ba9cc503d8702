package dev.wishdir.net.loop;

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

    /**
     * Checks that the caller runs on the thread that sends, as {@link DutyCycle#checkThread} does.
     *
     * @throws IllegalStateException on another thread
     */
    default void checkThread(String action) {}
}

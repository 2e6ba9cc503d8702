package dev.wishdir.net;

import java.net.InetSocketAddress;

/** A bound UDP socket. Used by the thread of its {@link DutyCycle} alone. */
public interface UdpSocket extends AutoCloseable {
    /** The address that it is bound to, with its real port. */
    InetSocketAddress local();

    /**
     * Sends a datagram; the bytes are copied. It leaves at the end of the turn of the cycle. A
     * datagram that the system refuses is lost, as the network may lose any.
     *
     * @throws IllegalArgumentException if there is nothing to send
     */
    void send(InetSocketAddress to, byte[] data, int offset, int length);

    @Override
    void close();
}

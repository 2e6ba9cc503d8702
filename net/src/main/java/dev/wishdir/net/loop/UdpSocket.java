package dev.wishdir.net.loop;

import java.net.InetSocketAddress;

/** A bound UDP socket, used only by the thread of its {@link DutyCycle}. */
public interface UdpSocket extends DatagramSink, AutoCloseable {
    /** The bound address, with the port that the system chose for port 0. */
    InetSocketAddress local();

    /**
     * Queues a datagram, which is sent at the end of the cycle's turn; the bytes are copied. A
     * datagram that the system refuses is lost, as the network may lose any.
     *
     * @throws IllegalArgumentException if {@code length} is 0
     */
    @Override
    void send(InetSocketAddress to, byte[] data, int offset, int length);

    @Override
    void close();
}

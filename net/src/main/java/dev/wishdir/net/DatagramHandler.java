package dev.wishdir.net;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Optional;

/** What stands behind a UDP socket. Called by the one thread of its {@link DutyCycle}. */
public interface DatagramHandler extends Duty {
    /** Makes a handler for the socket that it will stand behind. */
    @FunctionalInterface
    interface Maker<H extends DatagramHandler> {
        /**
         * @param socket open, and used for nothing else
         * @throws IOException if there can be none; the socket is closed then
         */
        H make(UdpSocket socket) throws IOException;
    }

    /**
     * A datagram came in. Whatever its bytes, this throws nothing.
     *
     * @param now the cycle's clock, nanoseconds
     * @param data the payload; the array is the handler's to keep
     */
    void receive(long now, InetSocketAddress from, byte[] data);

    /**
     * The session whose share of the loop's time pays for a datagram, empty where there is none:
     * then its network pays. Changes nothing, and costs little.
     */
    default Optional<MemoryConsumer> payer(InetSocketAddress from, byte[] data) {
        return Optional.empty();
    }
}

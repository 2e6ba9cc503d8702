package dev.wishdir.net.loop;

import dev.wishdir.net.limit.MemoryConsumer;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Optional;

/** Handles the datagrams of one UDP socket. Called only by the thread of its {@link DutyCycle}. */
public interface DatagramHandler extends Duty {
    /** Creates the handler of a socket. */
    @FunctionalInterface
    interface Factory<H extends DatagramHandler> {
        /**
         * @param socket open, and used by this handler only
         * @throws IOException if the handler cannot be created; the socket is then closed
         */
        H create(UdpSocket socket) throws IOException;
    }

    /**
     * Handles a received datagram. Must not throw, whatever its bytes.
     *
     * @param now the cycle's clock, nanoseconds
     * @param data the payload; the handler may keep the array
     */
    void receive(long now, InetSocketAddress from, byte[] data);

    /**
     * The session to whose share of the loop's time a datagram is charged ({@link LoopMeter});
     * empty to charge the sender's network. Must be cheap and without side effects.
     */
    default Optional<MemoryConsumer> payer(InetSocketAddress from, byte[] data) {
        return Optional.empty();
    }
}

package dev.wishdir.net;

import java.net.InetSocketAddress;

/** What stands behind a UDP socket. Called by the one thread of its {@link DutyCycle}. */
public interface DatagramHandler extends Duty {
    /**
     * A datagram came in. Whatever its bytes, this throws nothing.
     *
     * @param now the cycle's clock, nanoseconds
     * @param data the payload; the array is the handler's to keep
     */
    void receive(long now, InetSocketAddress from, byte[] data);
}

package dev.wishdir.nethernet;

import java.net.InetSocketAddress;

/** Where the state machines put their datagrams. */
@FunctionalInterface
public interface NetherNetOutput {
    /** Sends a datagram; the array is used again after the call. */
    void send(InetSocketAddress to, byte[] data, int offset, int length);
}

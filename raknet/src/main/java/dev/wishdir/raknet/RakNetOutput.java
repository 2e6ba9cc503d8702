package dev.wishdir.raknet;

import java.net.InetSocketAddress;

/** Where RakNet's state machines put their datagrams. */
@FunctionalInterface
public interface RakNetOutput {
    /** Sends a datagram; the array is used again after the call. */
    void send(InetSocketAddress to, byte[] data, int offset, int length);
}

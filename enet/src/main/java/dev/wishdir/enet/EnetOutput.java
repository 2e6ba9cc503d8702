package dev.wishdir.enet;

import java.net.InetSocketAddress;

/** Where a host's datagrams go: {@code UdpSocket::send}. */
@FunctionalInterface
public interface EnetOutput {
    /** Sends a datagram; the bytes are the host's again when this returns. */
    void send(InetSocketAddress to, byte[] data, int offset, int length);
}

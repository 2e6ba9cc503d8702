package dev.wishdir.game.proxy;

import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.dissect.Datagram;
import dev.wishdir.wire.dissect.Direction;

import java.net.InetSocketAddress;

/**
 * A datagram that a proxy passed on, as the client sent or received it.
 *
 * @param nanos time on the proxy's clock
 * @param client the client's address
 * @param session the client's first address, which it keeps if its port changes
 * @param server the server's address, not that of the proxy
 */
public record ProxiedDatagram(
        long nanos,
        InetSocketAddress client,
        InetSocketAddress session,
        InetSocketAddress server,
        Direction direction,
        Bytes data) {
    public InetSocketAddress source() {
        return direction == Direction.C2S ? client : server;
    }

    public InetSocketAddress destination() {
        return direction == Direction.C2S ? server : client;
    }

    /**
     * The datagram for a dissector, which knows the client by one address.
     *
     * @param frame its number, from 1
     * @param start when the proxy started, on its clock
     */
    public Datagram captured(long frame, long start) {
        boolean up = direction == Direction.C2S;
        return new Datagram(
                frame, (nanos - start) / 1e9, up ? session : server, up ? server : session, data);
    }
}

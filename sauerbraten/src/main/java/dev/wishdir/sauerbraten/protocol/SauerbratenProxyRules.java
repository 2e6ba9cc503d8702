package dev.wishdir.sauerbraten.protocol;

import dev.wishdir.enet.EnetCommand;
import dev.wishdir.enet.EnetDatagram;
import dev.wishdir.game.ProxyRules;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;

import java.util.List;

/**
 * Sauerbraten through a proxy: the game's port and the info port after it. Neither names an
 * address. ENet's server sends other commands than those of the handshake only to a client that has
 * acknowledged it, so they prove the client's address.
 */
public final class SauerbratenProxyRules implements ProxyRules {
    private static final List<Integer> PORT_OFFSETS = List.of(0, 1);

    @Override
    public List<Integer> portOffsets() {
        return PORT_OFFSETS;
    }

    @Override
    public boolean isProof(int portOffset, byte[] fromServer) {
        if (portOffset != 0) {
            // An answer repeats the bytes of its request, which may look like anything.
            return false;
        }
        try {
            EnetDatagram datagram = EnetDatagram.wire(new Reader(fromServer), EnetDatagram.BLANK);
            return datagram.commands().stream().anyMatch(SauerbratenProxyRules::isOfConnection);
        } catch (MalformedPacketException e) {
            return false;
        }
    }

    private static boolean isOfConnection(EnetCommand command) {
        return !(command instanceof EnetCommand.Connect
                || command instanceof EnetCommand.VerifyConnect
                || command instanceof EnetCommand.Disconnect);
    }
}

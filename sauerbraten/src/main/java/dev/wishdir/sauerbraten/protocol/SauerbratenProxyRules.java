package dev.wishdir.sauerbraten.protocol;

import dev.wishdir.enet.EnetCommand;
import dev.wishdir.enet.EnetDatagram;
import dev.wishdir.enet.EnetHeader;
import dev.wishdir.game.proxy.ProxyRules;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Writer;

import java.util.List;
import java.util.Optional;

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

    /**
     * A connection that ends with the number of a full server, in one datagram: the game has no
     * text for a connection that did not begin.
     */
    @Override
    public Optional<byte[]> refusal(byte[] fromClient, String reason) {
        try {
            EnetDatagram datagram = EnetDatagram.wire(new Reader(fromClient), EnetDatagram.BLANK);
            if (datagram.header().peerID() != EnetHeader.NO_PEER) {
                return Optional.empty();
            }
            return datagram.commands().stream()
                    .filter(EnetCommand.Connect.class::isInstance)
                    .map(EnetCommand.Connect.class::cast)
                    .findFirst()
                    .map(SauerbratenProxyRules::refusal);
        } catch (MalformedPacketException e) {
            return Optional.empty();
        }
    }

    private static byte[] refusal(EnetCommand.Connect request) {
        EnetCommand.Terms asked = request.terms();
        EnetCommand.Terms granted =
                new EnetCommand.Terms(
                        0,
                        0,
                        0,
                        asked.mtu(),
                        asked.window(),
                        asked.channels(),
                        0,
                        0,
                        asked.thrInterval(),
                        asked.thrAccel(),
                        asked.thrDecel(),
                        asked.connectID());
        Writer w = new Writer(SauerbratenTransport.MTU_BYTES);
        EnetDatagram.wire(
                w,
                new EnetDatagram(
                        new EnetHeader(asked.outgoingPeerID(), 0, false, 0),
                        List.of(
                                new EnetCommand.VerifyConnect(
                                        EnetCommand.ACKNOWLEDGE,
                                        EnetCommand.NO_CHANNEL,
                                        1,
                                        granted),
                                new EnetCommand.Disconnect(
                                        EnetCommand.UNSEQUENCED,
                                        EnetCommand.NO_CHANNEL,
                                        2,
                                        DisconnectReason.FULL.code()))));
        return w.toBytes().toArray();
    }
}

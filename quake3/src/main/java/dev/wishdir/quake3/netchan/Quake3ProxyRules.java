package dev.wishdir.quake3.netchan;

import dev.wishdir.game.proxy.ProxyRules;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;

import java.util.Optional;

/**
 * Quake III through a proxy. Packets of a netchan come only after a connect with the server's
 * challenge, so they prove the client's address. No out-of-band packet of a game server names an
 * address.
 */
public final class Quake3ProxyRules implements ProxyRules {
    @Override
    public boolean isProof(int portOffset, byte[] fromServer) {
        return !OutOfBand.is(Bytes.wrap(fromServer));
    }

    @Override
    public Optional<ClientPacket> clientPacket(byte[] fromClient) {
        if (OutOfBand.is(Bytes.wrap(fromClient))) {
            return Optional.empty();
        }
        try {
            // The checksum of modern packets follows both fields.
            NetchanHeader header =
                    NetchanHeader.wire(
                            new Reader(fromClient), NetchanHeader.BLANK, Side.CLIENT, false);
            return Optional.of(new ClientPacket(header.qport(), header.sequence()));
        } catch (MalformedPacketException e) {
            return Optional.empty();
        }
    }

    @Override
    public Optional<byte[]> refusal(byte[] fromClient, String reason) {
        Bytes datagram = Bytes.wrap(fromClient);
        try {
            boolean asks =
                    OutOfBand.is(datagram)
                            && OutOfBand.read(datagram).text().startsWith("getchallenge");
            return asks
                    ? Optional.of(new OutOfBand("print\n" + reason + "\n").datagram().toArray())
                    : Optional.empty();
        } catch (MalformedPacketException e) {
            return Optional.empty();
        }
    }
}

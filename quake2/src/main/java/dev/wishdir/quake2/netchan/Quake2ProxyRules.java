package dev.wishdir.quake2.netchan;

import dev.wishdir.game.proxy.ProxyRules;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;

import java.util.Optional;

/**
 * Quake II through a proxy. Packets of a netchan come only after a connect with the server's
 * challenge, so they prove the client's address. No out-of-band packet names an address.
 */
public final class Quake2ProxyRules implements ProxyRules {
    @Override
    public boolean isProof(int portOffset, byte[] fromServer) {
        return !OutOfBand.is(fromServer);
    }

    @Override
    public Optional<ClientPacket> clientPacket(byte[] fromClient) {
        if (OutOfBand.is(fromClient)) {
            return Optional.empty();
        }
        try {
            NetchanHeader header =
                    NetchanHeader.wire(new Reader(fromClient), NetchanHeader.FROM_CLIENT);
            return Optional.of(new ClientPacket(header.qport(), header.sequence()));
        } catch (MalformedPacketException e) {
            return Optional.empty();
        }
    }

    @Override
    public Optional<byte[]> refusal(byte[] fromClient, String reason) {
        return OutOfBand.of(fromClient)
                .filter(question -> question.name().equals("getchallenge"))
                .map(_ -> new OutOfBand("print\n" + reason + "\n").packet());
    }
}

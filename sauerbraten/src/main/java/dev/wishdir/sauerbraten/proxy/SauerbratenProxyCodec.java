package dev.wishdir.sauerbraten.proxy;

import dev.wishdir.game.Interceptor;
import dev.wishdir.game.MessageFields;
import dev.wishdir.game.ProxyCodec;
import dev.wishdir.game.ProxySession;
import dev.wishdir.net.AddressLimits;
import dev.wishdir.sauerbraten.message.SauerbratenMessage;

import java.security.SecureRandom;
import java.util.function.Supplier;

/**
 * Changes the messages of Cube 2: Sauerbraten in a proxy. The ENet connection of a client ends at
 * the proxy, which has one of its own to the server; packets that the interceptor leaves as they
 * are, or that can't be decoded, are passed on byte for byte.
 *
 * <p>An interceptor gets the messages inside {@code N_CLIENT} one by one as {@link
 * dev.wishdir.sauerbraten.message.RelayMessage.Relayed}. What it returns is sent in the packet of
 * the message, or, if the game has another channel for it, in a packet of that channel.
 */
public final class SauerbratenProxyCodec implements ProxyCodec<SauerbratenMessage> {
    @Override
    public ProxySession.Factory sessions(
            Supplier<? extends Interceptor<SauerbratenMessage>> interceptors) {
        SecureRandom random = new SecureRandom();
        AddressLimits limits = AddressLimits.standard(random.nextLong());
        return out -> new SauerbratenProxySession(interceptors.get(), out, limits, random);
    }

    @Override
    public MessageFields<SauerbratenMessage> fields() {
        return new SauerbratenFields();
    }
}

package dev.wishdir.quake2.proxy;

import dev.wishdir.game.proxy.Interceptor;
import dev.wishdir.game.proxy.MessageFields;
import dev.wishdir.game.proxy.ProxyCodec;
import dev.wishdir.game.proxy.ProxySession;
import dev.wishdir.quake2.message.Quake2Message;

import java.util.function.Supplier;

/**
 * Changes the messages of Quake II in a proxy. Sequence numbers of both netchans stay: a packet for
 * each packet. Checksums of moves are computed again, and frames delta coded against what the
 * client was sent.
 *
 * <p>An interceptor gets each reliable message once, frames as {@link
 * dev.wishdir.quake2.message.FullFrame}, and the moves of each packet, of which a client repeats
 * commands. What it returns in place of a reliable message is sent reliably; at an unreliable one,
 * messages that the game sends reliably are sent in a reliable block of the proxy's own. Packets
 * out of band are not intercepted.
 */
public final class Quake2ProxyCodec implements ProxyCodec<Quake2Message> {
    @Override
    public ProxySession.Factory sessions(
            Supplier<? extends Interceptor<Quake2Message>> interceptors) {
        return out -> new Quake2ProxySession(interceptors.get(), out);
    }

    @Override
    public MessageFields<Quake2Message> fields() {
        return new Quake2Fields();
    }
}

package dev.wishdir.quake3.proxy;

import dev.wishdir.game.proxy.Interceptor;
import dev.wishdir.game.proxy.MessageFields;
import dev.wishdir.game.proxy.ProxyCodec;
import dev.wishdir.game.proxy.ProxySession;
import dev.wishdir.quake3.message.Quake3Message;
import dev.wishdir.quake3.protocol.EntityDeltaCache;

import java.util.function.Supplier;

/**
 * Changes the messages of Quake III, ioquake3 and OpenArena in a proxy. Sequence numbers of both
 * netchans stay: a datagram for each datagram. Commands get other numbers, keys, scrambling and
 * checksums are computed again, and snapshots delta coded against what the client was sent.
 *
 * <p>An interceptor gets each reliable command once, snapshots as {@link
 * dev.wishdir.quake3.message.FullSnapshot}, and the moves of each datagram, of which a client
 * repeats usercmds. It ignores the number of a command, and may return one at any message. Packets
 * out of band are not intercepted.
 */
public final class Quake3ProxyCodec implements ProxyCodec<Quake3Message> {
    @Override
    public ProxySession.Factory sessions(Supplier<? extends Interceptor<Quake3Message>> all) {
        EntityDeltaCache deltaCache = new EntityDeltaCache();
        return out -> new Quake3ProxySession(all.get(), out, deltaCache);
    }

    @Override
    public MessageFields<Quake3Message> fields() {
        return new Quake3Fields();
    }
}

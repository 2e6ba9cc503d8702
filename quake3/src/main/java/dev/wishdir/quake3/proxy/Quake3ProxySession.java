package dev.wishdir.quake3.proxy;

import dev.wishdir.game.proxy.GuardedInterceptor;
import dev.wishdir.game.proxy.Interceptor;
import dev.wishdir.game.proxy.ProxySession;
import dev.wishdir.quake3.message.Quake3Message;
import dev.wishdir.quake3.netchan.InfoString;
import dev.wishdir.quake3.netchan.OutOfBand;
import dev.wishdir.quake3.protocol.EntityDeltaCache;
import dev.wishdir.quake3.protocol.Protocol;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.dissect.Direction;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * One client through a proxy. It follows the connect out of band, which it passes on, and has a
 * {@link ProxiedConnection} from the server's {@code connectResponse} on. A connection that began
 * before the proxy is passed on unchanged.
 */
final class Quake3ProxySession implements ProxySession {
    private final GuardedInterceptor<Quake3Message> interceptor;
    private final Output out;
    private final EntityDeltaCache deltaCache;
    private @Nullable ProxiedConnection connection;
    private @Nullable InfoString connect;

    /** Whether the client has begun to connect since its last packet in band. */
    private boolean connects;

    Quake3ProxySession(
            Interceptor<Quake3Message> interceptor, Output out, EntityDeltaCache deltaCache) {
        this.interceptor = new GuardedInterceptor<>(interceptor, out::report);
        this.out = out;
        this.deltaCache = deltaCache;
    }

    @Override
    public void receive(long now, Direction direction, byte[] datagram) {
        Bytes bytes = Bytes.wrap(datagram);
        if (OutOfBand.is(bytes)) {
            try {
                onOutOfBand(direction, OutOfBand.read(bytes).words());
            } catch (MalformedPacketException e) {
                // Passed on: the server decides.
            }
            out.send(direction, datagram);
            return;
        }
        connects &= direction == Direction.S2C;
        ProxiedConnection current = connection;
        if (current == null) {
            out.send(direction, datagram);
        } else {
            current.receive(direction, datagram);
        }
    }

    private void onOutOfBand(Direction direction, List<String> words) {
        String word = words.getFirst();
        if (direction == Direction.C2S) {
            connects |= word.equals("getchallenge");
            if (word.equals("connect") && words.size() > 1) {
                connect = InfoString.parse(words.get(1));
            }
            return;
        }
        InfoString userinfo = connect;
        if (!word.equals("connectresponse") || userinfo == null) {
            return;
        }
        connect = null;
        int challenge = userinfo.number("challenge", 0);
        ProxiedConnection before = connection;
        // A repeated answer must not restart the numbers of a connection.
        if (before == null || before.challenge() != challenge || connects) {
            connects = false;
            Protocol protocol =
                    userinfo.number("protocol", 0) == Protocol.QUAKE3_68.number()
                            ? Protocol.QUAKE3_68
                            : null;
            connection = new ProxiedConnection(challenge, protocol, interceptor, out, deltaCache);
        }
    }
}

package dev.wishdir.quake2.proxy;

import dev.wishdir.game.proxy.GuardedInterceptor;
import dev.wishdir.game.proxy.Interceptor;
import dev.wishdir.game.proxy.ProxySession;
import dev.wishdir.quake2.message.Quake2Message;
import dev.wishdir.quake2.netchan.OutOfBand;
import dev.wishdir.quake2.protocol.Quake2Codec;
import dev.wishdir.wire.dissect.Direction;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Optional;

/**
 * One client through a proxy. It follows the connect out of band, which it passes on, and has a
 * {@link ProxiedConnection} from the server's {@code client_connect} on. A connection that began
 * before the proxy, or has another protocol, is passed on unchanged.
 */
final class Quake2ProxySession implements ProxySession {
    private final GuardedInterceptor<Quake2Message> interceptor;
    private final Output out;
    private @Nullable ProxiedConnection connection;

    /** Whether the client has asked to connect since its last packet in band. */
    private boolean connects;

    private boolean isSupported;

    Quake2ProxySession(Interceptor<Quake2Message> interceptor, Output out) {
        this.interceptor = new GuardedInterceptor<>(interceptor, out::report);
        this.out = out;
    }

    @Override
    public void receive(long now, Direction direction, byte[] datagram) {
        Optional<OutOfBand> outOfBand = OutOfBand.of(datagram);
        if (outOfBand.isPresent()) {
            onOutOfBand(direction, outOfBand.get().words());
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
        String word = words.isEmpty() ? "" : words.getFirst();
        if (direction == Direction.C2S && word.equals("connect") && words.size() > 1) {
            connects = true;
            isSupported = words.get(1).equals(Integer.toString(Quake2Codec.PROTOCOL));
        } else if (direction == Direction.S2C && word.equals("client_connect") && connects) {
            // A repeated answer must not restart the numbers of a connection.
            connects = false;
            connection = isSupported ? new ProxiedConnection(interceptor, out) : null;
        }
    }
}

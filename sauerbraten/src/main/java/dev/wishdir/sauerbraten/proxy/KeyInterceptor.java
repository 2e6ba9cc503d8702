package dev.wishdir.sauerbraten.proxy;

import dev.wishdir.game.proxy.Interceptor;
import dev.wishdir.sauerbraten.message.AuthMessage;
import dev.wishdir.sauerbraten.message.SauerbratenMessage;
import dev.wishdir.sauerbraten.message.SessionMessage;
import dev.wishdir.sauerbraten.protocol.KeyResponder;
import dev.wishdir.wire.dissect.Direction;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Proves the proxy's keys to the server in place of a client, until the client names a key of its
 * own.
 */
final class KeyInterceptor implements Interceptor<SauerbratenMessage> {
    private final Interceptor<SauerbratenMessage> next;
    private final KeyResponder keys;
    private final LongSupplier clock;
    private final Consumer<SauerbratenMessage> toServer;
    private boolean hasOwnKey;

    /**
     * @param next gets all other messages
     * @param toServer sends a message to the server
     */
    KeyInterceptor(
            Interceptor<SauerbratenMessage> next,
            KeyResponder keys,
            LongSupplier clock,
            Consumer<SauerbratenMessage> toServer) {
        this.next = next;
        this.keys = keys;
        this.clock = clock;
        this.toServer = toServer;
    }

    @Override
    public List<SauerbratenMessage> onMessage(Direction direction, SauerbratenMessage message) {
        if (direction == Direction.S2C) {
            if (!hasOwnKey) {
                keys.answer(clock.getAsLong(), message).ifPresent(toServer);
                if (keys.concerns(message)) {
                    return List.of();
                }
            }
            return next.onMessage(direction, message);
        }
        hasOwnKey |=
                message instanceof AuthMessage
                        || message instanceof SessionMessage.Connect own
                                && !own.authdesc().isEmpty();
        return next.onMessage(
                direction,
                message instanceof SessionMessage.Connect connect && !hasOwnKey
                        ? keys.connect(connect)
                        : message);
    }
}

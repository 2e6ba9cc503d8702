package dev.wishdir.game.proxy;

import java.util.function.Supplier;

/**
 * Changes a game's messages in a proxy: decodes the datagrams of each session, lets an interceptor
 * decide, and encodes what it changed.
 *
 * @param <M> the game's messages, of both directions
 */
public interface ProxyCodec<M> {
    /**
     * Sessions whose messages are intercepted. Those of one factory must be used by one thread.
     *
     * @param interceptors an interceptor for each session
     */
    ProxySession.Factory sessions(Supplier<? extends Interceptor<M>> interceptors);

    /** The fields of the messages by name. */
    MessageFields<M> fields();
}

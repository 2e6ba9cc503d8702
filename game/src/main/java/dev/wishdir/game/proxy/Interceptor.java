package dev.wishdir.game.proxy;

import dev.wishdir.wire.dissect.Direction;

import java.util.List;

/**
 * Changes the messages of one client's session that passes through a proxy. It must not block: it
 * runs on the proxy's thread, which passes on all sessions.
 *
 * @param <M> the game's messages, of both directions
 */
@FunctionalInterface
public interface Interceptor<M> {
    /**
     * Decides what is passed on in place of a message. The list is sent in its order, in the
     * message's own direction: the message itself to pass it, another to replace it, none to drop
     * it, further ones to inject them. If it throws, the message is passed on and the first failure
     * of the session reported.
     */
    List<M> onMessage(Direction direction, M message);
}

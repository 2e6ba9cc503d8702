package dev.wishdir.game.proxy;

import dev.wishdir.net.loop.DutyCycle;

import java.io.IOException;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A kind of proxy for one game, with its settings.
 *
 * @param <M> the game's messages, of both directions
 */
public interface ProxyKind<M> {
    /** The fields of the messages that it can change; empty if it changes none. */
    Optional<MessageFields<M>> fields();

    /**
     * A sentence for the operator about what such a proxy can't do, or does besides.
     *
     * @param needsContent whether messages are shown or recorded
     */
    default Optional<String> note(boolean needsContent) {
        return Optional.empty();
    }

    /**
     * Opens a proxy.
     *
     * @param clients has the sockets for the clients
     * @param servers has those towards the server, on the same thread; it may emulate bad links
     * @param interceptors an interceptor for each client; empty to change nothing
     * @param isObserved whether the listener uses datagrams
     * @throws IOException if a port can't be bound
     */
    Proxy open(
            DutyCycle clients,
            DutyCycle servers,
            ProxyConfig config,
            Optional<Supplier<? extends Interceptor<M>>> interceptors,
            ProxyListener listener,
            boolean isObserved)
            throws IOException;

    /** A proxy that passes on datagrams, and decodes them only for an interceptor. */
    static <M> ProxyKind<M> ofDatagrams(ProxyCodec<M> codec) {
        return new DatagramProxyKind<>(Optional.of(codec), false);
    }

    /** A proxy that passes on datagrams and changes none. */
    static ProxyKind<?> ofDatagrams() {
        return new DatagramProxyKind<>(Optional.empty(), false);
    }

    /** A proxy in which every session ends, with or without an interceptor. */
    static <M> ProxyKind<M> ofSessions(ProxyCodec<M> codec) {
        return new DatagramProxyKind<>(Optional.of(codec), true);
    }
}

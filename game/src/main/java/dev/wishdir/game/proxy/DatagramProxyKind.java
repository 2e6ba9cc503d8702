package dev.wishdir.game.proxy;

import dev.wishdir.net.loop.DutyCycle;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A {@link DatagramProxy} and how it changes messages.
 *
 * @param <M> the game's messages, of both directions
 * @param codec empty if it can't change them
 * @param isDecoding whether it decodes without an interceptor, too
 */
record DatagramProxyKind<M>(Optional<ProxyCodec<M>> codec, boolean isDecoding)
        implements ProxyKind<M> {
    @Override
    public Optional<MessageFields<M>> fields() {
        return codec.map(ProxyCodec::fields);
    }

    @Override
    public Proxy open(
            DutyCycle clients,
            DutyCycle servers,
            ProxyConfig config,
            Optional<Supplier<? extends Interceptor<M>>> interceptors,
            ProxyListener listener,
            boolean isObserved)
            throws IOException {
        return DatagramProxy.open(
                clients, servers, config.withSessions(sessions(interceptors)), listener);
    }

    private ProxySession.Factory sessions(
            Optional<Supplier<? extends Interceptor<M>>> interceptors) {
        if (codec.isEmpty() || interceptors.isEmpty() && !isDecoding) {
            return ProxySession.Factory.UNCHANGED;
        }
        Interceptor<M> unchanged = (_, message) -> List.of(message);
        return codec.get()
                .sessions(interceptors.isPresent() ? interceptors.get() : () -> unchanged);
    }
}

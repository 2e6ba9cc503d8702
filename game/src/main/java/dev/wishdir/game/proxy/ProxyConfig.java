package dev.wishdir.game.proxy;

import dev.wishdir.game.Game;
import dev.wishdir.game.Interceptor;
import dev.wishdir.game.ProxyCodec;
import dev.wishdir.game.ProxyRules;
import dev.wishdir.game.ProxySession;
import dev.wishdir.net.AddressLimits;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The configuration of a proxy.
 *
 * @param listen the address for clients
 * @param server the one server, whose datagrams are passed on
 * @param maxClients maximum number of clients that have proved their address
 * @param limits by client address
 * @param from source address towards the server for the next client; empty for any
 * @param sessions what changes the messages of clients on the game's port
 */
public record ProxyConfig(
        ProxyRules rules,
        InetSocketAddress listen,
        InetSocketAddress server,
        int maxClients,
        AddressLimits limits,
        Supplier<Optional<InetAddress>> from,
        ProxySession.Factory sessions) {
    /** Default of {@link #maxClients}. */
    public static final int DEFAULT_MAX_CLIENTS = 128;

    /** The configuration of a proxy that changes nothing. */
    public ProxyConfig(
            ProxyRules rules,
            InetSocketAddress listen,
            InetSocketAddress server,
            int maxClients,
            AddressLimits limits,
            Supplier<Optional<InetAddress>> from) {
        this(rules, listen, server, maxClients, limits, from, ProxySession.Factory.UNCHANGED);
    }

    /**
     * A proxy for clients of this machine, with default limits.
     *
     * @param game whose messages it changes
     * @param interceptors an interceptor for each client
     */
    public static <M> ProxyConfig local(
            Game game,
            ProxyCodec<M> codec,
            InetSocketAddress listen,
            InetSocketAddress server,
            Supplier<? extends Interceptor<M>> interceptors) {
        long seed = new SecureRandom().nextLong();
        return new ProxyConfig(
                game.proxyRules(),
                listen,
                server,
                DEFAULT_MAX_CLIENTS,
                AddressLimits.standard(seed),
                Optional::empty,
                codec.sessions(interceptors));
    }
}

package dev.wishdir.game.proxy;

import dev.wishdir.net.Requirements;
import dev.wishdir.net.limit.AddressLimits;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.Objects;
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
    /**
     * @throws IllegalArgumentException if an address is not resolved, the server has no port, or
     *     the number of clients is negative
     */
    public ProxyConfig {
        Objects.requireNonNull(rules, "rules");
        Requirements.resolved("listen", listen);
        Requirements.destination("server", server);
        Requirements.notNegative("maxClients", maxClients);
        Objects.requireNonNull(limits, "limits");
        Objects.requireNonNull(from, "from");
        Objects.requireNonNull(sessions, "sessions");
    }

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

    /** The same with other sessions. */
    ProxyConfig withSessions(ProxySession.Factory sessions) {
        return new ProxyConfig(rules, listen, server, maxClients, limits, from, sessions);
    }

    /**
     * A proxy for clients of this machine, with default limits.
     *
     * @param rules of the game whose messages it changes
     * @param interceptors an interceptor for each client
     */
    public static <M> ProxyConfig local(
            ProxyRules rules,
            ProxyCodec<M> codec,
            InetSocketAddress listen,
            InetSocketAddress server,
            Supplier<? extends Interceptor<M>> interceptors) {
        long seed = new SecureRandom().nextLong();
        return new ProxyConfig(
                rules,
                listen,
                server,
                DEFAULT_MAX_CLIENTS,
                AddressLimits.standard(seed),
                Optional::empty,
                codec.sessions(interceptors));
    }
}

package dev.wishdir.app.proxy;

import dev.wishdir.game.ProxyRules;
import dev.wishdir.net.AddressLimits;

import java.net.InetAddress;
import java.net.InetSocketAddress;
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
 */
public record ProxyConfig(
        ProxyRules rules,
        InetSocketAddress listen,
        InetSocketAddress server,
        int maxClients,
        AddressLimits limits,
        Supplier<Optional<InetAddress>> from) {
    /** Default of {@link #maxClients}. */
    public static final int DEFAULT_MAX_CLIENTS = 128;
}

package dev.wishdir.bedrock.proxy;

import dev.wishdir.bedrock.message.BedrockMessage;
import dev.wishdir.bedrock.protocol.Compression.Algorithm;
import dev.wishdir.bedrock.protocol.login.LoginAccount;
import dev.wishdir.game.proxy.Interceptor;
import dev.wishdir.net.limit.AddressLimits;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * The configuration of a {@link BedrockProxy}.
 *
 * @param listen the address for clients: a UDP port, and the TCP port of the same number
 * @param server the one server
 * @param transport to the server; clients use either
 * @param maxClients maximum number of connected clients
 * @param limits by client address
 * @param from source address towards the server for the next client; empty for any
 * @param interceptors an interceptor for each client's session; empty to pass all messages by their
 *     bytes
 * @param account as which all clients log in to the server, which must use RakNet; empty to sign
 *     each client's login with the proxy's key
 * @param compression towards clients; empty for that of the server
 * @param random of keys, salts and cookies; cryptographically secure except in tests
 * @param clock by which logins are valid
 */
public record BedrockProxyConfig(
        InetSocketAddress listen,
        InetSocketAddress server,
        ServerTransport transport,
        int maxClients,
        AddressLimits limits,
        Supplier<Optional<InetAddress>> from,
        Optional<Supplier<? extends Interceptor<BedrockMessage>>> interceptors,
        Optional<LoginAccount> account,
        Optional<Algorithm> compression,
        RandomGenerator random,
        InstantSource clock) {
    /** The transport to the server. */
    public enum ServerTransport {
        RAKNET,
        NETHERNET
    }

    /** The time, seconds since 1970. */
    long seconds() {
        return clock.instant().getEpochSecond();
    }
}

package dev.wishdir.bedrock.proxy;

import dev.wishdir.bedrock.message.BedrockMessage;
import dev.wishdir.bedrock.protocol.login.LoginAccount;
import dev.wishdir.bedrock.protocol.login.LoginRejectedException;
import dev.wishdir.bedrock.proxy.BedrockProxyConfig.ServerTransport;
import dev.wishdir.game.Game;
import dev.wishdir.game.proxy.Interceptor;
import dev.wishdir.game.proxy.MessageFields;
import dev.wishdir.game.proxy.ProxiedDatagram;
import dev.wishdir.game.proxy.Proxy;
import dev.wishdir.game.proxy.ProxyConfig;
import dev.wishdir.game.proxy.ProxyKind;
import dev.wishdir.game.proxy.ProxyListener;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.TextFile;
import dev.wishdir.wire.dissect.Direction;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** The proxy that terminates both sides, or passes encrypted datagrams on, by its options. */
public final class BedrockProxyKind implements ProxyKind<BedrockMessage> {
    /** The settings. */
    public static final List<Game.Option> OPTIONS =
            List.of(
                    new Game.Option(
                            "transport",
                            "raknet|nethernet",
                            "Transport to the server (default raknet). Clients use either."),
                    new Game.Option(
                            "account",
                            "FILE",
                            "Log in to a server that wants accounts with the tokens and the private"
                                + " key of this file, for all clients. JSON: {\"chain\": [TOKEN,"
                                + " ...], \"token\": TOKEN, \"key\": KEY}; another program must"
                                + " have obtained them.",
                            Game.Option.FileAccess.READ),
                    new Game.Option(
                            "transparent",
                            "",
                            "Pass datagrams on unchanged, as those of the other games: encrypted"
                                    + " between client and server, so that logins with accounts"
                                    + " work."));

    private static final int MAX_ACCOUNT_BYTES = 64 << 10;

    private final ServerTransport transport;
    private final Optional<LoginAccount> account;
    private final String accountFile;

    private BedrockProxyKind(
            ServerTransport transport, Optional<LoginAccount> account, String accountFile) {
        this.transport = transport;
        this.account = account;
        this.accountFile = accountFile;
    }

    /**
     * Reads the options.
     *
     * @throws IllegalArgumentException for a wrong value; the message begins with "option" and its
     *     name
     * @throws IOException if the account's file can't be read
     */
    public static ProxyKind<?> of(Map<String, String> options) throws IOException {
        String transport = options.getOrDefault("transport", "");
        String file = options.getOrDefault("account", "");
        if (options.containsKey("transparent")) {
            if (!transport.isEmpty() || !file.isEmpty()) {
                throw new IllegalArgumentException(
                        "option "
                                + (transport.isEmpty() ? "account" : "transport")
                                + " is only possible without transparent");
            }
            return new Transparent<>(ProxyKind.ofDatagrams());
        }
        ServerTransport server =
                switch (transport) {
                    case "", "raknet" -> ServerTransport.RAKNET;
                    case "nethernet" -> ServerTransport.NETHERNET;
                    default ->
                            throw new IllegalArgumentException(
                                    "option transport must be raknet or nethernet, is '"
                                            + transport
                                            + "'");
                };
        if (!file.isEmpty() && server != ServerTransport.RAKNET) {
            throw new IllegalArgumentException("option account is only possible over raknet");
        }
        return new BedrockProxyKind(
                server, file.isEmpty() ? Optional.empty() : Optional.of(account(file)), file);
    }

    private static LoginAccount account(String file) throws IOException {
        try {
            return LoginAccount.parse(
                    TextFile.read(Path.of(file), MAX_ACCOUNT_BYTES), new SecureRandom());
        } catch (LoginRejectedException e) {
            throw new IOException("account " + file + ": " + e.reason(), e);
        }
    }

    @Override
    public Optional<MessageFields<BedrockMessage>> fields() {
        return Optional.of(new BedrockFields());
    }

    @Override
    public Optional<String> note(boolean needsContent) {
        return Optional.of(
                account.isPresent()
                        ? "all clients log in to the server with the account of " + accountFile
                        : "the proxy signs logins again, without the players' Xbox accounts: a"
                                + " server in online mode refuses them");
    }

    @Override
    public Proxy open(
            DutyCycle clients,
            DutyCycle servers,
            ProxyConfig config,
            Optional<Supplier<? extends Interceptor<BedrockMessage>>> interceptors,
            ProxyListener listener,
            boolean isObserved)
            throws IOException {
        return BedrockProxy.open(
                clients,
                servers,
                new BedrockProxyConfig(
                        config.listen(),
                        config.server(),
                        transport,
                        config.maxClients(),
                        config.limits(),
                        config.from(),
                        interceptors,
                        account,
                        Optional.empty(),
                        new SecureRandom(),
                        InstantSource.system()),
                new Adapter(config.server(), listener, isObserved));
    }

    /** Passes the proxy's events on to a listener. */
    private record Adapter(InetSocketAddress server, ProxyListener next, boolean isObserving)
            implements BedrockProxyListener {
        @Override
        public void onDatagram(
                long now, InetSocketAddress client, Direction direction, Bytes datagram) {
            next.onDatagram(new ProxiedDatagram(now, client, client, server, direction, datagram));
        }

        @Override
        public void onConnected(InetSocketAddress client, InetSocketAddress proxy) {
            next.onConnected(client, proxy);
        }

        @Override
        public void onProblem(InetSocketAddress client, String problem) {
            next.onProblem(client, problem);
        }

        @Override
        public void onClosed(InetSocketAddress client, String reason) {
            next.onClosed(client, reason);
        }
    }

    /** A proxy of encrypted datagrams. */
    private record Transparent<M>(ProxyKind<M> datagrams) implements ProxyKind<M> {
        @Override
        public Optional<MessageFields<M>> fields() {
            return Optional.empty();
        }

        @Override
        public Optional<String> note(boolean needsContent) {
            return needsContent
                    ? Optional.of(
                            "sessions are encrypted between client and server: messages after the"
                                    + " login are not shown or recorded with --transparent")
                    : Optional.empty();
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
            return datagrams.open(clients, servers, config, interceptors, listener, isObserved);
        }
    }
}

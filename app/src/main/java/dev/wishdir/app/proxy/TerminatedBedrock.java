package dev.wishdir.app.proxy;

import dev.wishdir.app.command.CommandFailedException;
import dev.wishdir.bedrock.message.BedrockMessage;
import dev.wishdir.bedrock.protocol.login.LoginAccount;
import dev.wishdir.bedrock.protocol.login.LoginRejectedException;
import dev.wishdir.bedrock.proxy.BedrockProxy;
import dev.wishdir.bedrock.proxy.BedrockProxyConfig;
import dev.wishdir.bedrock.proxy.BedrockProxyConfig.ServerTransport;
import dev.wishdir.bedrock.proxy.BedrockProxyListener;
import dev.wishdir.game.proxy.Interceptor;
import dev.wishdir.game.proxy.ProxiedDatagram;
import dev.wishdir.game.proxy.ProxyConfig;
import dev.wishdir.game.proxy.ProxyListener;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.ExceptionMessage;
import dev.wishdir.wire.TextFile;
import dev.wishdir.wire.dissect.Direction;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Optional;

/** Opens the proxy of Bedrock that terminates both sides, for the command. */
final class TerminatedBedrock {
    private static final int MAX_ACCOUNT_BYTES = 64 << 10;

    private TerminatedBedrock() {}

    /**
     * Settings of the sessions that pass.
     *
     * @param transport to the server
     * @param interceptor of all clients' sessions; empty to change nothing
     * @param account of all logins to the server; empty for none
     */
    record Options(
            ServerTransport transport,
            Optional<? extends Interceptor<BedrockMessage>> interceptor,
            Optional<LoginAccount> account) {}

    /**
     * Reads the operator's account.
     *
     * @throws CommandFailedException if the file can't be read or is not an account
     */
    static LoginAccount account(Path file) throws CommandFailedException {
        try {
            return LoginAccount.parse(TextFile.read(file, MAX_ACCOUNT_BYTES), new SecureRandom());
        } catch (IOException e) {
            throw new CommandFailedException(ExceptionMessage.of(e), e);
        } catch (LoginRejectedException e) {
            throw new CommandFailedException("--account " + file + ": " + e.reason(), e);
        }
    }

    /**
     * Opens a proxy.
     *
     * @param servers has the sockets towards the server
     * @param observes whether the listener uses datagrams
     * @throws IOException if a port can't be bound
     */
    static RunningProxy open(
            DutyCycle cycle,
            DutyCycle servers,
            ProxyConfig config,
            Options options,
            ProxyListener listener,
            boolean observes)
            throws IOException {
        return RunningProxy.of(
                BedrockProxy.open(
                        cycle,
                        servers,
                        new BedrockProxyConfig(
                                config.listen(),
                                config.server(),
                                options.transport(),
                                config.maxClients(),
                                config.limits(),
                                config.from(),
                                options.interceptor().map(each -> () -> each),
                                options.account(),
                                Optional.empty(),
                                new SecureRandom(),
                                InstantSource.system()),
                        new Adapter(config.server(), listener, observes)));
    }

    /** Passes the proxy's events on to a listener of the command. */
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
}

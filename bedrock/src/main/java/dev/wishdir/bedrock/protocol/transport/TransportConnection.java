package dev.wishdir.bedrock.protocol.transport;

import dev.wishdir.bedrock.protocol.login.LoginKeys;
import dev.wishdir.net.loop.DatagramHandler;
import dev.wishdir.net.loop.DatagramSink;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.nethernet.NetherNetClient;
import dev.wishdir.raknet.RakNetClient;
import dev.wishdir.raknet.RakNetSettings;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * The connection of a client to its server, from the first attempt to open it.
 *
 * @param handler opens and maintains it
 * @param close cancels the attempt, or closes the connection once all sent data has arrived
 * @param end closes it at once, with a single unacknowledged notice to the peer
 */
public record TransportConnection(DatagramHandler handler, LongConsumer close, LongConsumer end)
        implements DatagramHandler {
    /** Listener to the connection's events, and to a failure to open it. */
    public interface Listener extends Transport.Listener {
        /** The connection could not be opened. Nothing follows. */
        void onFailed(Transport.EndReason ending, String reason);
    }

    /**
     * Connects over RakNet.
     *
     * @param timeout how long it tries to connect
     * @param output the client's socket
     * @param random cryptographically secure except in tests
     */
    public static TransportConnection raknet(
            InetSocketAddress server,
            Duration timeout,
            DatagramSink output,
            Listener listener,
            RandomGenerator random) {
        RakNetClient client =
                new RakNetClient(
                        server,
                        RakNetTransport.configure(RakNetSettings.client()),
                        output,
                        RakNetTransport.adapt(listener),
                        random);
        client.connectTimeout(timeout);
        return new TransportConnection(
                client,
                client::close,
                now -> {
                    client.close(now);
                    client.advance(now);
                });
    }

    /**
     * Connects over NetherNet, which begins with signalling at the server's TCP port.
     *
     * @param name of the player
     * @param keys of the login, which identify the client to the server
     * @param output the client's socket
     * @param cycle sends the requests of signalling
     * @param random cryptographically secure except in tests
     * @param seconds the time since 1970
     */
    public static TransportConnection nethernet(
            InetSocketAddress server,
            String name,
            LoginKeys keys,
            DatagramSink output,
            Listener listener,
            DutyCycle cycle,
            RandomGenerator random,
            LongSupplier seconds) {
        NetherNetClient client =
                new NetherNetClient(
                        server,
                        server.getHostString(),
                        NetherNetClient.Settings.standard(
                                NetherNetTransport.identity(keys),
                                Map.of("xname", name, "xid", "")),
                        output,
                        NetherNetTransport.adapt(listener, listener::onFailed),
                        cycle,
                        random,
                        seconds);
        return new TransportConnection(client, client::close, client::end);
    }

    @Override
    public void receive(long now, InetSocketAddress from, byte[] data) {
        handler.receive(now, from, data);
    }

    @Override
    public long advance(long now) {
        return handler.advance(now);
    }
}

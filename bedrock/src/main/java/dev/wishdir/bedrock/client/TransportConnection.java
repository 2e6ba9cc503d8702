package dev.wishdir.bedrock.client;

import dev.wishdir.bedrock.protocol.LoginKeys;
import dev.wishdir.bedrock.protocol.NetherNetTransport;
import dev.wishdir.bedrock.protocol.RakNetTransport;
import dev.wishdir.bedrock.protocol.Transport;
import dev.wishdir.game.ClientConfig;
import dev.wishdir.net.DatagramHandler;
import dev.wishdir.net.DatagramSink;
import dev.wishdir.nethernet.NetherNetClient;
import dev.wishdir.raknet.RakNetClient;
import dev.wishdir.raknet.RakNetSettings;

import java.net.InetSocketAddress;
import java.util.Map;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * The connection of a client to its server, from the first attempt to open it.
 *
 * @param handler opens and maintains it
 * @param close cancels the attempt, or closes the connection once all sent data has arrived
 * @param end closes it at once, with a single unacknowledged notice to the peer
 */
record TransportConnection(DatagramHandler handler, LongConsumer close, LongConsumer end)
        implements DatagramHandler {
    /** Listener to the connection's events, and to a failure to open it. */
    interface Listener extends Transport.Listener {
        /** The connection could not be opened. Nothing follows. */
        void onFailed(Transport.EndReason ending, String reason);
    }

    /** Connects over RakNet. */
    static TransportConnection raknet(ClientConfig config, DatagramSink output, Listener listener) {
        RakNetClient client =
                new RakNetClient(
                        config.server(),
                        RakNetTransport.configure(RakNetSettings.client()),
                        output,
                        RakNetTransport.adapt(listener),
                        config.random());
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
     * @param keys of the login, which identify the client to the server
     * @param seconds the time since 1970
     */
    static TransportConnection nethernet(
            ClientConfig config,
            LoginKeys keys,
            DatagramSink output,
            Listener listener,
            LongSupplier seconds) {
        NetherNetClient client =
                new NetherNetClient(
                        config.server(),
                        config.server().getHostString(),
                        NetherNetClient.Settings.standard(
                                NetherNetTransport.identity(keys),
                                Map.of("xname", config.name(), "xid", "")),
                        output,
                        NetherNetTransport.adapt(listener, listener::onFailed),
                        config.cycle(),
                        config.random(),
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

package dev.wishdir.bedrock.client;

import dev.wishdir.bedrock.protocol.LoginKeys;
import dev.wishdir.bedrock.protocol.NetherNetTransport;
import dev.wishdir.game.Joining;
import dev.wishdir.nethernet.NetherNetClient;
import dev.wishdir.nethernet.NetherNetOutput;

import java.net.InetSocketAddress;
import java.util.Map;
import java.util.function.LongSupplier;

/** The way over NetherNet, which begins with signalling at the server's TCP port. */
final class NetherNetConnecting implements Connecting {
    private final NetherNetClient client;

    /**
     * @param keys of the login, by which the server knows who connects
     * @param seconds the time since 1970
     */
    NetherNetConnecting(
            Joining joining,
            LoginKeys keys,
            NetherNetOutput output,
            Listener listener,
            LongSupplier seconds) {
        client =
                new NetherNetClient(
                        joining.server(),
                        joining.server().getHostString(),
                        NetherNetClient.Settings.standard(
                                NetherNetTransport.identity(keys),
                                Map.of("xname", joining.name(), "xid", "")),
                        output,
                        NetherNetTransport.telling(listener, listener::failed),
                        joining.cycle(),
                        joining.random(),
                        seconds);
    }

    @Override
    public void receive(long now, InetSocketAddress from, byte[] data) {
        client.receive(now, from, data);
    }

    @Override
    public long advance(long now) {
        return client.advance(now);
    }

    @Override
    public void close(long now) {
        client.close(now);
    }

    @Override
    public void end(long now) {
        client.end(now);
    }
}

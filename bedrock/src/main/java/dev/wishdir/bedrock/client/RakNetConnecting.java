package dev.wishdir.bedrock.client;

import dev.wishdir.bedrock.protocol.RakNetTransport;
import dev.wishdir.game.Joining;
import dev.wishdir.raknet.RakNetClient;
import dev.wishdir.raknet.RakNetOutput;
import dev.wishdir.raknet.RakNetSettings;

import java.net.InetSocketAddress;

/** The way over RakNet. */
final class RakNetConnecting implements Connecting {
    private final RakNetClient client;

    RakNetConnecting(Joining joining, RakNetOutput output, Listener listener) {
        client =
                new RakNetClient(
                        joining.server(),
                        RakNetTransport.speaking(RakNetSettings.client()),
                        output,
                        RakNetTransport.telling(listener),
                        joining.random());
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
        client.close(now);
        client.advance(now);
    }
}

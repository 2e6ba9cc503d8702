package dev.wishdir.bedrock.server;

import dev.wishdir.bedrock.protocol.RakNetTransport;
import dev.wishdir.bedrock.protocol.Transport;
import dev.wishdir.game.EndpointContext;
import dev.wishdir.net.DatagramHandler;
import dev.wishdir.net.UdpSocket;
import dev.wishdir.raknet.RakNetPeer;
import dev.wishdir.raknet.RakNetServer;
import dev.wishdir.raknet.RakNetSettings;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The ports of the endpoint: one UDP port for RakNet and NetherNet, whose datagrams it assigns to
 * either, and the other ports of NetherNet.
 */
final class TransportDemultiplexer {
    private static final int SPARE_CONNECTIONS = 16;

    private final UdpSocket socket;
    private final @Nullable RakNetServer raknet;
    private final @Nullable NetherNetService nethernet;

    /**
     * @param socket the UDP port; closed with this
     * @param listener is notified of the connections of all transports
     * @param entry the current entry of server lists
     * @param seconds the time since 1970
     * @throws IOException if the TCP port can't be bound, or a file of an option can't be used
     */
    TransportDemultiplexer(
            EndpointContext context,
            BedrockOptions options,
            UdpSocket socket,
            Transport.Listener listener,
            Supplier<ServerEntry> entry,
            LongSupplier seconds)
            throws IOException {
        this.socket = socket;
        int connections = context.maxPlayers() + SPARE_CONNECTIONS;
        raknet =
                options.transports() == BedrockOptions.Transports.NETHERNET
                        ? null
                        : new RakNetServer(
                                RakNetTransport.configure(
                                        RakNetSettings.server(connections)
                                                .pong(() -> motd(entry.get()))),
                                socket,
                                context.addressLimits(),
                                context.memoryBudget(),
                                context.counters(),
                                RakNetTransport.adapt(listener),
                                context.random(),
                                context.cycle().now());
        nethernet =
                options.transports() == BedrockOptions.Transports.RAKNET
                        ? null
                        : new NetherNetService(
                                context, options, connections, socket, listener, entry, seconds);
    }

    private String motd(ServerEntry entry) {
        return raknet == null ? "" : entry.motd(raknet.guid(), address().getPort());
    }

    /** The address that players connect to. */
    InetSocketAddress address() {
        return socket.local();
    }

    void receive(long now, InetSocketAddress from, byte[] data) {
        if (nethernet != null && (raknet == null || nethernet.isOurs(from, data))) {
            nethernet.receive(now, from, data);
        } else if (raknet != null) {
            raknet.receive(now, from, data);
        }
    }

    /** As {@link DatagramHandler#advance}. */
    long advance(long now) {
        long next = DatagramHandler.NEVER;
        if (raknet != null) {
            next = raknet.advance(now);
        }
        return nethernet == null ? next : Math.min(next, nethernet.advance(now));
    }

    /** Connections of RakNet that exist, open or opening. */
    Collection<RakNetPeer> raknetPeers() {
        return raknet == null ? List.of() : raknet.peers();
    }

    void close() {
        if (nethernet != null) {
            nethernet.close();
        }
        socket.close();
    }
}

package dev.wishdir.bedrock.protocol.transport;

import dev.wishdir.net.limit.AddressLimits;
import dev.wishdir.net.loop.Counters;
import dev.wishdir.net.loop.DatagramHandler;
import dev.wishdir.net.loop.MemoryBudget;
import dev.wishdir.net.loop.UdpSocket;
import dev.wishdir.nethernet.NetherNetServer;
import dev.wishdir.raknet.RakNetPeer;
import dev.wishdir.raknet.RakNetServer;
import dev.wishdir.raknet.RakNetSettings;

import org.jspecify.annotations.Nullable;

import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongFunction;
import java.util.random.RandomGenerator;

/**
 * RakNet and NetherNet on one UDP port of a server, which assigns each datagram to either. The
 * signalling of NetherNet is not part of it.
 */
public final class TransportDemultiplexer implements DatagramHandler {
    /** The transports of a port. */
    public enum Kind {
        RAKNET,
        NETHERNET
    }

    /**
     * Services that both transports share.
     *
     * @param addressLimits limits by client address
     * @param memoryBudget counts half-open connections
     * @param counters where drops are counted
     * @param random cryptographically secure except in tests
     */
    public record Services(
            AddressLimits addressLimits,
            MemoryBudget memoryBudget,
            Counters counters,
            RandomGenerator random) {}

    /** Prefix of NetherNet's counters. */
    public static final String NETHERNET_COUNTERS = "bedrock.nethernet";

    /**
     * Connections above the maximum, for clients that are connected to read why they are refused.
     */
    private static final int SPARE_CONNECTIONS = 16;

    private final UdpSocket socket;
    private final @Nullable RakNetServer raknet;
    private final @Nullable NetherNetServer nethernet;

    /**
     * @param kinds at least one
     * @param socket the UDP port, which this does not close
     * @param maxClients maximum number of clients; some more can connect
     * @param listener is notified of the connections of all transports
     * @param motd the current entry of RakNet's server lists, by the server's GUID
     */
    public TransportDemultiplexer(
            Set<Kind> kinds,
            Services services,
            UdpSocket socket,
            int maxClients,
            Transport.Listener listener,
            LongFunction<String> motd,
            long now) {
        this.socket = socket;
        int connections = maxClients + SPARE_CONNECTIONS;
        raknet =
                !kinds.contains(Kind.RAKNET)
                        ? null
                        : new RakNetServer(
                                RakNetTransport.configure(
                                        RakNetSettings.server(connections).pong(() -> motd(motd))),
                                socket,
                                services.addressLimits,
                                services.memoryBudget,
                                services.counters,
                                RakNetTransport.adapt(listener),
                                services.random,
                                now);
        nethernet =
                !kinds.contains(Kind.NETHERNET)
                        ? null
                        : new NetherNetServer(
                                NetherNetServer.Settings.standard(connections),
                                socket,
                                services.addressLimits,
                                services.memoryBudget,
                                services.counters,
                                NETHERNET_COUNTERS,
                                NetherNetTransport.adapt(listener),
                                services.random);
    }

    private String motd(LongFunction<String> motd) {
        return raknet == null ? "" : motd.apply(raknet.guid());
    }

    /** The address that players connect to. */
    public InetSocketAddress address() {
        return socket.local();
    }

    /** The server of NetherNet; empty if the port has none. */
    public Optional<NetherNetServer> nethernet() {
        return Optional.ofNullable(nethernet);
    }

    /** Connections of RakNet that exist, open or opening. */
    public Collection<RakNetPeer> raknetPeers() {
        return raknet == null ? List.of() : raknet.peers();
    }

    /** Number of connections that exist, open or opening. */
    public int connections() {
        return (raknet == null ? 0 : raknet.connections())
                + (nethernet == null ? 0 : nethernet.connections());
    }

    @Override
    public void receive(long now, InetSocketAddress from, byte[] data) {
        if (nethernet != null && (raknet == null || nethernet.isOurs(from, data))) {
            nethernet.receive(now, from, data);
        } else if (raknet != null) {
            raknet.receive(now, from, data);
        }
    }

    @Override
    public long advance(long now) {
        long next = raknet == null ? NEVER : raknet.advance(now);
        return nethernet == null ? next : Math.min(next, nethernet.advance(now));
    }
}

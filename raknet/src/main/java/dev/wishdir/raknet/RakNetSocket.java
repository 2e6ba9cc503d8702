package dev.wishdir.raknet;

import dev.wishdir.net.Requirements;
import dev.wishdir.net.limit.AddressLimits;
import dev.wishdir.net.loop.Counters;
import dev.wishdir.net.loop.DatagramHandler;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.loop.MemoryBudget;
import dev.wishdir.net.loop.UdpSocket;
import dev.wishdir.wire.Bytes;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.random.RandomGenerator;

/**
 * A RakNet server or client on its own socket, with default limits and counters.
 *
 * <p>To share counters, memory or a socket, create a {@link RakNetServer} or a {@link
 * RakNetClient}. Used only by the thread of its duty cycle.
 */
public final class RakNetSocket implements DatagramHandler, AutoCloseable {
    private final DutyCycle cycle;
    private final UdpSocket socket;
    private final DatagramHandler handler;
    private boolean closed;

    private RakNetSocket(DutyCycle cycle, UdpSocket socket, DatagramHandler handler) {
        this.cycle = cycle;
        this.socket = socket;
        this.handler = handler;
    }

    /**
     * Listens for clients.
     *
     * @param local with port 0 for any free port
     * @param random cryptographically secure except in tests
     * @throws IOException if the address can't be bound
     */
    public static RakNetSocket listen(
            DutyCycle cycle,
            InetSocketAddress local,
            RakNetSettings settings,
            RakNetPeer.Listener listener,
            RandomGenerator random)
            throws IOException {
        cycle.checkThread("listens for RakNet clients");
        Counters counters = new Counters();
        MemoryBudget memoryBudget = MemoryBudget.standard(counters);
        cycle.add(memoryBudget);
        return cycle.open(
                local,
                socket ->
                        new RakNetSocket(
                                cycle,
                                socket,
                                new RakNetServer(
                                        settings,
                                        socket,
                                        AddressLimits.standard(random.nextLong()),
                                        memoryBudget,
                                        counters,
                                        new BudgetListener(memoryBudget, listener),
                                        random,
                                        cycle.now())));
    }

    /** As {@link #listen}, with secure randomness. */
    public static RakNetSocket listen(
            DutyCycle cycle,
            InetSocketAddress local,
            RakNetSettings settings,
            RakNetPeer.Listener listener)
            throws IOException {
        return listen(cycle, local, settings, listener, new SecureRandom());
    }

    /**
     * Starts to connect to a server; the listener reports the result.
     *
     * @throws IOException if no socket can be opened
     */
    public static RakNetSocket connect(
            DutyCycle cycle,
            InetSocketAddress server,
            RakNetSettings settings,
            RakNetPeer.Listener listener)
            throws IOException {
        cycle.checkThread("connects to a RakNet server");
        Requirements.destination("server", server);
        InetAddress any =
                InetAddress.getByAddress(new byte[server.getAddress().getAddress().length]);
        return cycle.open(
                new InetSocketAddress(any, 0),
                socket ->
                        new RakNetSocket(
                                cycle,
                                socket,
                                new RakNetClient(
                                        server, settings, socket, listener, new SecureRandom())));
    }

    /** Adds open connections to the memory budget. */
    private record BudgetListener(MemoryBudget memory, RakNetPeer.Listener next)
            implements RakNetPeer.Listener {
        @Override
        public void onConnected(long now, RakNetPeer peer) {
            memory.add(peer);
            next.onConnected(now, peer);
        }

        @Override
        public void onReceived(long now, RakNetPeer peer, Bytes message) {
            next.onReceived(now, peer, message);
        }

        @Override
        public void onEnded(long now, RakNetPeer peer, RakNetPeer.EndReason ending, String reason) {
            memory.remove(peer);
            next.onEnded(now, peer, ending, reason);
        }
    }

    /**
     * The bound address.
     *
     * @throws IllegalStateException if it is closed
     */
    public InetSocketAddress local() {
        if (closed) {
            throw new IllegalStateException("socket is closed");
        }
        return socket.local();
    }

    @Override
    public void receive(long now, InetSocketAddress from, byte[] data) {
        handler.receive(now, from, data);
    }

    @Override
    public long advance(long now) {
        return handler.advance(now);
    }

    /** Sends each peer a disconnection notification once and closes the socket. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            long now = cycle.now();
            try {
                switch (handler) {
                    case RakNetServer server -> server.close(now);
                    case RakNetClient client -> {
                        client.close(now);
                        client.advance(now);
                    }
                    default -> {}
                }
            } finally {
                socket.close();
            }
        }
    }
}

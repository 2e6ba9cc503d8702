package dev.wishdir.raknet;

import dev.wishdir.net.AddressLimits;
import dev.wishdir.net.Counters;
import dev.wishdir.net.DatagramHandler;
import dev.wishdir.net.DutyCycle;
import dev.wishdir.net.MemoryBudget;
import dev.wishdir.net.UdpSocket;
import dev.wishdir.wire.Bytes;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.random.RandomGenerator;

/**
 * RakNet on a socket of its own, with all that a server or a client needs at its standard. Who
 * shares counts, memory or a socket with others makes a {@link RakNetServer} or a {@link
 * RakNetClient} himself. Used on the thread of its duty cycle.
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
     * @param local port 0 for any that is free
     * @param random a secure one, but in tests
     * @throws IOException if the address can't be bound
     */
    public static RakNetSocket listen(
            DutyCycle cycle,
            InetSocketAddress local,
            RakNetSettings settings,
            RakNetListener listener,
            RandomGenerator random)
            throws IOException {
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
                                        socket::send,
                                        AddressLimits.standard(random.nextLong()),
                                        memoryBudget,
                                        counters,
                                        new Counted(memoryBudget, listener),
                                        random,
                                        cycle.now())));
    }

    /** As {@link #listen}, with secure randomness. */
    public static RakNetSocket listen(
            DutyCycle cycle,
            InetSocketAddress local,
            RakNetSettings settings,
            RakNetListener listener)
            throws IOException {
        return listen(cycle, local, settings, listener, new SecureRandom());
    }

    /**
     * Begins to connect to a server; the listener is notified of the outcome.
     *
     * @throws IOException if no socket can be opened
     */
    public static RakNetSocket connect(
            DutyCycle cycle,
            InetSocketAddress server,
            RakNetSettings settings,
            RakNetListener listener)
            throws IOException {
        InetAddress any =
                InetAddress.getByAddress(new byte[server.getAddress().getAddress().length]);
        return cycle.open(
                new InetSocketAddress(any, 0),
                socket ->
                        new RakNetSocket(
                                cycle,
                                socket,
                                new RakNetClient(
                                        server,
                                        settings,
                                        socket::send,
                                        listener,
                                        new SecureRandom())));
    }

    /** Counts open connections in the memory that all share. */
    private record Counted(MemoryBudget memory, RakNetListener then) implements RakNetListener {
        @Override
        public void onConnected(long now, RakNetPeer peer) {
            memory.add(peer);
            then.onConnected(now, peer);
        }

        @Override
        public void onReceived(long now, RakNetPeer peer, Bytes message) {
            then.onReceived(now, peer, message);
        }

        @Override
        public void onEnded(long now, RakNetPeer peer, EndReason ending, String reason) {
            memory.remove(peer);
            then.onEnded(now, peer, ending, reason);
        }
    }

    /**
     * Where it is bound.
     *
     * @throws IllegalStateException once it is closed
     */
    public InetSocketAddress local() {
        if (closed) {
            throw new IllegalStateException("closed");
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

    /** Notifies the other sides once and closes the socket. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            long now = cycle.now();
            switch (handler) {
                case RakNetServer server -> server.close(now);
                case RakNetClient client -> {
                    client.close(now);
                    client.advance(now);
                }
                default -> {}
            }
            socket.close();
        }
    }
}

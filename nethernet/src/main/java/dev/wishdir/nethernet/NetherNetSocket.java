package dev.wishdir.nethernet;

import dev.wishdir.net.AddressLimits;
import dev.wishdir.net.Counters;
import dev.wishdir.net.DatagramHandler;
import dev.wishdir.net.DutyCycle;
import dev.wishdir.net.HttpSettings;
import dev.wishdir.net.MemoryBudget;
import dev.wishdir.net.UdpSocket;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * NetherNet on sockets of its own, with all that a server or a client needs at its standard. Who
 * shares counts, memory or a socket with others makes a {@link NetherNetServer} with its {@link
 * NetherNetSignalling}, or a {@link NetherNetClient}, himself. Used on the thread of its duty
 * cycle.
 */
public final class NetherNetSocket implements AutoCloseable {
    private static final String COUNTERS = "nethernet";

    private final UdpSocket socket;
    private final Runnable ends;
    private @Nullable AutoCloseable signalling;

    private NetherNetSocket(UdpSocket socket, Runnable ends) {
        this.socket = socket;
        this.ends = ends;
    }

    /**
     * Listens for clients, on UDP and on the TCP port of the same number.
     *
     * @param local port 0 for any that is free for UDP
     * @param peers the most at once
     * @param key by which clients know the server
     * @param status what the server says of itself at this moment, JSON
     * @throws IOException if the address can't be bound
     */
    public static NetherNetSocket listen(
            DutyCycle cycle,
            InetSocketAddress local,
            int peers,
            IdentityKey key,
            Supplier<String> status,
            NetherNetPeer.Listener listener)
            throws IOException {
        Counters counters = new Counters();
        MemoryBudget memoryBudget = MemoryBudget.standard(counters);
        cycle.add(memoryBudget);
        SecureRandom random = new SecureRandom();
        Counted counted = new Counted(memoryBudget, listener);
        Opened<NetherNetServer> opened =
                cycle.open(
                        local,
                        socket ->
                                new Opened<>(
                                        socket,
                                        new NetherNetServer(
                                                NetherNetServer.Settings.standard(peers),
                                                socket::send,
                                                AddressLimits.standard(random.nextLong()),
                                                memoryBudget,
                                                counters,
                                                COUNTERS,
                                                counted,
                                                random)));
        InetSocketAddress bound = opened.socket.local();
        NetherNetSocket made = new NetherNetSocket(opened.socket, () -> counted.end(cycle.now()));
        try {
            made.signalling =
                    cycle.serve(
                            bound,
                            HttpSettings.standard(List.of(), null),
                            new NetherNetSignalling(
                                    new NetherNetSignalling.Settings(
                                            Identity.Policy.OFFLINE, "self", null, bound.getPort()),
                                    key,
                                    opened.handler,
                                    cycle,
                                    counters,
                                    COUNTERS,
                                    status,
                                    _ -> true,
                                    NetherNetSocket::seconds));
            return made;
        } catch (IOException e) {
            made.close();
            throw e;
        }
    }

    /**
     * Begins to connect to a server; the listener is notified of the outcome.
     *
     * @param server the TCP address of its signalling
     * @param key by which the server knows the client
     * @throws IOException if no socket can be opened
     */
    public static NetherNetSocket connect(
            DutyCycle cycle,
            InetSocketAddress server,
            IdentityKey key,
            NetherNetClient.Listener listener)
            throws IOException {
        InetAddress any =
                InetAddress.getByAddress(new byte[server.getAddress().getAddress().length]);
        Opened<NetherNetClient> opened =
                cycle.open(
                        new InetSocketAddress(any, 0),
                        socket ->
                                new Opened<>(
                                        socket,
                                        new NetherNetClient(
                                                server,
                                                server.getHostString(),
                                                NetherNetClient.Settings.standard(key, Map.of()),
                                                socket::send,
                                                listener,
                                                cycle,
                                                new SecureRandom(),
                                                NetherNetSocket::seconds)));
        return new NetherNetSocket(opened.socket, () -> opened.handler.end(cycle.now()));
    }

    private static long seconds() {
        return System.currentTimeMillis() / 1000;
    }

    private record Opened<H extends DatagramHandler>(UdpSocket socket, H handler)
            implements DatagramHandler {
        @Override
        public void receive(long now, InetSocketAddress from, byte[] data) {
            handler.receive(now, from, data);
        }

        @Override
        public long advance(long now) {
            return handler.advance(now);
        }
    }

    /** Counts open connections in the memory that all share; the host takes them out again. */
    private static final class Counted implements NetherNetPeer.Listener {
        private final MemoryBudget memoryBudget;
        private final NetherNetPeer.Listener then;
        private final Set<NetherNetPeer> open = new LinkedHashSet<>();

        Counted(MemoryBudget memoryBudget, NetherNetPeer.Listener then) {
            this.memoryBudget = memoryBudget;
            this.then = then;
        }

        void end(long now) {
            List.copyOf(open).forEach(peer -> peer.abort(now, "closed"));
        }

        @Override
        public void onConnected(long now, NetherNetPeer peer) {
            open.add(peer);
            memoryBudget.add(peer);
            then.onConnected(now, peer);
        }

        @Override
        public void onReceived(long now, NetherNetPeer peer, boolean reliable, byte[] packet) {
            then.onReceived(now, peer, reliable, packet);
        }

        @Override
        public void onEnded(
                long now, NetherNetPeer peer, NetherNetPeer.EndReason ending, String reason) {
            open.remove(peer);
            then.onEnded(now, peer, ending, reason);
        }
    }

    /** Where it is bound. */
    public InetSocketAddress local() {
        return socket.local();
    }

    /** Notifies the other sides once and closes the sockets. */
    @Override
    public void close() throws IOException {
        ends.run();
        socket.close();
        try {
            if (signalling != null) {
                signalling.close();
            }
        } catch (Exception e) {
            throw new IOException("cannot close the signalling", e);
        }
    }
}

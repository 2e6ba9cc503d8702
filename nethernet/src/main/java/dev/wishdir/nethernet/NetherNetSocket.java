package dev.wishdir.nethernet;

import dev.wishdir.net.Requirements;
import dev.wishdir.net.http.HttpSettings;
import dev.wishdir.net.limit.AddressLimits;
import dev.wishdir.net.loop.Counters;
import dev.wishdir.net.loop.DatagramHandler;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.loop.MemoryBudget;
import dev.wishdir.net.loop.TurnDefects;
import dev.wishdir.net.loop.UdpSocket;
import dev.wishdir.nethernet.identity.Identity;
import dev.wishdir.nethernet.identity.IdentityKey;

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
 * A NetherNet server or client on its own sockets, with default limits and counters.
 *
 * <p>To share counters, memory or a socket, create a {@link NetherNetServer} with its {@link
 * NetherNetSignalling}, or a {@link NetherNetClient}. Used only by the thread of its duty cycle.
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
     * @param local with port 0 for any port that is free for UDP
     * @param peers maximum of connections
     * @param key by which clients know the server
     * @param status the server's current entry in server lists, JSON
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
        cycle.checkThread("listens for NetherNet clients");
        Counters counters = new Counters();
        MemoryBudget memoryBudget = MemoryBudget.standard(counters);
        cycle.add(memoryBudget);
        SecureRandom random = new SecureRandom();
        BudgetListener counted = new BudgetListener(memoryBudget, listener);
        Opened<NetherNetServer> opened =
                cycle.open(
                        local,
                        socket ->
                                new Opened<>(
                                        socket,
                                        new NetherNetServer(
                                                NetherNetServer.Settings.standard(peers),
                                                socket,
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
     * Starts to connect to a server; the listener reports the result.
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
        cycle.checkThread("connects to a NetherNet server");
        Requirements.destination("server", server);
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
                                                socket,
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

    /** Adds open connections to the memory budget; the server removes them. */
    private static final class BudgetListener implements NetherNetPeer.Listener {
        private final MemoryBudget memoryBudget;
        private final NetherNetPeer.Listener then;
        private final Set<NetherNetPeer> open = new LinkedHashSet<>();

        BudgetListener(MemoryBudget memoryBudget, NetherNetPeer.Listener then) {
            this.memoryBudget = memoryBudget;
            this.then = then;
        }

        void end(long now) {
            TurnDefects defects = new TurnDefects();
            for (NetherNetPeer peer : List.copyOf(open)) {
                defects.guard(() -> peer.abort(now, "closed"));
            }
            defects.rethrow();
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

    /** The bound UDP address. */
    public InetSocketAddress local() {
        return socket.local();
    }

    /** Notifies each peer once and closes the sockets. */
    @Override
    public void close() throws IOException {
        TurnDefects defects = new TurnDefects();
        defects.guard(ends);
        socket.close();
        try {
            if (signalling != null) {
                signalling.close();
            }
        } catch (Exception e) {
            throw new IOException("cannot close the signalling", e);
        } finally {
            defects.rethrow();
        }
    }
}

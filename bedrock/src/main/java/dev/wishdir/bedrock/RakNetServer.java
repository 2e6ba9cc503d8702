package dev.wishdir.bedrock;

import dev.wishdir.net.Budget;
import dev.wishdir.net.Cookies;
import dev.wishdir.net.Counters;
import dev.wishdir.net.DatagramHandler;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Writer;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * The listening side of RakNet: answers pings, opens connections, passes datagrams to them. Nothing
 * is kept for an address before it has repeated its cookie, and every answer until then is paid
 * from the {@link Budget} for unproven addresses.
 */
public final class RakNetServer implements DatagramHandler {
    /**
     * How a server listens.
     *
     * @param cookie whether clients must prove their address; without it, what they get before they
     *     have shown themselves is never sent twice
     * @param mtu the largest datagram it agrees to, 576..1492, with the headers of IP and UDP
     * @param connections the most at once
     * @param perAddress the most at once from one address that is not this machine
     * @param limits of each connection
     */
    public record Settings(
            boolean cookie, int mtu, int connections, int perAddress, RakNetLimits limits) {
        /** With cookies, 8 connections an address. */
        public static Settings standard(int connections) {
            return new Settings(true, RakNet.LARGEST_MTU, connections, 8, RakNetLimits.SERVER);
        }
    }

    private static final long STALE = 5_000_000_000L;
    private static final int LARGEST_OFFLINE = 1492;

    private final Settings settings;
    private final RakNetOutput output;
    private final Budget budget;
    private final Counters counters;
    private final Transport.Listener listener;
    private final Supplier<String> motd;
    private final long guid;
    private final Cookies cookies;
    private final Map<InetSocketAddress, RakNetPeer> peers = new LinkedHashMap<>();
    private final Map<InetAddress, Integer> perAddress = new HashMap<>();
    private final Writer writer = new Writer(LARGEST_OFFLINE);

    /**
     * @param listener is told of every connection
     * @param motd the entry of the server list at this moment
     * @param guid this server's identity
     * @param random the cookies' keys; a secure one in a real server
     */
    public RakNetServer(
            Settings settings,
            RakNetOutput output,
            Budget budget,
            Counters counters,
            Transport.Listener listener,
            Supplier<String> motd,
            long guid,
            RandomGenerator random,
            long now) {
        this.settings = settings;
        this.output = output;
        this.budget = budget;
        this.counters = counters;
        this.listener = listener;
        this.motd = motd;
        this.guid = guid;
        cookies = new Cookies(random, now);
    }

    /** Connections that exist, open or opening. */
    public int connections() {
        return peers.size();
    }

    /** The same, for a look at what each costs; a live view. */
    Collection<RakNetPeer> peers() {
        return Collections.unmodifiableCollection(peers.values());
    }

    @Override
    public void receive(long now, InetSocketAddress from, byte[] data) {
        if (data.length == 0 || from.getPort() == 0) {
            drop("empty");
            return;
        }
        try {
            if ((data[0] & RakNetDatagram.VALID) == 0) {
                offline(now, from, data);
            } else {
                RakNetPeer peer = peers.get(from);
                if (peer == null) {
                    drop("unconnected");
                } else {
                    peer.receive(now, data);
                }
            }
        } catch (MalformedPacketException e) {
            drop("malformed");
        }
    }

    private void drop(String reason) {
        counters.count("bedrock.drop." + reason);
    }

    private void offline(long now, InetSocketAddress from, byte[] data) {
        if (data.length > LARGEST_OFFLINE) {
            drop("malformed");
            return;
        }
        switch (OfflineMessage.read(new Reader(data), settings.cookie())) {
            case OfflineMessage.UnconnectedPing ping -> {
                if (!ping.ifOpen() || peers.size() < settings.connections()) {
                    writer.reset();
                    OfflineMessage.UnconnectedPong.wire(
                            writer,
                            new OfflineMessage.UnconnectedPong(ping.time(), guid, motd.get()));
                    answer(now, from);
                }
            }
            case OfflineMessage.OpenConnectionRequest1 request -> first(now, from, data, request);
            case OfflineMessage.OpenConnectionRequest2 request -> second(now, from, request);
            default -> drop("unexpected");
        }
    }

    /** Sends what was written, if the budget for unproven addresses allows. */
    private void answer(long now, InetSocketAddress to) {
        if (budget.spend(now, to.getAddress(), writer.position())) {
            output.send(to, writer.array(), 0, writer.position());
        } else {
            drop("budget");
        }
    }

    private void first(
            long now,
            InetSocketAddress from,
            byte[] data,
            OfflineMessage.OpenConnectionRequest1 request) {
        writer.reset();
        if (request.protocol() != RakNet.PROTOCOL) {
            OfflineMessage.IncompatibleProtocolVersion.wire(
                    writer, new OfflineMessage.IncompatibleProtocolVersion(RakNet.PROTOCOL, guid));
        } else {
            int seen = data.length + RakNet.headers(from.getAddress());
            OfflineMessage.OpenConnectionReply1.wire(
                    writer,
                    new OfflineMessage.OpenConnectionReply1(
                            guid,
                            settings.cookie(),
                            settings.cookie() ? cookies.cookie(now, from) : 0,
                            mtu(seen),
                            0));
        }
        answer(now, from);
    }

    private int mtu(int wished) {
        return Math.clamp(wished, RakNet.SMALLEST_MTU, settings.mtu());
    }

    private void second(
            long now, InetSocketAddress from, OfflineMessage.OpenConnectionRequest2 request) {
        if (settings.cookie() && !cookies.isGood(now, from, request.cookie())) {
            drop("cookie");
            return;
        }
        RakNetPeer existing = peers.get(from);
        if (existing != null && existing.heard()) {
            if (now - existing.lastHeard() < STALE) {
                refuse(now, from, OfflineMessage.ALREADY_CONNECTED);
                return;
            }
            listener.ended(now, existing, Transport.Ending.TIMED_OUT, "the client connected anew");
            remove(from);
            existing = null;
        }
        if (existing == null && isFull(from.getAddress())) {
            refuse(now, from, OfflineMessage.NO_FREE_INCOMING_CONNECTIONS);
            return;
        }
        int mtu = mtu(request.mtu());
        writer.reset();
        OfflineMessage.OpenConnectionReply2.wire(
                writer, new OfflineMessage.OpenConnectionReply2(guid, from, mtu, false));
        if (!budget.spend(now, from.getAddress(), writer.position())) {
            drop("budget");
            return;
        }
        if (existing == null) {
            peers.put(
                    from,
                    RakNetPeer.server(
                            from,
                            settings.cookie(),
                            mtu,
                            settings.limits(),
                            output,
                            listener,
                            now));
            perAddress.merge(from.getAddress(), 1, Integer::sum);
        }
        output.send(from, writer.array(), 0, writer.position());
    }

    private boolean isFull(InetAddress address) {
        return peers.size() >= settings.connections()
                || (!address.isLoopbackAddress()
                        && perAddress.getOrDefault(address, 0) >= settings.perAddress());
    }

    private void refuse(long now, InetSocketAddress to, int id) {
        writer.reset();
        OfflineMessage.Refusal.wire(writer, new OfflineMessage.Refusal(id, guid));
        answer(now, to);
    }

    private void remove(InetSocketAddress from) {
        peers.remove(from);
        release(from.getAddress());
    }

    private void release(InetAddress address) {
        perAddress.computeIfPresent(address, (_, count) -> count == 1 ? null : count - 1);
    }

    @Override
    public long advance(long now) {
        long next = NEVER;
        for (Iterator<RakNetPeer> each = peers.values().iterator(); each.hasNext(); ) {
            RakNetPeer peer = each.next();
            next = Math.min(next, peer.advance(now));
            if (peer.closed()) {
                each.remove();
                release(peer.remote().getAddress());
            }
        }
        return next;
    }
}

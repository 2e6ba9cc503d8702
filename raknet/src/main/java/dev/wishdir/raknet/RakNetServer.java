package dev.wishdir.raknet;

import dev.wishdir.net.limit.AddressCookies;
import dev.wishdir.net.limit.AddressLimits;
import dev.wishdir.net.limit.AmplificationLimiter;
import dev.wishdir.net.limit.HalfOpenTable;
import dev.wishdir.net.loop.Counters;
import dev.wishdir.net.loop.DatagramHandler;
import dev.wishdir.net.loop.DatagramSink;
import dev.wishdir.net.loop.MemoryBudget;
import dev.wishdir.net.loop.TurnDefects;
import dev.wishdir.raknet.RakNetPeer.EndReason;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Writer;

import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * A RakNet server: answers pings, opens connections and passes datagrams to them.
 *
 * <p>Nothing is kept for an address until it has repeated its cookie, and every answer until then
 * is subject to the {@link AmplificationLimiter}. Used only by one thread.
 */
public final class RakNetServer implements DatagramHandler {
    /** A connection with its client's GUID and its place among those of its address. */
    private record Entry(RakNetPeer peer, long guid, AddressLimits.Place place) {}

    /** Silence after which a connection gives way to a new one of its address. */
    private static final long STALE_AFTER_NANOS = 5_000_000_000L;

    /** The same for a client that reconnects with the same GUID. */
    private static final long SAME_GUID_STALE_AFTER_NANOS = 1_000_000_000L;

    private static final int MAX_HALF_OPEN = 64;

    private final RakNetSettings settings;
    private final DatagramSink output;
    private final AddressLimits addressLimits;
    private final MemoryBudget memoryBudget;
    private final HalfOpenTable<RakNetPeer> opening;
    private final Counters counters;
    private final RakNetPeer.Listener listener;
    private final long guid;
    private final AddressCookies cookies;
    private final Map<InetSocketAddress, Entry> entries = new LinkedHashMap<>();
    private final Writer writer = new Writer(1500);
    private final TurnDefects defects = new TurnDefects();

    /**
     * @param addressLimits limits by client address
     * @param memoryBudget counts half-open connections; open ones are counted by the listener
     * @param listener of all connections
     * @param counters where drops are counted
     * @param random source of this server's GUID and of the cookies' keys; cryptographically secure
     *     in a real server
     */
    public RakNetServer(
            RakNetSettings settings,
            DatagramSink output,
            AddressLimits addressLimits,
            MemoryBudget memoryBudget,
            Counters counters,
            RakNetPeer.Listener listener,
            RandomGenerator random,
            long now) {
        this.settings = settings;
        this.output = output;
        this.addressLimits = addressLimits;
        this.memoryBudget = memoryBudget;
        opening = addressLimits.halfOpen(MAX_HALF_OPEN);
        this.counters = counters;
        this.listener = new ConnectionListener(listener);
        guid = random.nextLong();
        cookies = new AddressCookies(random, now);
    }

    /** Removes open connections from what is counted for half-open ones. */
    private final class ConnectionListener implements RakNetPeer.Listener {
        private final RakNetPeer.Listener next;

        ConnectionListener(RakNetPeer.Listener next) {
            this.next = next;
        }

        @Override
        public void onConnected(long now, RakNetPeer peer) {
            memoryBudget.remove(peer);
            cookies.spend(peer.remote());
            opening.remove(peer);
            next.onConnected(now, peer);
        }

        @Override
        public void onReceived(long now, RakNetPeer peer, Bytes message) {
            next.onReceived(now, peer, message);
        }

        @Override
        public void onViolation(long now, RakNetPeer peer, String reason) {
            next.onViolation(now, peer, reason);
        }

        @Override
        public void onEnded(long now, RakNetPeer peer, EndReason ending, String reason) {
            next.onEnded(now, peer, ending, reason);
        }
    }

    /** This server's GUID, which it sends to every client. */
    public long guid() {
        return guid;
    }

    /** The number of connections, with half-open ones. */
    public int connections() {
        return entries.size();
    }

    /** All connections, with half-open ones. */
    public Collection<RakNetPeer> peers() {
        return entries.values().stream().map(Entry::peer).toList();
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
                Entry entry = entries.get(from);
                if (entry == null) {
                    drop("unconnected");
                } else {
                    entry.peer.receive(now, data);
                }
            }
        } catch (MalformedPacketException e) {
            drop("malformed");
        }
    }

    private void drop(String reason) {
        counters.count(settings.counters() + "." + reason);
    }

    private void offline(long now, InetSocketAddress from, byte[] data) {
        if (data.length > settings.mtus().getFirst()) {
            drop("malformed");
            return;
        }
        switch (OfflineMessage.read(new Reader(data), settings.magic(), settings.cookie())) {
            case OfflineMessage.UnconnectedPing ping -> {
                if (!ping.ifOpen() || !isFull()) {
                    writer.reset();
                    OfflineMessage.UnconnectedPong.wire(
                            writer,
                            new OfflineMessage.UnconnectedPong(
                                    ping.time(), guid, settings.pong().get()),
                            settings.magic());
                    sendReply(now, from);
                }
            }
            case OfflineMessage.OpenConnectionRequest1 request ->
                    onRequest1(now, from, data, request);
            case OfflineMessage.OpenConnectionRequest2 request -> onRequest2(now, from, request);
            default -> drop("unexpected");
        }
    }

    /** Sends the written reply to an unproven address, within the amplification limit. */
    private void sendReply(long now, InetSocketAddress to) {
        send(
                to,
                addressLimits
                        .amplificationLimiter()
                        .tryAcquire(now, to.getAddress(), writer.position()));
    }

    /**
     * Sends the written reply to a second request, which proves the address if there are cookies.
     */
    private void sendSecondReply(long now, InetSocketAddress to) {
        if (settings.cookie()) {
            int length = writer.position();
            send(
                    to,
                    addressLimits
                            .amplificationLimiter()
                            .tryAcquireVerified(now, to.getAddress(), length));
        } else {
            sendReply(now, to);
        }
    }

    private void send(InetSocketAddress to, boolean allowed) {
        if (allowed) {
            output.send(to, writer.array(), 0, writer.position());
        } else {
            drop("budget");
        }
    }

    private void onRequest1(
            long now,
            InetSocketAddress from,
            byte[] data,
            OfflineMessage.OpenConnectionRequest1 request) {
        writer.reset();
        if (request.protocol() != settings.protocol()) {
            OfflineMessage.IncompatibleProtocolVersion.wire(
                    writer,
                    new OfflineMessage.IncompatibleProtocolVersion(settings.protocol(), guid),
                    settings.magic());
        } else {
            int seen = data.length + RakNet.headers(from.getAddress());
            OfflineMessage.OpenConnectionReply1.wire(
                    writer,
                    new OfflineMessage.OpenConnectionReply1(
                            guid,
                            settings.cookie(),
                            settings.cookie() ? cookies.cookie(now, from) : 0,
                            settings.mtu(seen),
                            0),
                    settings.magic());
        }
        sendReply(now, from);
    }

    private void onRequest2(
            long now, InetSocketAddress from, OfflineMessage.OpenConnectionRequest2 request) {
        if (settings.cookie() && !cookies.isValid(now, from, request.cookie())) {
            drop("cookie");
            return;
        }
        Entry existing = entries.get(from);
        boolean same = existing != null && existing.guid == request.guid();
        if (existing != null
                && existing.peer.hasReceived()
                && !(same && existing.peer.isOpening())) {
            // An open connection has spent its cookie: another one proves that its client has left.
            if (!settings.cookie() && now - existing.peer.lastReceivedNanos() < STALE_AFTER_NANOS) {
                if (same) {
                    drop("repeated");
                } else {
                    refuse(now, from, OfflineMessage.ALREADY_CONNECTED);
                }
                return;
            }
            replace(now, existing);
            existing = null;
        }
        if (existing != null && !same) {
            // The client started over: its repeated requests must not replace the connection.
            entries.put(from, new Entry(existing.peer, request.guid(), existing.place));
        }
        int mtu = settings.mtu(request.mtu());
        if (existing == null && !open(now, from, mtu, request.guid())) {
            refuse(now, from, OfflineMessage.NO_FREE_INCOMING_CONNECTIONS);
            return;
        }
        writer.reset();
        OfflineMessage.OpenConnectionReply2.wire(
                writer,
                new OfflineMessage.OpenConnectionReply2(guid, from, mtu, false),
                settings.magic());
        sendSecondReply(now, from);
    }

    /** Opens a connection; false if there is no room for it. */
    private boolean open(long now, InetSocketAddress from, int mtu, long client) {
        if (isFull()) {
            return false;
        }
        AddressLimits.Place place = addressLimits.enter(now, from.getAddress());
        if (place == null) {
            // A client that lost its connection reconnects from another port.
            for (Entry entry : List.copyOf(entries.values())) {
                boolean same = entry.peer.remote().getAddress().equals(from.getAddress());
                long silence = now - entry.peer.lastReceivedNanos();
                boolean gone =
                        silence
                                >= (entry.guid == client
                                        ? SAME_GUID_STALE_AFTER_NANOS
                                        : STALE_AFTER_NANOS);
                if (place == null && same && gone) {
                    replace(now, entry);
                    place = addressLimits.enter(now, from.getAddress());
                }
            }
        }
        if (place == null) {
            drop("address");
            return false;
        }
        RakNetPeer peer =
                RakNetPeer.server(from, settings.cookie(), mtu, settings, output, listener, now);
        entries.put(from, new Entry(peer, client, place));
        memoryBudget.add(peer);
        RakNetPeer oldest = opening.add(from.getAddress(), peer);
        if (oldest != null) {
            drop("opening");
            forget(oldest);
        }
        return true;
    }

    /** Whether the server has its maximum of open connections. */
    private boolean isFull() {
        return entries.size() - opening.size() >= settings.connections();
    }

    /** Ends a connection whose client has connected again. */
    private void replace(long now, Entry entry) {
        listener.onEnded(now, entry.peer, EndReason.TIMED_OUT, "the client connected again");
        forget(entry.peer);
    }

    private void forget(RakNetPeer peer) {
        Entry entry = entries.remove(peer.remote());
        if (entry != null) {
            release(entry);
        }
    }

    private void release(Entry entry) {
        entry.place.leave();
        opening.remove(entry.peer);
        memoryBudget.remove(entry.peer);
    }

    private void refuse(long now, InetSocketAddress to, int id) {
        writer.reset();
        OfflineMessage.Refusal.wire(writer, new OfflineMessage.Refusal(id, guid), settings.magic());
        sendSecondReply(now, to);
    }

    /** Ends all connections, and sends each peer a disconnection notification. */
    public void close(long now) {
        entries.values().forEach(entry -> defects.guard(entry.peer::close));
        advance(now);
    }

    @Override
    public long advance(long now) {
        long next = NEVER;
        for (Iterator<Entry> each = entries.values().iterator(); each.hasNext(); ) {
            Entry entry = each.next();
            try {
                next = Math.min(next, entry.peer.advance(now));
            } catch (RuntimeException | Error e) {
                // It ends, so that those behind it are served.
                defects.add(e);
                defects.guard(() -> entry.peer.abort(now, "defect: " + e));
            }
            if (entry.peer.isClosed()) {
                each.remove();
                release(entry);
            }
        }
        defects.rethrow();
        return next;
    }
}

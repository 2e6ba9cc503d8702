package dev.wishdir.raknet;

import dev.wishdir.net.AddressCookies;
import dev.wishdir.net.AddressLimits;
import dev.wishdir.net.AmplificationLimiter;
import dev.wishdir.net.Counters;
import dev.wishdir.net.DatagramHandler;
import dev.wishdir.net.HalfOpenTable;
import dev.wishdir.net.MemoryBudget;
import dev.wishdir.raknet.RakNetListener.EndReason;
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
 * The listening side of RakNet: answers pings, opens connections, passes datagrams to them. Nothing
 * is kept for an address before it has repeated its cookie, and every answer until then is paid
 * from the {@link AmplificationLimiter} for unproven addresses. Used by one thread.
 */
public final class RakNetServer implements DatagramHandler {
    /** A connection of a client with an identity, in its place among those of its address. */
    private record Entry(RakNetPeer peer, long guid, AddressLimits.Place place) {}

    private static final long STALE_AFTER_NANOS = 5_000_000_000L;

    /** The same for a client that comes with the identity that it had. */
    private static final long SILENCE_NANOS = 1_000_000_000L;

    private static final int MAX_HALF_OPEN = 64;

    private final RakNetSettings settings;
    private final RakNetOutput output;
    private final AddressLimits addressLimits;
    private final MemoryBudget memoryBudget;
    private final HalfOpenTable<RakNetPeer> opening;
    private final Counters counters;
    private final RakNetListener listener;
    private final long guid;
    private final AddressCookies cookies;
    private final Map<InetSocketAddress, Entry> entries = new LinkedHashMap<>();
    private final Writer writer = new Writer(1500);

    /**
     * @param addressLimits what is counted by address
     * @param memoryBudget what is opening counts there; once it is open, that is the listener's to
     *     do
     * @param listener receives the events of every connection
     * @param counters of what is dropped: without a connection, malformed, past a limit
     * @param random this server's identity and the cookies' keys; a secure one in a real server
     */
    public RakNetServer(
            RakNetSettings settings,
            RakNetOutput output,
            AddressLimits addressLimits,
            MemoryBudget memoryBudget,
            Counters counters,
            RakNetListener listener,
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

    /** Sees when a connection has opened. */
    private final class ConnectionListener implements RakNetListener {
        private final RakNetListener then;

        ConnectionListener(RakNetListener then) {
            this.then = then;
        }

        @Override
        public void onConnected(long now, RakNetPeer peer) {
            memoryBudget.remove(peer);
            cookies.spend(peer.remote());
            opening.remove(peer);
            then.onConnected(now, peer);
        }

        @Override
        public void onReceived(long now, RakNetPeer peer, Bytes message) {
            then.onReceived(now, peer, message);
        }

        @Override
        public void onEnded(long now, RakNetPeer peer, EndReason ending, String reason) {
            then.onEnded(now, peer, ending, reason);
        }
    }

    /** This server's identity, which it sends to every client. */
    public long guid() {
        return guid;
    }

    /** Connections that exist, open or opening. */
    public int connections() {
        return entries.size();
    }

    /** The same, for a look at what each costs. */
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
        counters.count(settings.counted() + "." + reason);
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
        send(
                to,
                addressLimits
                        .amplificationLimiter()
                        .tryAcquire(now, to.getAddress(), writer.position()));
    }

    /** The same for what asks for a cookie, and was let through with it. */
    private void answerSecond(long now, InetSocketAddress to) {
        if (settings.cookie()) {
            int length = writer.position();
            send(
                    to,
                    addressLimits
                            .amplificationLimiter()
                            .tryAcquireVerified(now, to.getAddress(), length));
        } else {
            answer(now, to);
        }
    }

    private void send(InetSocketAddress to, boolean allowed) {
        if (allowed) {
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
        answer(now, from);
    }

    private void second(
            long now, InetSocketAddress from, OfflineMessage.OpenConnectionRequest2 request) {
        if (settings.cookie() && !cookies.isValid(now, from, request.cookie())) {
            drop("cookie");
            return;
        }
        Entry existing = entries.get(from);
        boolean same = existing != null && existing.guid == request.guid();
        if (existing != null && existing.peer.heard() && !(same && existing.peer.isOpening())) {
            // An open connection has spent its cookie: the next one proves that its client is gone.
            if (!settings.cookie() && now - existing.peer.lastHeard() < STALE_AFTER_NANOS) {
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
        answerSecond(now, from);
    }

    /** Begins a connection, if there is room for it. */
    private boolean open(long now, InetSocketAddress from, int mtu, long client) {
        if (isFull()) {
            return false;
        }
        AddressLimits.Place place = addressLimits.enter(now, from.getAddress());
        if (place == null) {
            // A client that lost its connection comes from another port.
            for (Entry entry : List.copyOf(entries.values())) {
                boolean same = entry.peer.remote().getAddress().equals(from.getAddress());
                long silence = now - entry.peer.lastHeard();
                boolean gone =
                        silence >= (entry.guid == client ? SILENCE_NANOS : STALE_AFTER_NANOS);
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

    /** Whether there are as many open connections as there may be. */
    private boolean isFull() {
        return entries.size() - opening.size() >= settings.connections();
    }

    /** Ends a connection whose client connects again. */
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
        answerSecond(now, to);
    }

    /** Ends all connections; the other sides are notified with what this call still sends. */
    public void close(long now) {
        entries.values().forEach(entry -> entry.peer.close());
        advance(now);
    }

    @Override
    public long advance(long now) {
        long next = NEVER;
        for (Iterator<Entry> each = entries.values().iterator(); each.hasNext(); ) {
            Entry entry = each.next();
            next = Math.min(next, entry.peer.advance(now));
            if (entry.peer.isClosed()) {
                each.remove();
                release(entry);
            }
        }
        return next;
    }
}

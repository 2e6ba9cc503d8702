package dev.wishdir.nethernet;

import dev.wishdir.net.Requirements;
import dev.wishdir.net.limit.AddressLimits;
import dev.wishdir.net.limit.HalfOpenTable;
import dev.wishdir.net.limit.PrefixLimits;
import dev.wishdir.net.loop.Counters;
import dev.wishdir.net.loop.DatagramHandler;
import dev.wishdir.net.loop.DatagramSink;
import dev.wishdir.net.loop.MemoryBudget;
import dev.wishdir.net.loop.TurnDefects;
import dev.wishdir.nethernet.dtls.Dtls;
import dev.wishdir.nethernet.dtls.DtlsCertificate;
import dev.wishdir.nethernet.dtls.DtlsConnection;
import dev.wishdir.nethernet.ice.IceCredentials;
import dev.wishdir.nethernet.ice.Stun;
import dev.wishdir.nethernet.identity.Identity;
import dev.wishdir.nethernet.sdp.Sdp;
import dev.wishdir.wire.EvictingMap;
import dev.wishdir.wire.MalformedPacketException;

import org.jspecify.annotations.Nullable;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * A NetherNet server on one UDP port: a lite ICE agent and the peers that signalling admitted.
 *
 * <p>It sends nothing to an address before a signed check from it proves that the client has
 * received the answer to its offer.
 *
 * <p>Its constructor has many parameters: limits, memory and counters are shared with the other
 * endpoints of a program.
 */
public final class NetherNetServer implements DatagramHandler {
    /**
     * Settings of a server.
     *
     * @param peers maximum of connections, without half-open ones
     * @param opening maximum of half-open connections whose address is unproven, and also of those
     *     whose address is proved; the oldest is evicted for a new one
     * @param openingOfPrefix maximum of either of one address prefix
     * @param beginsDtls whether the server is the client of DTLS, like the game's own
     * @param limits of each connection
     */
    public record Settings(
            int peers,
            int opening,
            PrefixLimits openingOfPrefix,
            boolean beginsDtls,
            NetherNetLimits limits) {
        /**
         * @throws IllegalArgumentException if a number is out of its range
         */
        public Settings {
            Requirements.notNegative("peers", peers);
            Requirements.positive("opening", opening);
        }

        /**
         * 64 half-open connections, 4 of an address, 16 of a /24, /56 or /48; the server is the
         * client of DTLS.
         */
        public static Settings standard(int peers) {
            return new Settings(
                    peers, 64, new PrefixLimits(4, 16, 16), true, NetherNetLimits.SERVER);
        }
    }

    /** Whether another offer can be accepted. */
    enum Room {
        FREE,
        FULL,
        /** The address has its maximum of sessions, in all games together. */
        NONE_FOR_ADDRESS,
        /** Many offers of the address are being verified. */
        TOO_MANY_CHECKED_OF_ADDRESS
    }

    private static final class Entry {
        final NetherNetPeer peer;
        final Sdp answer;
        AddressLimits.@Nullable Place place;

        Entry(NetherNetPeer peer, Sdp answer) {
            this.peer = peer;
            this.answer = answer;
        }
    }

    /** Identifies an offer: random ICE credentials, which are not drawn twice, and fingerprints. */
    private record OfferKey(IceCredentials ice, List<Sdp.Fingerprint> fingerprints) {
        OfferKey(Sdp offer) {
            this(offer.ice(), offer.fingerprints());
        }
    }

    /**
     * An accepted offer.
     *
     * @param fragment user fragment of its peer
     */
    private record Taken(InetAddress from, String fragment) {}

    private static final int MAX_REMEMBERED_OFFERS = 4096;

    private static final String DISPLACED = "evicted by newer connections before it was open";

    private final Settings settings;
    private final DatagramSink output;
    private final AddressLimits addressLimits;
    private final MemoryBudget memoryBudget;
    private final Counters counters;
    private final String prefix;
    private final NetherNetPeer.Listener listener;
    private final RandomGenerator random;
    private final Dtls.Maker maker;
    private final TurnDefects defects = new TurnDefects();
    private final Map<String, Entry> byFragment = new LinkedHashMap<>();
    private final Map<InetSocketAddress, Entry> byAddress = new HashMap<>();
    private final Map<OfferKey, Taken> offers = new EvictingMap<>(MAX_REMEMBERED_OFFERS);

    /** Half-open connections whose address is unproven, and those whose address is proved. */
    private final HalfOpenTable<Entry> unproven;

    private final HalfOpenTable<Entry> proven;
    private int opening;

    /**
     * @param addressLimits limits by client address
     * @param memoryBudget counts half-open connections; open ones are counted by the listener
     * @param prefix of the counters' names, such as {@code bedrock.nethernet}
     * @param listener of all connections
     * @param random source of passwords, tags and randoms; cryptographically secure in a real
     *     server
     */
    public NetherNetServer(
            Settings settings,
            DatagramSink output,
            AddressLimits addressLimits,
            MemoryBudget memoryBudget,
            Counters counters,
            String prefix,
            NetherNetPeer.Listener listener,
            RandomGenerator random) {
        this(
                settings,
                output,
                addressLimits,
                memoryBudget,
                counters,
                prefix,
                listener,
                random,
                new DtlsConnection.Maker(DtlsCertificate.generate(random), random));
    }

    NetherNetServer(
            Settings settings,
            DatagramSink output,
            AddressLimits addressLimits,
            MemoryBudget memoryBudget,
            Counters counters,
            String prefix,
            NetherNetPeer.Listener listener,
            RandomGenerator random,
            Dtls.Maker maker) {
        this.settings = settings;
        this.output = output;
        this.addressLimits = addressLimits;
        this.memoryBudget = memoryBudget;
        this.counters = counters;
        this.prefix = prefix;
        this.listener = new PeerListener(listener);
        this.random = random;
        this.maker = maker;
        unproven = addressLimits.halfOpen(settings.opening, settings.openingOfPrefix);
        proven = addressLimits.halfOpen(settings.opening, settings.openingOfPrefix);
    }

    /** Counts a connection's address when it opens. */
    private final class PeerListener implements NetherNetPeer.Listener {
        private final NetherNetPeer.Listener then;

        PeerListener(NetherNetPeer.Listener then) {
            this.then = then;
        }

        @Override
        public void onConnected(long now, NetherNetPeer peer) {
            Entry entry = byFragment.get(peer.fragment());
            // Offers were counted by their sender's address, which may be another one.
            boolean full = open() >= settings.peers;
            AddressLimits.Place place =
                    full || entry == null
                            ? null
                            : addressLimits.enter(now, peer.remote().getAddress());
            if (entry == null || place == null) {
                drop(full ? "full" : "address");
                then.onRefused(
                        now,
                        peer,
                        full ? NetherNetPeer.Refusal.FULL : NetherNetPeer.Refusal.ADDRESS_LIMIT);
                return;
            }
            entry.place = place;
            proven.remove(entry);
            opening--;
            memoryBudget.remove(peer);
            then.onConnected(now, peer);
        }

        @Override
        public void onRefused(long now, NetherNetPeer peer, NetherNetPeer.Refusal reason) {
            then.onRefused(now, peer, reason);
        }

        @Override
        public void onReceived(long now, NetherNetPeer peer, boolean reliable, byte[] packet) {
            then.onReceived(now, peer, reliable, packet);
        }

        @Override
        public void onEnded(
                long now, NetherNetPeer peer, NetherNetPeer.EndReason ending, String reason) {
            then.onEnded(now, peer, ending, reason);
        }
    }

    private void drop(String reason) {
        counters.count(prefix + ".drop." + reason);
    }

    private int open() {
        return byFragment.size() - opening;
    }

    /** The number of connections, with half-open ones. */
    public int connections() {
        return byFragment.size();
    }

    /** The number of half-open connections. */
    public int opening() {
        return opening;
    }

    /**
     * Whether a datagram is NetherNet's, on a port that is shared with another protocol.
     *
     * <p>STUN is recognised by its cookie, DTLS by its first byte and a proved address, or by its
     * version: the last datagrams of a peer that is gone are not another protocol's either.
     */
    public boolean isOurs(InetSocketAddress from, byte[] data) {
        return Stun.isStun(data)
                || isDtls(data)
                        && (byAddress.containsKey(from)
                                || data.length > 2
                                        && (data[1] & 0xFF) == 0xFE
                                        && (data[2] & 0xFF) >= 0xFD);
    }

    private static boolean isDtls(byte[] data) {
        return data.length > 0 && data[0] >= 20 && data[0] <= 63;
    }

    /** Whether an address is exempt from the limits by address. */
    boolean isTrusted(InetAddress address) {
        return addressLimits.isTrusted(address);
    }

    /** The memory budget of all connections. */
    MemoryBudget memory() {
        return memoryBudget;
    }

    /**
     * Whether an offer of an address can be accepted now; called before it is read.
     *
     * @param checked number of offers being verified
     * @param checkedOfAddress number of those of the same address
     */
    Room room(InetAddress from, int checked, int checkedOfAddress) {
        if (checked >= settings.opening || open() >= settings.peers) {
            return Room.FULL;
        }
        if (addressLimits.isTrusted(from)) {
            return Room.FREE;
        }
        if (checkedOfAddress >= addressLimits.remainingSessions(from)) {
            return Room.NONE_FOR_ADDRESS;
        }
        return checkedOfAddress < settings.openingOfPrefix.subscriber()
                ? Room.FREE
                : Room.TOO_MANY_CHECKED_OF_ADDRESS;
    }

    /**
     * Whether an offer is a replay: it was accepted before, from another address or for a peer
     * whose address is proved.
     */
    boolean isReplay(InetSocketAddress from, Sdp offer) {
        Taken taken = offers.get(new OfferKey(offer));
        if (taken == null) {
            return false;
        }
        Entry entry = byFragment.get(taken.fragment);
        boolean shown = entry != null && !unproven.contains(entry);
        if (!shown && taken.from.equals(from.getAddress())) {
            return false;
        }
        drop("replay");
        return true;
    }

    /**
     * Accepts an offer that is not a {@linkplain #isReplay replay}; sends nothing.
     *
     * <p>A client that repeats an offer before its address is proved, as its answer was lost, gets
     * the same answer again. If there is no room, the oldest half-open connection is evicted.
     *
     * @param reachable the addresses to which the client can send, the likeliest first
     * @return the answer, without an identity
     */
    Sdp take(
            long now,
            InetSocketAddress from,
            Sdp offer,
            @Nullable Identity identity,
            List<InetSocketAddress> reachable) {
        OfferKey key = new OfferKey(offer);
        Taken before = offers.get(key);
        Entry same = before == null ? null : byFragment.get(before.fragment);
        if (same != null && unproven.contains(same)) {
            return same.answer;
        }
        boolean begins =
                offer.setup() == Sdp.Setup.PASSIVE
                        || offer.setup() == Sdp.Setup.ACTPASS && settings.beginsDtls;
        Sdp answer =
                new Sdp(
                        random.nextLong() >>> 4,
                        IceCredentials.random(random),
                        true,
                        List.of(Sdp.Fingerprint.sha256(maker.certificateHash())),
                        begins ? Sdp.Setup.ACTIVE : Sdp.Setup.PASSIVE,
                        offer.mid(),
                        SegmentCodec.MAX_MESSAGE_BYTES,
                        reachable,
                        null);
        NetherNetPeer peer =
                new NetherNetPeer(
                        new NetherNetPeer.Agreement(answer, offer, begins, null, identity),
                        from,
                        maker,
                        settings.limits,
                        output,
                        listener,
                        random,
                        now);
        Entry entry = new Entry(peer, answer);
        displace(now, unproven.add(from.getAddress(), entry));
        byFragment.put(peer.fragment(), entry);
        offers.remove(key);
        offers.put(key, new Taken(from.getAddress(), peer.fragment()));
        opening++;
        memoryBudget.add(peer);
        return answer;
    }

    private void displace(long now, @Nullable Entry gone) {
        if (gone != null) {
            drop("displaced");
            gone.peer.abort(now, DISPLACED);
            forget(gone);
        }
    }

    @Override
    public void receive(long now, InetSocketAddress from, byte[] data) {
        if (Stun.isStun(data)) {
            stun(now, from, data);
            return;
        }
        Entry entry = isDtls(data) ? byAddress.get(from) : null;
        if (entry == null) {
            drop("unknown");
        } else {
            entry.peer.receive(now, data);
        }
    }

    private void stun(long now, InetSocketAddress from, byte[] data) {
        Stun message;
        try {
            message = Stun.read(data);
        } catch (MalformedPacketException e) {
            drop("malformed");
            return;
        }
        int colon = message.username().indexOf(':');
        Entry entry = colon < 0 ? null : byFragment.get(message.username().substring(0, colon));
        if (message.type() != Stun.REQUEST
                || entry == null
                || !entry.peer.stun(now, from, message, data)) {
            drop("stun");
            return;
        }
        if (unproven.remove(entry)) {
            displace(now, proven.add(from.getAddress(), entry));
        }
        Entry before = byAddress.put(from, entry);
        if (before != entry) {
            byAddress
                    .entrySet()
                    .removeIf(each ->
                            each.getValue() == entry
                                    && !entry.peer.addresses().contains(each.getKey()));
        }
    }

    @Override
    public long advance(long now) {
        long next = NEVER;
        List<Entry> over = null;
        for (Entry entry : byFragment.values()) {
            try {
                next = Math.min(next, entry.peer.advance(now));
            } catch (RuntimeException | Error e) {
                // It ends, so that those behind it are served.
                defects.add(e);
                defects.guard(() -> entry.peer.abort(now, "defect: " + e));
            }
            if (entry.peer.closed()) {
                over = over == null ? new ArrayList<>() : over;
                over.add(entry);
            }
        }
        if (over != null) {
            over.forEach(this::forget);
        }
        defects.rethrow();
        return next;
    }

    private void forget(Entry entry) {
        byFragment.remove(entry.peer.fragment());
        for (InetSocketAddress address : entry.peer.addresses()) {
            byAddress.remove(address, entry);
        }
        unproven.remove(entry);
        proven.remove(entry);
        if (entry.place == null) {
            opening--;
        } else {
            entry.place.leave();
        }
        memoryBudget.remove(entry.peer);
    }
}

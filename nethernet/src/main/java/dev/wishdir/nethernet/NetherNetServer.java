package dev.wishdir.nethernet;

import dev.wishdir.net.AddressLimits;
import dev.wishdir.net.Counters;
import dev.wishdir.net.DatagramHandler;
import dev.wishdir.net.HalfOpenTable;
import dev.wishdir.net.MemoryBudget;
import dev.wishdir.net.PrefixLimits;
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
 * The listening side on one UDP port: a lite agent of ICE, and the peers that signalling let in. It
 * sends nothing to anybody who has not shown, by a signed check from just that address, that he has
 * the answer to his offer.
 */
public final class NetherNetServer implements DatagramHandler {
    /**
     * How a host listens.
     *
     * @param peers the most at once, besides those that are opening
     * @param opening the most that are opening and have not shown that they receive; and as many
     *     that have, and are opening still. The oldest goes where there is no room
     * @param openingOfPrefix the most of either of one prefix of addresses
     * @param beginsDtls whether the server begins DTLS, as the game's own does
     * @param limits of each connection
     */
    public record Settings(
            int peers,
            int opening,
            PrefixLimits openingOfPrefix,
            boolean beginsDtls,
            NetherNetLimits limits) {
        /** 64 opening, 4 of an address, 16 of a /24, /56 or /48; the server begins DTLS. */
        public static Settings standard(int peers) {
            return new Settings(
                    peers, 64, new PrefixLimits(4, 16, 16), true, NetherNetLimits.SERVER);
        }
    }

    /** Whether another offer may be taken. */
    enum Room {
        FREE,
        FULL,
        /** It has as many sessions as it may have, in all games together. */
        NONE_FOR_ADDRESS,
        /** Many of its offers are being checked. */
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
     * An offer that was taken.
     *
     * @param fragment the peer's that came of it
     */
    private record Taken(InetAddress from, String fragment) {}

    private static final int MAX_REMEMBERED_OFFERS = 4096;

    private static final String DISPLACED = "others came who had not connected yet";

    private final Settings settings;
    private final NetherNetOutput output;
    private final AddressLimits addressLimits;
    private final MemoryBudget memoryBudget;
    private final Counters counters;
    private final String prefix;
    private final NetherNetPeer.Listener listener;
    private final RandomGenerator random;
    private final Dtls.Maker maker;
    private final Map<String, Entry> byFragment = new LinkedHashMap<>();
    private final Map<InetSocketAddress, Entry> byAddress = new HashMap<>();
    private final Map<OfferKey, Taken> offers = new EvictingMap<>(MAX_REMEMBERED_OFFERS);

    /** Those that are opening and have not shown that they receive, and those that have. */
    private final HalfOpenTable<Entry> unproven;

    private final HalfOpenTable<Entry> proven;
    private int opening;

    /**
     * @param addressLimits what is counted by address
     * @param memoryBudget what is opening counts there; once it is open, that is the listener's to
     *     do
     * @param prefix of the counters, as {@code bedrock.nethernet}
     * @param listener receives the events of every connection
     * @param random of passwords, tags and randoms; a secure one in a real server
     */
    public NetherNetServer(
            Settings settings,
            NetherNetOutput output,
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
            NetherNetOutput output,
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

    /** Sees when a connection has opened, which is when its address counts. */
    private final class PeerListener implements NetherNetPeer.Listener {
        private final NetherNetPeer.Listener then;

        PeerListener(NetherNetPeer.Listener then) {
            this.then = then;
        }

        @Override
        public void onConnected(long now, NetherNetPeer peer) {
            Entry entry = byFragment.get(peer.fragment());
            // Offers were counted by where they came from, which may be another address.
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

    /** Connections that exist, open or opening. */
    public int connections() {
        return byFragment.size();
    }

    /** Connections that are not open yet. */
    public int opening() {
        return opening;
    }

    /**
     * Whether a datagram is NetherNet's, where the port is shared with another protocol: STUN by
     * its cookie, DTLS by its first byte and an address that has shown itself, or by its version,
     * since the last words of one who is gone are no other protocol's.
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

    /** Whether an address is free of the counts by address. */
    boolean isTrusted(InetAddress address) {
        return addressLimits.isTrusted(address);
    }

    /** The memory that all connections share. */
    MemoryBudget memory() {
        return memoryBudget;
    }

    /**
     * Whether an offer that came from an address may be taken now; asked before it is read.
     *
     * @param checked how many are being checked
     * @param checkedOfAddress how many of them are of the same address
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
     * Whether an offer is a recording: it was taken already, from another address or for a peer
     * that has shown itself since.
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
     * Takes an offer that is no {@linkplain #isReplay replay}. Nothing is sent by this. Who repeats
     * an offer before he has shown himself, as where the answer was lost, gets the same answer
     * again. Where there is no room for one more that is opening the oldest is ended.
     *
     * @param reachable where the client may send to, the likeliest first
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
            next = Math.min(next, entry.peer.advance(now));
            if (entry.peer.closed()) {
                over = over == null ? new ArrayList<>() : over;
                over.add(entry);
            }
        }
        if (over != null) {
            over.forEach(this::forget);
        }
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

package dev.wishdir.enet;

import dev.wishdir.enet.EnetCommand.Ack;
import dev.wishdir.enet.EnetCommand.BandwidthLimit;
import dev.wishdir.enet.EnetCommand.Connect;
import dev.wishdir.enet.EnetCommand.Terms;
import dev.wishdir.enet.EnetCommand.VerifyConnect;
import dev.wishdir.net.Addresses;
import dev.wishdir.net.Budget;
import dev.wishdir.net.Counters;
import dev.wishdir.net.DatagramHandler;
import dev.wishdir.net.Duty;
import dev.wishdir.net.HalfOpen;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;

import org.jspecify.annotations.Nullable;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * One side of ENet 1.3, server or client: a pure state machine that is given datagrams and the
 * time, and hands out datagrams, messages and the time of its next turn. No socket, thread or clock
 * of its own.
 *
 * <p>A CONNECT takes no connection away from others: its sender stays {@linkplain HalfOpen half
 * open} until it repeats the 32 random bits that were sent to its address, in a datagram for the
 * slot, drawn at random too, that was told there. Until then it is sent nothing unasked, and
 * nothing that the {@link Budget} for unproven addresses does not allow; a wrong guess costs the
 * right client nothing. A datagram that is malformed anywhere, or does not come from the address
 * and session of its peer, is dropped whole and counted.
 */
public final class EnetHost implements DatagramHandler {
    /** Where a host's datagrams go: {@code UdpSocket::send}. */
    @FunctionalInterface
    public interface Output {
        /** Sends a datagram; the bytes are the host's again when this returns. */
        void send(InetSocketAddress to, byte[] data, int offset, int length);
    }

    /** Why a datagram was dropped, or what it asked for was not done. */
    enum Drop {
        /** It doesn't follow the protocol somewhere. */
        MALFORMED,
        OVERSIZED,
        COMPRESSED,
        /** It is for a peer that there isn't, or from an address that isn't its own. */
        STRAY,
        /** It is of an earlier connection of the slot. */
        SESSION,
        /** The sender has a connection already. */
        DUPLICATE,
        /** No connection is free. */
        FULL,
        /** The address has all the connections that one may have. */
        ADDRESS,
        /** The budget for unproven addresses is spent. */
        BUDGET,
        /** A half-open connection gave way to a newer one. */
        EVICTED,
        /** The sender has not proved that it receives. */
        UNPROVEN,
        /** It acknowledges what it can't have been sent, or not then. */
        WRONG_ACK,
        /** A command wants an acknowledgement, and its datagram has no sent time. */
        UNTIMED,
        /** A command that the connection's state, channels or earlier commands do not allow. */
        REFUSED,
        /** A peer goes over the memory that is kept for it. */
        OVERFLOW,
        /** A peer does not go on with a message that it has begun. */
        INCOMPLETE
    }

    static final int MIN_MTU = 576;
    static final int MAX_MTU = 4096;

    /** The longest datagram of ENet's own hosts where nothing else is set, bytes. */
    static final int USUAL_MTU = 1392;

    static final int MAX_CHANNELS = 255;
    static final int MIN_WINDOW = 4096;
    static final int MAX_WINDOW = 65536;
    static final int NO_SESSION = 0xFF;
    static final int FIRST_SEQ = 1;
    static final long NEVER = Long.MAX_VALUE;

    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final int HALF_OPEN_TIME = 5000;
    private static final int VERIFY_AGAIN = 100;
    private static final int BANDWIDTH_INTERVAL = 1000;
    private static final long THROTTLE_INTERVAL = 5000;
    private static final long THROTTLE_STEP = 2;

    private final EnetSettings settings;
    private final EnetListener listener;
    private final Output output;
    private final @Nullable Budget budget;
    private final @Nullable HalfOpen<EnetHandshake> halfOpen;
    private final Counters counters;

    /** The counters' names. */
    private final String[] drops;

    private final RandomGenerator random;

    private final @Nullable EnetPeer[] slots;
    private final @Nullable EnetHandshake[] handshakeSlots;
    private final BitSet used = new BitSet();
    private final byte[] inSessions;
    private final byte[] outSessions;
    private final List<EnetPeer> peers = new ArrayList<>();
    private final Map<InetSocketAddress, EnetPeer> peersByAddress = new HashMap<>();
    private final Map<InetAddress, Integer> perAddress = new HashMap<>();

    /** Oldest first. */
    private final Map<InetSocketAddress, EnetHandshake> handshakes = new LinkedHashMap<>();

    private final List<EnetPeer> dirty = new ArrayList<>();

    private final Reader reader = new Reader(new byte[0]);
    private final EnetPacker packer = new EnetPacker();
    private final List<EnetCommand> commands = new ArrayList<>(EnetDatagram.MAX_COMMANDS);

    private long nextDeadline = NEVER;
    private boolean peersChanged;
    private boolean limited;
    private long nextBandwidth = NEVER;

    /**
     * A host that connects to others and that nobody can connect to; nothing counts what it drops.
     *
     * @param random connection ids; a secure one where somebody could guess
     */
    public EnetHost(
            EnetSettings settings, EnetListener listener, Output output, RandomGenerator random) {
        this(settings, listener, output, new Counters(), random, null);
    }

    /**
     * @param addresses what those may have who have not proved that they receive
     * @param counters where drops are counted, {@code enet.drop.malformed}
     * @param random connection ids, slots, sessions and proofs; a secure one in a real server
     */
    public EnetHost(
            EnetSettings settings,
            EnetListener listener,
            Output output,
            Addresses addresses,
            Counters counters,
            RandomGenerator random) {
        this(settings, listener, output, counters, random, addresses);
    }

    private EnetHost(
            EnetSettings settings,
            EnetListener listener,
            Output output,
            Counters counters,
            RandomGenerator random,
            @Nullable Addresses addresses) {
        this.settings = settings;
        this.listener = listener;
        this.output = output;
        budget = addresses == null ? null : addresses.budget();
        halfOpen =
                addresses == null || settings.maxHalfOpen() == 0
                        ? null
                        : addresses.halfOpen(settings.maxHalfOpen());
        this.counters = counters;
        drops =
                Stream.of(Drop.values())
                        .map(drop ->
                                settings.counters() + "." + drop.name().toLowerCase(Locale.ROOT))
                        .toArray(String[]::new);
        this.random = random;
        int size = settings.maxPeers() + settings.maxHalfOpen();
        slots = new @Nullable EnetPeer[size];
        handshakeSlots = new @Nullable EnetHandshake[size];
        inSessions = new byte[size];
        outSessions = new byte[size];
        Arrays.fill(inSessions, (byte) NO_SESSION);
        Arrays.fill(outSessions, (byte) NO_SESSION);
    }

    /** The connections that are up, begun by this side or being ended. */
    public List<EnetPeer> peers() {
        return List.copyOf(peers);
    }

    /** CONNECTs whose senders have not proved yet that they receive. */
    public int halfOpen() {
        return handshakes.size();
    }

    /**
     * Starts a connection; {@link EnetListener#connected} or {@link EnetListener#disconnected}
     * tells what came of it.
     *
     * @param data a number for the other side, 0..2^32-1
     * @throws IllegalStateException if all connections of this host are taken
     */
    public EnetPeer connect(InetSocketAddress to, long data) {
        if (peers.size() >= settings.maxPeers()) {
            throw new IllegalStateException(
                    "all " + settings.maxPeers() + " connections of this host are taken");
        }
        int index = used.nextClearBit(0);
        EnetPeer peer = new EnetPeer(this, index, to, random.nextInt() & 0xFFFFFFFFL);
        add(peer);
        Terms terms =
                new Terms(
                        index,
                        inSessions[index] & 0xFF,
                        outSessions[index] & 0xFF,
                        settings.mtu(),
                        window(settings.inBandwidth(), settings.inBandwidth()),
                        settings.channels(),
                        settings.inBandwidth(),
                        settings.outBandwidth(),
                        THROTTLE_INTERVAL,
                        THROTTLE_STEP,
                        THROTTLE_STEP,
                        peer.connectID());
        EnetOutbox outbox = peer.outbox();
        outbox.queueReliable(
                new Connect(
                        EnetCommand.ACKNOWLEDGE,
                        EnetCommand.NO_CHANNEL,
                        outbox.nextSeq(),
                        terms,
                        data));
        return peer;
    }

    @Override
    public void receive(long now, InetSocketAddress from, byte[] data) {
        if (data.length > MAX_MTU) {
            drop(Drop.OVERSIZED);
            return;
        }
        reader.reset(data, 0, data.length);
        try {
            EnetHeader header = EnetHeader.wire(reader, EnetHeader.BLANK);
            if (header.compressed()) {
                drop(Drop.COMPRESSED);
            } else if (header.peerID() == EnetHeader.NO_PEER) {
                receiveFirst(now, from);
            } else if (header.peerID() < slots.length) {
                receive(now, from, header);
            } else {
                drop(Drop.STRAY);
            }
        } catch (MalformedPacketException e) {
            drop(Drop.MALFORMED);
        }
    }

    private void receiveFirst(long now, InetSocketAddress from) {
        decode();
        if (commands.getFirst() instanceof Connect connect) {
            connect(now, from, connect.terms());
        } else {
            drop(Drop.STRAY);
        }
    }

    private void receive(long now, InetSocketAddress from, EnetHeader header) {
        EnetPeer peer = slots[header.peerID()];
        EnetHandshake handshake = handshakeSlots[header.peerID()];
        if (handshake != null && handshake.address.equals(from)) {
            if (header.session() != handshake.granted.outSession()) {
                drop(Drop.SESSION);
                return;
            }
            decode();
            peer = proven(now, handshake);
        } else if (peer == null || !peer.address().equals(from)) {
            drop(Drop.STRAY);
            return;
        } else if (!peer.accepts(header.session())) {
            drop(Drop.SESSION);
            return;
        } else {
            decode();
        }
        if (peer != null) {
            peer.receive(millis(now), header, commands);
        }
    }

    /** Decodes all commands before any takes effect, so that a malformed datagram has none. */
    private void decode() {
        commands.clear();
        do {
            reader.bounded("commands", commands.size() + 1, EnetDatagram.MAX_COMMANDS);
            commands.add(EnetCommand.wire(reader, EnetCommand.Ping.BLANK));
        } while (reader.remaining() > 0);
    }

    private void connect(long now, InetSocketAddress from, Terms asked) {
        if (asked.channels() < 1 || asked.channels() > MAX_CHANNELS || from.getPort() == 0) {
            drop(Drop.MALFORMED);
            return;
        }
        EnetHandshake begun = handshakes.get(from);
        if (begun != null && begun.asked.connectID() == asked.connectID()) {
            verify(now, begun);
            return;
        }
        EnetPeer peer = peersByAddress.get(from);
        if (peer != null && peer.connectID() == asked.connectID()) {
            drop(Drop.DUPLICATE);
        } else if (halfOpen == null || peers.size() >= settings.maxPeers()) {
            drop(Drop.FULL);
        } else if (perAddress.getOrDefault(from.getAddress(), 0) >= settings.maxPeersPerAddress()) {
            drop(Drop.ADDRESS);
        } else if (spend(now, from)) {
            if (begun != null) {
                forget(begun);
            }
            EnetHandshake handshake = grant(millis(now), from, asked);
            EnetHandshake evicted = halfOpen.add(from.getAddress(), handshake);
            if (evicted != null) {
                forget(evicted);
                drop(Drop.EVICTED);
            }
            send(millis(now), handshake);
        }
    }

    private boolean spend(long now, InetSocketAddress to) {
        if (budget != null
                && budget.spend(
                        now, to.getAddress(), EnetHeader.MAX_LENGTH + VerifyConnect.LENGTH)) {
            return true;
        }
        drop(Drop.BUDGET);
        return false;
    }

    private EnetHandshake grant(long now, InetSocketAddress from, Terms asked) {
        int index = freeSlot();
        int out = nextSession(asked.inSession(), outSessions[index] & 0xFF);
        int in = nextSession(asked.outSession(), inSessions[index] & 0xFF);
        outSessions[index] = (byte) out;
        inSessions[index] = (byte) in;
        Terms granted =
                new Terms(
                        index,
                        out,
                        in,
                        mtu(asked),
                        Math.min(
                                window(asked),
                                window(settings.inBandwidth(), settings.inBandwidth())),
                        Math.min(asked.channels(), settings.channels()),
                        settings.inBandwidth(),
                        settings.outBandwidth(),
                        asked.thrInterval(),
                        asked.thrAccel(),
                        asked.thrDecel(),
                        asked.connectID());
        EnetHandshake handshake =
                new EnetHandshake(index, from, asked, granted, random.nextInt(), now);
        used.set(index);
        handshakeSlots[index] = handshake;
        handshakes.put(from, handshake);
        return handshake;
    }

    private int freeSlot() {
        int index = used.nextClearBit(random.nextInt(slots.length));
        return index < slots.length ? index : used.nextClearBit(0);
    }

    /** A session id that is neither the one that the client has had nor the slot's last. */
    private int nextSession(int asked, int last) {
        int session = (asked == NO_SESSION ? last : asked) + 1 + random.nextInt(4) & 3;
        while (session == asked || session == last) {
            session = session + 1 & 3;
        }
        return session;
    }

    private void forget(EnetHandshake handshake) {
        used.clear(handshake.index);
        handshakeSlots[handshake.index] = null;
        handshakes.remove(handshake.address);
        if (halfOpen != null) {
            halfOpen.remove(handshake);
        }
    }

    private void send(long now, EnetHandshake handshake) {
        handshake.verified = now;
        packer.start(MIN_MTU);
        packer.add(handshake.verify(), VerifyConnect.LENGTH);
        packer.emit(output, handshake.address, handshake.header());
    }

    /** Sends a VERIFY_CONNECT that seems to be lost again: no timer does, before there is proof. */
    private void verify(long now, EnetHandshake handshake) {
        if (millis(now) - handshake.verified >= VERIFY_AGAIN && spend(now, handshake.address)) {
            send(millis(now), handshake);
        }
    }

    /**
     * Makes a peer of a handshake if the decoded commands hold its proof. The first acknowledgement
     * alone counts, so that a datagram is one guess; a wrong one leaves the handshake to the right
     * client.
     */
    private @Nullable EnetPeer proven(long now, EnetHandshake handshake) {
        boolean unproven = false;
        for (int i = 0; i < commands.size(); i++) {
            EnetCommand command = commands.get(i);
            if (command instanceof Ack ack) {
                if (!handshake.isProof(ack)) {
                    drop(Drop.WRONG_ACK);
                    return null;
                }
                commands.remove(i);
                return open(now, handshake);
            }
            unproven |= command.acknowledge() && !(command instanceof VerifyConnect);
        }
        drop(Drop.UNPROVEN);
        if (unproven) {
            verify(now, handshake);
        }
        return null;
    }

    private @Nullable EnetPeer open(long now, EnetHandshake handshake) {
        EnetPeer before = peersByAddress.get(handshake.address);
        if (before != null) {
            ended(before, 0, EnetListener.Cause.REPLACED);
        }
        forget(handshake);
        if (peers.size() >= settings.maxPeers()) {
            drop(Drop.FULL);
            return null;
        }
        Terms asked = handshake.asked;
        Terms granted = handshake.granted;
        EnetPeer peer = new EnetPeer(this, handshake.index, handshake.address, granted.connectID());
        add(peer);
        peer.outbox().continueAfter(handshake.seq());
        long ms = millis(now);
        peer.measured().configure(asked.thrInterval(), asked.thrAccel(), asked.thrDecel());
        peer.measured().sample(ms, ms - handshake.verified);
        peer.open(
                ms,
                asked,
                granted.outSession(),
                granted.inSession(),
                mtu(asked),
                sendWindow(asked.inBW()));
        up(peer);
        return peer;
    }

    /** Whether an answer to a CONNECT repeats what was asked for. */
    boolean asked(Terms terms, long connectID) {
        return terms.channels() >= 1
                && terms.channels() <= MAX_CHANNELS
                && terms.thrInterval() == THROTTLE_INTERVAL
                && terms.thrAccel() == THROTTLE_STEP
                && terms.thrDecel() == THROTTLE_STEP
                && terms.connectID() == connectID
                && terms.outgoingPeerID() < EnetHeader.NO_PEER;
    }

    /** The server granted what a peer of this host asked for. */
    void verified(long now, EnetPeer peer, Terms terms) {
        int in = terms.inSession() & 3;
        int out = terms.outSession() & 3;
        inSessions[peer.index()] = (byte) in;
        outSessions[peer.index()] = (byte) out;
        peer.open(
                now,
                terms,
                in,
                out,
                mtu(terms),
                Math.min(window(terms), window(settings.outBandwidth(), settings.outBandwidth())));
        up(peer);
    }

    private void up(EnetPeer peer) {
        peersChanged = true;
        limited |= peer.inBandwidth() != 0 || settings.outBandwidth() != 0;
        listener.connected(peer);
    }

    private int mtu(Terms theirs) {
        return Math.min(settings.mtu(), Math.clamp(theirs.mtu(), MIN_MTU, MAX_MTU));
    }

    private static int window(Terms theirs) {
        return Math.clamp(theirs.window(), MIN_WINDOW, MAX_WINDOW);
    }

    /** The window for the lower of two bandwidths, of which 0 is none. */
    private static int window(long one, long other) {
        if (one == 0 && other == 0) {
            return MAX_WINDOW;
        }
        long bandwidth = one == 0 || other == 0 ? Math.max(one, other) : Math.min(one, other);
        return Math.clamp(bandwidth / MAX_WINDOW * MIN_WINDOW, MIN_WINDOW, MAX_WINDOW);
    }

    /** The window of reliable data to one who takes in so many bytes a second. */
    int sendWindow(long theirIn) {
        limited |= theirIn != 0;
        return window(theirIn, settings.outBandwidth());
    }

    private void add(EnetPeer peer) {
        used.set(peer.index());
        slots[peer.index()] = peer;
        peers.add(peer);
        peersByAddress.put(peer.address(), peer);
        perAddress.merge(peer.address().getAddress(), 1, Integer::sum);
    }

    /** Frees a peer's slot without a word to anyone. */
    void release(EnetPeer peer) {
        if (!peer.gone()) {
            peer.clear();
            used.clear(peer.index());
            slots[peer.index()] = null;
            peers.remove(peer);
            peersByAddress.remove(peer.address(), peer);
            perAddress.computeIfPresent(
                    peer.address().getAddress(), (_, count) -> count == 1 ? null : count - 1);
            peersChanged = true;
        }
    }

    /** Frees a peer's slot and tells the listener. */
    void ended(EnetPeer peer, long data, EnetListener.Cause cause) {
        release(peer);
        listener.disconnected(peer, data, cause);
    }

    @Override
    public long advance(long now) {
        long ms = millis(now);
        expireHandshakes(ms);
        if (ms >= nextBandwidth) {
            shareBandwidth();
        }
        do {
            for (int i = 0; i < dirty.size(); i++) {
                EnetPeer peer = dirty.get(i);
                service(peer, ms);
                peer.dirty = false;
            }
            dirty.clear();
            if (ms >= nextDeadline) {
                serviceDue(ms);
            }
        } while (!dirty.isEmpty());
        if (nextBandwidth == NEVER && (peersChanged || limited)) {
            nextBandwidth = ms + BANDWIDTH_INTERVAL;
        }
        long next = Math.min(nextDeadline, nextBandwidth);
        if (!handshakes.isEmpty()) {
            next = Math.min(next, handshakes.values().iterator().next().begun + HALF_OPEN_TIME);
        }
        return next == NEVER ? Duty.NEVER : next * NANOS_PER_MILLI;
    }

    private void service(EnetPeer peer, long ms) {
        if (!peer.gone()) {
            peer.service(ms);
            nextDeadline = Math.min(nextDeadline, peer.deadline);
        }
    }

    private void serviceDue(long ms) {
        for (EnetPeer peer : List.copyOf(peers)) {
            if (peer.deadline <= ms) {
                service(peer, ms);
            }
        }
        nextDeadline = NEVER;
        for (EnetPeer peer : peers) {
            nextDeadline = Math.min(nextDeadline, peer.deadline);
        }
    }

    private void expireHandshakes(long ms) {
        while (!handshakes.isEmpty()) {
            EnetHandshake oldest = handshakes.values().iterator().next();
            // A clock that steps back must not keep them for ever.
            long age = ms - oldest.begun;
            if (age >= 0 && age < HALF_OPEN_TIME) {
                return;
            }
            forget(oldest);
            drop(Drop.UNPROVEN);
        }
    }

    /**
     * Tells everyone their share of what this host takes in when that has changed, and caps the
     * throttle of each peer by what it takes in and by this host's share for it. Shares are in
     * proportion to what was offered for a peer lately.
     */
    private void shareBandwidth() {
        nextBandwidth = NEVER;
        long total = 0;
        for (EnetPeer peer : peers) {
            total += peer.outbox().offered();
        }
        limited = settings.outBandwidth() != 0;
        for (EnetPeer peer : peers) {
            if (peer.up()) {
                limited |= peer.inBandwidth() != 0;
                peer.shareBandwidth(settings.outBandwidth(), total);
                if (peersChanged) {
                    EnetOutbox outbox = peer.outbox();
                    outbox.queueReliable(
                            new BandwidthLimit(
                                    EnetCommand.ACKNOWLEDGE,
                                    EnetCommand.NO_CHANNEL,
                                    outbox.nextSeq(),
                                    settings.inBandwidth() / peers.size(),
                                    settings.outBandwidth()));
                }
            }
        }
        peersChanged = false;
    }

    // Called by peers.

    EnetSettings settings() {
        return settings;
    }

    EnetListener listener() {
        return listener;
    }

    Output output() {
        return output;
    }

    EnetPacker packer() {
        return packer;
    }

    void dirty(EnetPeer peer) {
        if (!peer.dirty) {
            peer.dirty = true;
            dirty.add(peer);
        }
    }

    /** Looks at a peer at a time at the latest, milliseconds. */
    void schedule(EnetPeer peer, long deadline) {
        peer.deadline = Math.min(peer.deadline, deadline);
        nextDeadline = Math.min(nextDeadline, deadline);
    }

    void drop(Drop reason) {
        counters.count(drops[reason.ordinal()]);
    }

    private static long millis(long now) {
        return Math.floorDiv(now, NANOS_PER_MILLI);
    }
}

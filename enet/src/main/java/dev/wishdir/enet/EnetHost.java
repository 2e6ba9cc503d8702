package dev.wishdir.enet;

import dev.wishdir.enet.EnetCommand.Connect;
import dev.wishdir.enet.EnetCommand.Terms;
import dev.wishdir.net.Requirements;
import dev.wishdir.net.limit.AddressLimits;
import dev.wishdir.net.limit.AmplificationLimiter;
import dev.wishdir.net.limit.HalfOpenTable;
import dev.wishdir.net.loop.Counters;
import dev.wishdir.net.loop.DatagramHandler;
import dev.wishdir.net.loop.DatagramSink;
import dev.wishdir.net.loop.Duty;
import dev.wishdir.net.loop.TurnDefects;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;

import org.jspecify.annotations.Nullable;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * An ENet 1.3 host, server or client, as a state machine without socket, thread or clock.
 *
 * <p>Its inputs are datagrams and the time; its outputs are datagrams, messages and the time of its
 * next turn.
 *
 * <p>A CONNECT does not occupy a connection: its sender stays {@linkplain HalfOpenTable half open}
 * until it proves its address by repeating 32 random bits in a datagram for its randomly drawn
 * slot. Until then it is only sent replies, within the {@link AmplificationLimiter}; a wrong guess
 * does not harm the right client. A datagram that is malformed anywhere, or not from the address
 * and session of its peer, is dropped as a whole and counted.
 *
 * <p>It has many fields: the parts of the host, wired once, and its connections by slot, by address
 * and by what they have to do.
 */
public final class EnetHost implements DatagramHandler {
    private static final long NEVER = Duty.NEVER;
    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final int BANDWIDTH_INTERVAL_MILLIS = 1000;

    private final EnetSettings settings;
    private final NegotiatedParameters parameters;
    private final EnetListener listener;
    private final Counters counters;
    private final RandomGenerator random;

    /** The counters' names. */
    private final String[] drops;

    private final PeerSlots slots;
    private final @Nullable Slot[] bySlot;
    private final List<Slot> connected = new ArrayList<>();
    private final Map<InetSocketAddress, Slot> byAddress = new HashMap<>();
    private final Map<InetAddress, Integer> perAddress = new HashMap<>();
    private final @Nullable HandshakeTable handshakes;
    private final List<Slot> woken = new ArrayList<>();
    private final TurnDefects defects = new TurnDefects();

    private final Reader reader = new Reader(new byte[0]);
    private final DatagramBuilder datagram;
    private final List<EnetCommand> commands = new ArrayList<>(EnetDatagram.MAX_COMMANDS);

    /** Time of the last call of {@link #receive} or {@link #advance}, for the listener. */
    private long now;

    private long nextDeadline = NEVER;
    private boolean peersChanged;
    private boolean bandwidthLimited;
    private long nextBandwidth = NEVER;

    /**
     * A client host, which accepts no connections; its drops are not counted.
     *
     * @param random source of connection IDs; cryptographically secure where an attacker could
     *     guess
     */
    public EnetHost(
            EnetSettings settings,
            EnetListener listener,
            DatagramSink output,
            RandomGenerator random) {
        this(settings, listener, output, new Counters(), random, null);
    }

    /**
     * A host that connects and, unless {@link EnetSettings.Builder#maxHalfOpen} is 0, accepts
     * connections.
     *
     * @param addressLimits limits of unproven addresses
     * @param counters where drops are counted, {@code enet.drop.malformed}
     * @param random source of connection IDs, slots, sessions and proofs; cryptographically secure
     *     in a real server
     */
    public EnetHost(
            EnetSettings settings,
            EnetListener listener,
            DatagramSink output,
            AddressLimits addressLimits,
            Counters counters,
            RandomGenerator random) {
        this(settings, listener, output, counters, random, addressLimits);
    }

    private EnetHost(
            EnetSettings settings,
            EnetListener listener,
            DatagramSink output,
            Counters counters,
            RandomGenerator random,
            @Nullable AddressLimits addressLimits) {
        this.settings = settings;
        parameters = new NegotiatedParameters(settings);
        this.listener = listener;
        this.counters = counters;
        drops =
                Stream.of(DropReason.values())
                        .map(drop ->
                                settings.counters() + "." + drop.name().toLowerCase(Locale.ROOT))
                        .toArray(String[]::new);
        this.random = random;
        datagram = new DatagramBuilder(output);
        slots = new PeerSlots(settings.maxPeers() + settings.maxHalfOpen(), random);
        bySlot = new @Nullable Slot[slots.size()];
        handshakes =
                addressLimits == null || settings.maxHalfOpen() == 0
                        ? null
                        : new HandshakeTable(
                                parameters, slots, addressLimits, datagram, this::drop, random);
    }

    /** A connection in its slot, with the deadline of its next turn. */
    private final class Slot implements EnetConnection.Host {
        final EnetConnection connection;
        final EnetPeer peer;
        private final int index;
        private long deadline = NEVER;
        private boolean awake;

        Slot(int index, InetSocketAddress address, long connectID) {
            this.index = index;
            connection = new EnetConnection(this, parameters, datagram, address, connectID);
            peer = new EnetPeer(index, connection);
            slots.take(index);
            bySlot[index] = this;
            connected.add(this);
            byAddress.put(address, this);
            perAddress.merge(address.getAddress(), 1, Integer::sum);
        }

        /** Serves a woken connection. */
        void serviceWoken(long ms) {
            service(ms);
            awake = false;
        }

        /** A connection that throws ends, so that those behind it are served. */
        void service(long ms) {
            try {
                if (!connection.isClosed()) {
                    connection.service(ms);
                }
            } catch (RuntimeException | Error e) {
                defects.add(e);
                defects.guard(() -> onEnded(0, EnetDisconnectReason.DEFECT));
            }
            deadline = connection.isClosed() ? NEVER : connection.deadline();
            nextDeadline = Math.min(nextDeadline, deadline);
        }

        void onUp() {
            peersChanged = true;
            bandwidthLimited |= connection.inBandwidth() != 0 || settings.outBandwidth() != 0;
            listener.onConnected(now, peer);
        }

        @Override
        public void wake() {
            if (!awake) {
                awake = true;
                woken.add(this);
            }
        }

        @Override
        public void schedule(long at) {
            deadline = Math.min(deadline, at);
            nextDeadline = Math.min(nextDeadline, at);
        }

        @Override
        public void drop(DropReason reason) {
            EnetHost.this.drop(reason);
        }

        @Override
        public void onGranted(Terms terms, long now) {
            int in = terms.inSession() & 3;
            int out = terms.outSession() & 3;
            slots.setSessions(index, in, out);
            connection.onGranted(now, terms, in, out);
            onUp();
        }

        @Override
        public void onBandwidth(long peerIn) {
            bandwidthLimited |= peerIn != 0;
        }

        @Override
        public boolean connected() {
            return connection.connected();
        }

        @Override
        public void deliver(int channel, Bytes payload, boolean reliable) {
            if (connection.connected()) {
                listener.onReceived(now, peer, channel, payload, reliable);
            }
        }

        @Override
        public void overflow() {
            connection.overflow();
        }

        @Override
        public void onEnded(long data, EnetDisconnectReason cause) {
            onReleased();
            listener.onDisconnected(now, peer, data, cause);
        }

        @Override
        public void onReleased() {
            if (!connection.isClosed()) {
                connection.clear();
                deadline = NEVER;
                slots.free(index);
                bySlot[index] = null;
                connected.remove(this);
                byAddress.remove(connection.address(), this);
                perAddress.computeIfPresent(
                        connection.address().getAddress(),
                        (_, count) -> count == 1 ? null : count - 1);
                peersChanged = true;
            }
        }
    }

    /** All connections: open, opening or closing. */
    public List<EnetPeer> peers() {
        return connected.stream().map(slot -> slot.peer).toList();
    }

    /** The number of half-open connections, whose senders have not proved their address. */
    public int halfOpen() {
        return handshakes == null ? 0 : handshakes.size();
    }

    /**
     * Starts a connection; {@link EnetListener#onConnected} or {@link EnetListener#onDisconnected}
     * reports the result.
     *
     * @param data an application-defined number for the peer, 0..2^32-1
     * @throws IllegalArgumentException if the address is not resolved, or the number is outside its
     *     range
     * @throws IllegalStateException if the host has its maximum of peers, or on another thread than
     *     that of its socket
     */
    public EnetPeer connect(InetSocketAddress to, long data) {
        datagram.checkThread("connects a peer");
        Requirements.destination("server", to);
        if (data >>> Integer.SIZE != 0) {
            throw new IllegalArgumentException("data is " + data + ", must be 0..4294967295");
        }
        if (isFull()) {
            throw new IllegalStateException(
                    "cannot connect to "
                            + to
                            + ": the host has its maximum of "
                            + settings.maxPeers()
                            + " peers");
        }
        int index = slots.lowest();
        Slot slot = new Slot(index, to, random.nextInt() & 0xFFFFFFFFL);
        Terms terms =
                parameters.request(
                        index,
                        slots.inSession(index),
                        slots.outSession(index),
                        slot.connection.connectID());
        slot.connection.sender().connect(terms, data);
        return slot.peer;
    }

    private boolean isFull() {
        return connected.size() >= settings.maxPeers();
    }

    @Override
    public void receive(long now, InetSocketAddress from, byte[] data) {
        this.now = now;
        if (data.length > EnetSettings.MAX_MTU) {
            drop(DropReason.OVERSIZED);
            return;
        }
        reader.reset(data, 0, data.length);
        try {
            EnetHeader header = EnetHeader.wire(reader, EnetHeader.BLANK);
            if (header.compressed()) {
                drop(DropReason.COMPRESSED);
            } else if (header.peerID() == EnetHeader.NO_PEER) {
                receiveFirst(now, from);
            } else if (header.peerID() < slots.size()) {
                receive(now, from, header);
            } else {
                drop(DropReason.STRAY);
            }
        } catch (MalformedPacketException e) {
            drop(DropReason.MALFORMED);
        }
    }

    /** The connection to which a datagram belongs by its header; empty if there is none. */
    public Optional<EnetPeer> sender(InetSocketAddress from, byte[] data) {
        reader.reset(data, 0, data.length);
        EnetHeader header;
        try {
            header = EnetHeader.wire(reader, EnetHeader.BLANK);
        } catch (MalformedPacketException e) {
            return Optional.empty();
        }
        Slot slot = header.peerID() < slots.size() ? bySlot[header.peerID()] : null;
        return slot != null
                        && slot.connection.address().equals(from)
                        && slot.connection.hasSession(header.session())
                ? Optional.of(slot.peer)
                : Optional.empty();
    }

    private void receiveFirst(long now, InetSocketAddress from) {
        decode();
        if (commands.getFirst() instanceof Connect connect) {
            connect(now, from, connect);
        } else {
            drop(DropReason.STRAY);
        }
    }

    private void receive(long now, InetSocketAddress from, EnetHeader header) {
        PendingHandshake handshake =
                handshakes == null ? null : handshakes.find(header.peerID(), from);
        Slot slot = bySlot[header.peerID()];
        if (handshake != null && header.session() != handshake.granted().outSession()) {
            drop(DropReason.SESSION);
        } else if (handshake != null) {
            decode();
            completeHandshake(now, handshake, header);
        } else if (slot == null || !slot.connection.address().equals(from)) {
            drop(DropReason.STRAY);
        } else if (!slot.connection.hasSession(header.session())) {
            drop(DropReason.SESSION);
        } else {
            decode();
            slot.connection.sendQueue().traffic().in(reader.position());
            slot.connection.receive(millis(now), header, commands);
        }
    }

    /** Decodes all commands before any is executed, so that a malformed datagram has no effect. */
    private void decode() {
        commands.clear();
        do {
            reader.bounded("commands", commands.size() + 1, EnetDatagram.MAX_COMMANDS);
            commands.add(EnetCommand.wire(reader, EnetCommand.Ping.BLANK));
        } while (reader.remaining() > 0);
    }

    private void connect(long now, InetSocketAddress from, Connect request) {
        Terms requested = request.terms();
        if (!NegotiatedParameters.isValid(requested) || from.getPort() == 0) {
            drop(DropReason.MALFORMED);
            return;
        }
        if (handshakes != null && handshakes.repeat(now, from, requested)) {
            return;
        }
        Slot existing = byAddress.get(from);
        if (existing != null && existing.connection.connectID() == requested.connectID()) {
            drop(DropReason.DUPLICATE);
        } else if (handshakes == null || isFull()) {
            drop(DropReason.FULL);
        } else if (perAddress.getOrDefault(from.getAddress(), 0) >= settings.maxPeersPerAddress()) {
            drop(DropReason.ADDRESS);
        } else {
            handshakes.begin(now, from, request);
        }
    }

    /** Opens a connection if the decoded commands prove its handshake. */
    private void completeHandshake(long now, PendingHandshake handshake, EnetHeader header) {
        if (handshakes == null || !handshakes.prove(now, handshake, commands)) {
            return;
        }
        Slot replaced = byAddress.get(handshake.address());
        if (replaced != null) {
            replaced.onEnded(0, EnetDisconnectReason.REPLACED);
        }
        handshakes.forget(handshake.address());
        if (isFull()) {
            drop(DropReason.FULL);
            return;
        }
        long ms = millis(now);
        Slot slot =
                new Slot(handshake.index(), handshake.address(), handshake.granted().connectID());
        slot.connection.accept(ms, handshake);
        slot.onUp();
        slot.connection.receive(ms, header, commands);
    }

    @Override
    public long advance(long now) {
        this.now = now;
        long ms = millis(now);
        long next = handshakes == null ? NEVER : handshakes.expire(ms);
        if (ms >= nextBandwidth) {
            shareBandwidth();
        }
        do {
            for (int i = 0; i < woken.size(); i++) {
                woken.get(i).serviceWoken(ms);
            }
            woken.clear();
            if (ms >= nextDeadline) {
                serviceDue(ms);
            }
        } while (!woken.isEmpty());
        if (nextBandwidth == NEVER && (peersChanged || bandwidthLimited)) {
            nextBandwidth = ms + BANDWIDTH_INTERVAL_MILLIS;
        }
        next = Math.min(next, Math.min(nextDeadline, nextBandwidth));
        defects.rethrow();
        return next == NEVER ? NEVER : next * NANOS_PER_MILLI;
    }

    private void serviceDue(long ms) {
        for (Slot slot : List.copyOf(connected)) {
            if (slot.deadline <= ms) {
                slot.service(ms);
            }
        }
        nextDeadline = NEVER;
        for (Slot slot : connected) {
            nextDeadline = Math.min(nextDeadline, slot.deadline);
        }
    }

    /**
     * Limits each peer's throttle by its incoming bandwidth and its share of the host's outgoing
     * bandwidth.
     *
     * <p>Shares are in proportion to the bytes offered for a peer in the last interval. Sends peers
     * their share of the host's incoming bandwidth when the number of peers has changed.
     */
    private void shareBandwidth() {
        nextBandwidth = NEVER;
        long total = 0;
        for (Slot slot : connected) {
            total += slot.connection.sendQueue().offered();
        }
        bandwidthLimited = settings.outBandwidth() != 0;
        for (Slot slot : connected) {
            EnetConnection connection = slot.connection;
            if (connection.isUp()) {
                bandwidthLimited |= connection.inBandwidth() != 0;
                connection.shareBandwidth(settings.outBandwidth(), total);
                if (peersChanged) {
                    connection
                            .sender()
                            .limitBandwidth(
                                    settings.inBandwidth() / connected.size(),
                                    settings.outBandwidth());
                }
            }
        }
        peersChanged = false;
    }

    private void drop(DropReason reason) {
        counters.count(drops[reason.ordinal()]);
    }

    private static long millis(long now) {
        return Math.floorDiv(now, NANOS_PER_MILLI);
    }
}

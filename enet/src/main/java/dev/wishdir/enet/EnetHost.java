package dev.wishdir.enet;

import dev.wishdir.enet.EnetCommand.Connect;
import dev.wishdir.enet.EnetCommand.Terms;
import dev.wishdir.net.AddressLimits;
import dev.wishdir.net.AmplificationLimiter;
import dev.wishdir.net.Counters;
import dev.wishdir.net.DatagramHandler;
import dev.wishdir.net.Duty;
import dev.wishdir.net.HalfOpenTable;
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
 * One side of ENet 1.3, server or client: a pure state machine that is given datagrams and the
 * time, and hands out datagrams, messages and the time of its next turn. No socket, thread or clock
 * of its own.
 *
 * <p>A CONNECT takes no connection away from others: its sender stays {@linkplain HalfOpenTable
 * half open} until it repeats the 32 random bits that were sent to its address, in a datagram for
 * the slot, drawn at random too, that was sent to it. Until then it is sent nothing unasked, and
 * nothing that the {@link AmplificationLimiter} for unproven addresses does not allow; a wrong
 * guess costs the right client nothing. A datagram that is malformed anywhere, or does not come
 * from the address and session of its peer, is dropped whole and counted. Longer than other
 * classes, as connections and handshakes share the slots.
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
    private final @Nullable Seat[] bySlot;
    private final List<Seat> seats = new ArrayList<>();
    private final Map<InetSocketAddress, Seat> byAddress = new HashMap<>();
    private final Map<InetAddress, Integer> perAddress = new HashMap<>();
    private final @Nullable HandshakeTable handshakes;
    private final List<Seat> woken = new ArrayList<>();

    private final Reader reader = new Reader(new byte[0]);
    private final DatagramBuilder datagram;
    private final List<EnetCommand> commands = new ArrayList<>(EnetDatagram.MAX_COMMANDS);

    private long nextDeadline = NEVER;
    private boolean peersChanged;
    private boolean limited;
    private long nextBandwidth = NEVER;

    /**
     * A host that only connects to others and accepts no connection; its drops are not counted.
     *
     * @param random connection ids; a secure one where an attacker could guess
     */
    public EnetHost(
            EnetSettings settings,
            EnetListener listener,
            EnetOutput output,
            RandomGenerator random) {
        this(settings, listener, output, new Counters(), random, null);
    }

    /**
     * A host that connects to others and, where settings leave room for half-open connections, that
     * others connect to.
     *
     * @param addressLimits what those may have who have not proved that they receive
     * @param counters where drops are counted, {@code enet.drop.malformed}
     * @param random connection ids, slots, sessions and proofs; a secure one in a real server
     */
    public EnetHost(
            EnetSettings settings,
            EnetListener listener,
            EnetOutput output,
            AddressLimits addressLimits,
            Counters counters,
            RandomGenerator random) {
        this(settings, listener, output, counters, random, addressLimits);
    }

    private EnetHost(
            EnetSettings settings,
            EnetListener listener,
            EnetOutput output,
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
        bySlot = new @Nullable Seat[slots.size()];
        handshakes =
                addressLimits == null || settings.maxHalfOpen() == 0
                        ? null
                        : new HandshakeTable(
                                parameters, slots, addressLimits, datagram, this::drop, random);
    }

    /** A connection's entry: its next deadline and its listener. */
    private final class Seat implements EnetConnection.Home {
        final EnetConnection connection;
        final EnetPeer peer;
        private final int index;
        private long deadline = NEVER;
        private boolean dirty;

        Seat(int index, InetSocketAddress address, long connectID) {
            this.index = index;
            connection = new EnetConnection(this, parameters, datagram, address, connectID);
            peer = new EnetPeer(index, connection);
            slots.take(index);
            bySlot[index] = this;
            seats.add(this);
            byAddress.put(address, this);
            perAddress.merge(address.getAddress(), 1, Integer::sum);
        }

        /** Its turn, because it was woken. */
        void clean(long ms) {
            service(ms);
            dirty = false;
        }

        void service(long ms) {
            if (!connection.gone()) {
                connection.service(ms);
            }
            deadline = connection.gone() ? NEVER : connection.deadline();
            nextDeadline = Math.min(nextDeadline, deadline);
        }

        void up() {
            peersChanged = true;
            limited |= connection.inBandwidth() != 0 || settings.outBandwidth() != 0;
            listener.onConnected(peer);
        }

        @Override
        public void wake() {
            if (!dirty) {
                dirty = true;
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
        public void granted(Terms terms, long now) {
            int in = terms.inSession() & 3;
            int out = terms.outSession() & 3;
            slots.setSessions(index, in, out);
            connection.granted(now, terms, in, out);
            up();
        }

        @Override
        public void bandwidth(long theirIn) {
            limited |= theirIn != 0;
        }

        @Override
        public void received(int channel, Bytes payload, boolean reliable) {
            listener.onReceived(peer, channel, payload, reliable);
        }

        @Override
        public void ended(long data, EnetDisconnectReason cause) {
            released();
            listener.onDisconnected(peer, data, cause);
        }

        @Override
        public void released() {
            if (!connection.gone()) {
                connection.clear();
                deadline = NEVER;
                slots.free(index);
                bySlot[index] = null;
                seats.remove(this);
                byAddress.remove(connection.address(), this);
                perAddress.computeIfPresent(
                        connection.address().getAddress(),
                        (_, count) -> count == 1 ? null : count - 1);
                peersChanged = true;
            }
        }
    }

    /** The connections that are up, begun by this side or being ended. */
    public List<EnetPeer> peers() {
        return seats.stream().map(seat -> seat.peer).toList();
    }

    /** CONNECTs whose senders have not proved yet that they receive. */
    public int halfOpen() {
        return handshakes == null ? 0 : handshakes.size();
    }

    /**
     * Starts a connection; {@link EnetListener#onConnected} or {@link EnetListener#onDisconnected}
     * reports the result.
     *
     * @param data a number for the other side, 0..2^32-1
     * @throws IllegalStateException if all connections of this host are taken
     */
    public EnetPeer connect(InetSocketAddress to, long data) {
        if (isFull()) {
            throw new IllegalStateException(
                    "all " + settings.maxPeers() + " connections of this host are taken");
        }
        int index = slots.lowest();
        Seat seat = new Seat(index, to, random.nextInt() & 0xFFFFFFFFL);
        Terms terms =
                parameters.request(
                        index,
                        slots.inSession(index),
                        slots.outSession(index),
                        seat.connection.connectID());
        seat.connection.sender().connect(terms, data);
        return seat.peer;
    }

    private boolean isFull() {
        return seats.size() >= settings.maxPeers();
    }

    @Override
    public void receive(long now, InetSocketAddress from, byte[] data) {
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

    /** The connection that a datagram is of, by its header; empty where there is none. */
    public Optional<EnetPeer> sender(InetSocketAddress from, byte[] data) {
        reader.reset(data, 0, data.length);
        EnetHeader header;
        try {
            header = EnetHeader.wire(reader, EnetHeader.BLANK);
        } catch (MalformedPacketException e) {
            return Optional.empty();
        }
        Seat seat = header.peerID() < slots.size() ? bySlot[header.peerID()] : null;
        return seat != null
                        && seat.connection.address().equals(from)
                        && seat.connection.accepts(header.session())
                ? Optional.of(seat.peer)
                : Optional.empty();
    }

    private void receiveFirst(long now, InetSocketAddress from) {
        decode();
        if (commands.getFirst() instanceof Connect connect) {
            connect(now, from, connect.terms());
        } else {
            drop(DropReason.STRAY);
        }
    }

    private void receive(long now, InetSocketAddress from, EnetHeader header) {
        PendingHandshake handshake =
                handshakes == null ? null : handshakes.find(header.peerID(), from);
        Seat seat = bySlot[header.peerID()];
        if (handshake != null && header.session() != handshake.granted().outSession()) {
            drop(DropReason.SESSION);
        } else if (handshake != null) {
            decode();
            prove(now, handshake, header);
        } else if (seat == null || !seat.connection.address().equals(from)) {
            drop(DropReason.STRAY);
        } else if (!seat.connection.accepts(header.session())) {
            drop(DropReason.SESSION);
        } else {
            decode();
            seat.connection.outbox().traffic().in(reader.position());
            seat.connection.receive(millis(now), header, commands);
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
        if (!NegotiatedParameters.isValid(asked) || from.getPort() == 0) {
            drop(DropReason.MALFORMED);
            return;
        }
        if (handshakes != null && handshakes.repeat(now, from, asked)) {
            return;
        }
        Seat known = byAddress.get(from);
        if (known != null && known.connection.connectID() == asked.connectID()) {
            drop(DropReason.DUPLICATE);
        } else if (handshakes == null || isFull()) {
            drop(DropReason.FULL);
        } else if (perAddress.getOrDefault(from.getAddress(), 0) >= settings.maxPeersPerAddress()) {
            drop(DropReason.ADDRESS);
        } else {
            handshakes.begin(now, from, asked);
        }
    }

    /** Opens a connection if the decoded commands hold the proof of its handshake. */
    private void prove(long now, PendingHandshake handshake, EnetHeader header) {
        if (handshakes == null || !handshakes.prove(now, handshake, commands)) {
            return;
        }
        Seat before = byAddress.get(handshake.address());
        if (before != null) {
            before.ended(0, EnetDisconnectReason.REPLACED);
        }
        handshakes.forget(handshake);
        if (isFull()) {
            drop(DropReason.FULL);
            return;
        }
        long ms = millis(now);
        Seat seat =
                new Seat(handshake.index(), handshake.address(), handshake.granted().connectID());
        seat.connection.accept(ms, handshake);
        seat.up();
        seat.connection.receive(ms, header, commands);
    }

    @Override
    public long advance(long now) {
        long ms = millis(now);
        long next = handshakes == null ? NEVER : handshakes.expire(ms);
        if (ms >= nextBandwidth) {
            shareBandwidth();
        }
        do {
            for (int i = 0; i < woken.size(); i++) {
                woken.get(i).clean(ms);
            }
            woken.clear();
            if (ms >= nextDeadline) {
                serviceDue(ms);
            }
        } while (!woken.isEmpty());
        if (nextBandwidth == NEVER && (peersChanged || limited)) {
            nextBandwidth = ms + BANDWIDTH_INTERVAL_MILLIS;
        }
        next = Math.min(next, Math.min(nextDeadline, nextBandwidth));
        return next == NEVER ? NEVER : next * NANOS_PER_MILLI;
    }

    private void serviceDue(long ms) {
        for (Seat seat : List.copyOf(seats)) {
            if (seat.deadline <= ms) {
                seat.service(ms);
            }
        }
        nextDeadline = NEVER;
        for (Seat seat : seats) {
            nextDeadline = Math.min(nextDeadline, seat.deadline);
        }
    }

    /**
     * Sends each peer its share of the incoming bandwidth when that has changed, and caps the
     * throttle of each peer by what it takes in and by this host's share for it. Shares are in
     * proportion to what was offered for a peer lately.
     */
    private void shareBandwidth() {
        nextBandwidth = NEVER;
        long total = 0;
        for (Seat seat : seats) {
            total += seat.connection.outbox().offered();
        }
        limited = settings.outBandwidth() != 0;
        for (Seat seat : seats) {
            EnetConnection connection = seat.connection;
            if (connection.up()) {
                limited |= connection.inBandwidth() != 0;
                connection.shareBandwidth(settings.outBandwidth(), total);
                if (peersChanged) {
                    connection
                            .sender()
                            .limitBandwidth(
                                    settings.inBandwidth() / seats.size(), settings.outBandwidth());
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

package dev.wishdir.quake2.server;

import dev.wishdir.arena.LeaveReason;
import dev.wishdir.arena.PlayerId;
import dev.wishdir.arena.Viewer;
import dev.wishdir.net.AddressLimits;
import dev.wishdir.net.MemoryConsumer;
import dev.wishdir.net.TokenBucket;
import dev.wishdir.quake2.message.ClientMessage;
import dev.wishdir.quake2.message.Move;
import dev.wishdir.quake2.message.ServerMessage;
import dev.wishdir.quake2.message.ServerMessage.ConfigString;
import dev.wishdir.quake2.message.ServerMessage.StuffText;
import dev.wishdir.quake2.netchan.InfoString;
import dev.wishdir.quake2.netchan.MoveChecksum;
import dev.wishdir.quake2.netchan.Netchan;
import dev.wishdir.quake2.netchan.NetchanHeader;
import dev.wishdir.quake2.protocol.Quake2Codec;
import dev.wishdir.quake2.protocol.Quake2Text;
import dev.wishdir.wire.MalformedPacketException;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Writer;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;

/**
 * One client's session, from its accepted {@code connect} to its removal: phases, limits of its
 * packets and commands, time-outs, and when it is sent a packet.
 */
final class Quake2Session implements MemoryConsumer {
    private static final int MAX_COMMANDS_PER_PACKET = 7;

    /** Far more packets per second than a client sends at a thousand frames a second. */
    private static final double MAX_PACKETS = 1000;

    /** Burst of commands: as many as a client sends that lacks all files of a map. */
    private static final double MAX_COMMANDS = 200;

    private static final long KEEP_ALIVE_INTERVAL_NANOS = 1_000_000_000;
    private static final long IDLE_TIMEOUT_NANOS = 90_000_000_000L;
    private static final long ENTER_TIMEOUT_NANOS = 300_000_000_000L;
    private static final long FIRST_PACKET_TIMEOUT_NANOS = 10_000_000_000L;
    private static final long ZOMBIE_NANOS = 2_000_000_000;

    /** How long a disconnected client with a bad connection is sent the reason. */
    private static final long UNACKED_ZOMBIE_NANOS = 10_000_000_000L;

    /** Time to return the number of the map, which proves the address. */
    private static final long PROOF_TIMEOUT_NANOS = 30_000_000_000L;

    /** Interval of ping reports, frames of the game's ten a second. */
    private static final int PING_INTERVAL_FRAMES = 10;

    /**
     * A client that acknowledges no packet for this long gets only every {@link
     * #SLOW_FRAME_INTERVAL}th frame.
     */
    private static final long SLOW_AFTER_NANOS = 2_000_000_000;

    /** Frame interval of a client that acknowledges nothing, frames of the game's ten a second. */
    private static final int SLOW_FRAME_INTERVAL = 5;

    /** Maximum gap before the first packet from another port. */
    private static final int MAX_SEQUENCE_AHEAD = 32;

    /**
     * Packet interval of a fast client: during a port change, the gap may grow by one per interval.
     */
    private static final long MIN_PACKET_INTERVAL_NANOS = 1_000_000;

    /** Minimum silence of the old port before a port change. */
    private static final long MIN_SILENCE_NANOS = 1_000_000_000;

    /** Burst of accepted port changes. */
    private static final double MAX_REBINDINGS = 3;

    private static final double REBINDINGS_PER_SECOND = 0.1;

    /** Progress of the session. */
    private enum Phase {
        /** Sign-on. */
        CONNECTED,
        /** In the game. */
        SPAWNED,
        /** Disconnected; the last reliable message may still be in flight. */
        ZOMBIE
    }

    private final Quake2Endpoint endpoint;
    private final AddressLimits.Place place;
    private final int slot;
    private final int qport;
    private final int challenge;

    /** When the sign-on of the current map had to start. */
    private long signOnStart;

    private final ReliableChannel channel = new ReliableChannel();
    private final Netchan netchan = channel.netchan();
    private final ClientPlayer clientPlayer;
    private final FrameScheduler scheduler;
    private final SignOn signOn;
    private final ClientCommands commands;
    private final Quake2Viewer viewer = new Quake2Viewer(this, channel);
    private final TokenBucket rebindings = new TokenBucket(MAX_REBINDINGS, REBINDINGS_PER_SECOND);

    /** Limits packets that are processed. */
    private final TokenBucket packetLimiter = new TokenBucket(MAX_PACKETS, MAX_PACKETS / 2);

    /** Limits commands that are run, except for requests of the next block of a file. */
    private final TokenBucket commandLimiter = new TokenBucket(MAX_COMMANDS, MAX_COMMANDS / 4);

    private InetSocketAddress address;
    private Phase phase = Phase.CONNECTED;
    private boolean hasReceived;
    private long lastReceived;
    private long lastAcknowledged;
    private long lastSent;

    Quake2Session(
            Quake2Endpoint endpoint,
            InetSocketAddress address,
            AddressLimits.Place place,
            int slot,
            int qport,
            int challenge,
            InfoString userInfo,
            long now) {
        this.endpoint = endpoint;
        this.address = address;
        this.place = place;
        this.slot = slot;
        this.qport = qport;
        this.challenge = challenge;
        clientPlayer = new ClientPlayer(endpoint, this, userInfo);
        scheduler = new FrameScheduler(endpoint, channel, slot, userInfo.number("frames", 10));
        signOn = new SignOn(endpoint, slot, scheduler.framesPerSecond());
        commands = new ClientCommands(endpoint, this, channel, signOn, clientPlayer);
        signOnStart = now;
        lastReceived = now;
        lastAcknowledged = now;
        lastSent = now;
    }

    InetSocketAddress address() {
        return address;
    }

    /** Slot by which clients know it, from 0. */
    int slot() {
        return slot;
    }

    int qport() {
        return qport;
    }

    Viewer viewer() {
        return viewer;
    }

    /** Its player; empty until it has entered. */
    Optional<PlayerId> player() {
        return clientPlayer.player();
    }

    /** The program that the client reports; empty before. */
    String version() {
        return commands.version();
    }

    /** Whether it is in the sign-on. */
    boolean isJoining() {
        return phase == Phase.CONNECTED;
    }

    /** Whether it plays or is a spectator. */
    boolean isInGame() {
        return phase == Phase.SPAWNED;
    }

    /** Whether it was disconnected. */
    boolean isLeaving() {
        return phase == Phase.ZOMBIE;
    }

    /** Whether a connect repeats the one that this session was accepted by. */
    boolean isSameConnect(int qport, int challenge) {
        return this.qport == qport && this.challenge == challenge && !hasReceived;
    }

    /** Nanoseconds since the last new packet. */
    long idleNanos(long now) {
        return now - lastReceived;
    }

    /** Whether its time-out has passed. */
    boolean isExpired(long now) {
        long idle = idleNanos(now);
        return switch (phase) {
            case ZOMBIE -> idle > (channel.isQuiet() ? ZOMBIE_NANOS : UNACKED_ZOMBIE_NANOS);
            case SPAWNED -> idle > IDLE_TIMEOUT_NANOS;
            case CONNECTED ->
                    idle > (hasReceived ? IDLE_TIMEOUT_NANOS : FIRST_PACKET_TIMEOUT_NANOS)
                            || now - signOnStart
                                    > (isProven() ? ENTER_TIMEOUT_NANOS : PROOF_TIMEOUT_NANOS);
        };
    }

    /** Queues reliable messages for one packet. */
    void event(ServerMessage... messages) {
        if (phase != Phase.ZOMBIE && !channel.event(messages)) {
            drop(LeaveReason.of(LeaveReason.Code.SEND_QUEUE_FULL));
        }
    }

    /** Sends a changed configstring, if the client has the others. */
    void onConfigString(int index) {
        if (signOn.hasStarted() && phase != Phase.ZOMBIE) {
            channel.state(
                    index, () -> List.of(new ConfigString(index, endpoint.configString(index))));
        }
    }

    /** Disconnects the client. */
    void drop(LeaveReason reason) {
        endpoint.drop(this, reason);
    }

    /** Sends the reason as the last message, and disconnects. */
    void sendDisconnect(long now, String reason) {
        channel.clear();
        event(EventMessages.line(reason), ServerMessage.Signal.DISCONNECT);
        phase = Phase.ZOMBIE;
        lastReceived = now;
    }

    /** Frees its place, as it is removed. */
    void close() {
        phase = Phase.ZOMBIE;
        place.leave();
    }

    /** Whether it has proven its address by a number that only the receiver can know. */
    boolean isProven() {
        return signOn.isProven() && phase != Phase.ZOMBIE;
    }

    /**
     * Whether a packet from another port may be the client's (NAT rebinding): the old port is
     * silent, and the packet has the next numbers, which others behind the same address do not
     * know.
     */
    boolean allowsRebinding(long now, NetchanHeader header) {
        return idleNanos(now) >= MIN_SILENCE_NANOS
                && continues(now, header)
                && rebindings.tryAcquire(now);
    }

    /** Whether a packet has one of the next numbers after the current silence. */
    boolean continues(long now, NetchanHeader header) {
        long ahead = MAX_SEQUENCE_AHEAD + idleNanos(now) / MIN_PACKET_INTERVAL_NANOS;
        return isProven()
                && header.sequence() > netchan.incoming()
                && header.sequence() - netchan.incoming() <= ahead
                && header.ack() >= netchan.acknowledged()
                && header.ack() < netchan.nextSequence();
    }

    /** Whether a packet of its address can be its client's, by the header. */
    boolean isFrom(NetchanHeader header) {
        return qport == header.qport() && header.sequence() > netchan.incoming();
    }

    /** Continues with another port. */
    void rebind(InetSocketAddress newAddress) {
        address = newAddress;
    }

    /** Processes a packet of its client. */
    void receive(long now, byte[] data) {
        if (!packetLimiter.tryAcquire(now)) {
            endpoint.count("drop.flood");
            return;
        }
        Reader r = new Reader(data);
        int acknowledged = netchan.acknowledged();
        if (!channel.receive(r)) {
            endpoint.count("stale");
            return;
        }
        if (netchan.acknowledged() > acknowledged) {
            lastAcknowledged = now;
        }
        hasReceived = true;
        if (phase == Phase.ZOMBIE) {
            return;
        }
        lastReceived = now;
        clientPlayer.recordActivity(now);
        if (netchan.isNotAcknowledging(now)) {
            drop(LeaveReason.NOT_ACKNOWLEDGING);
            return;
        }
        try {
            messages(now, r, data);
        } catch (MalformedPacketException e) {
            endpoint.count("malformed");
            drop(
                    new LeaveReason(
                            LeaveReason.Code.PROTOCOL_ERROR, "malformed message: " + e.field()));
        }
    }

    private void messages(long now, Reader r, byte[] data) {
        int commandCount = 0;
        boolean moved = false;
        while (r.remaining() > 0 && phase != Phase.ZOMBIE) {
            int from = r.position();
            ClientMessage message;
            try {
                message = Quake2Codec.readClient(r);
            } catch (MalformedPacketException e) {
                if (data[from] != Quake2Codec.MOVE) {
                    throw e;
                }
                endpoint.count("cut-move");
                return;
            }
            switch (message) {
                case Move move -> {
                    int body = from + 2;
                    int expected =
                            MoveChecksum.of(data, body, r.position() - body, netchan.incoming());
                    if (moved || !move(now, move, move.checksum() == expected)) {
                        return;
                    }
                    moved = true;
                }
                case ClientMessage.StringCmd command -> {
                    String text = command.text().value();
                    boolean allowed = ClientCommands.isFree(text) || commandLimiter.tryAcquire(now);
                    if (++commandCount <= MAX_COMMANDS_PER_PACKET && allowed) {
                        commands.run(now, text);
                    } else {
                        endpoint.count("command-limit");
                    }
                }
                case ClientMessage.UserInfo info -> userInfo(now, info.text().value());
                case ClientMessage.Nop _ -> {}
            }
        }
    }

    /**
     * Runs a move.
     *
     * @return false if the rest of its packet must be ignored
     */
    private boolean move(long now, Move move, boolean valid) {
        if (phase != Phase.SPAWNED) {
            scheduler.requestFullFrame();
            return true;
        }
        scheduler.acknowledge(now, move.lastFrame());
        if (!valid) {
            endpoint.count("checksum");
            return false;
        }
        clientPlayer.run(now, move, netchan.dropped());
        return true;
    }

    private void userInfo(long now, String text) {
        Optional<InfoString> parsed = InfoString.parse(text);
        if (text.isEmpty() || parsed.isEmpty()) {
            endpoint.count("userinfo");
        } else {
            clientPlayer.userInfo(now, parsed.get());
        }
    }

    /** Starts or restarts the sign-on. */
    void startSignOn() {
        if (phase != Phase.CONNECTED) {
            return;
        }
        // Queued messages are obsolete, as the sign-on sends all of it again.
        channel.clear();
        commands.stopDownload();
        signOn.start();
        clientPlayer.expectFirstCommand();
        scheduler.requestFullFrame();
        channel.state("new", signOn::serverData);
    }

    /** Enters the game after the sign-on. */
    void enter(long now) {
        if (!clientPlayer.join(now)) {
            drop(Sessions.FULL);
            return;
        }
        phase = Phase.SPAWNED;
        scheduler.reset();
        clientPlayer.spawn(now);
        event(EventMessages.entered(clientPlayer.name()));
    }

    /** Starts the sign-on of another map. */
    void changeMap(long now) {
        boolean hadMap = signOn.hasStarted();
        signOn.nextMap();
        if (phase == Phase.ZOMBIE || !hadMap) {
            return;
        }
        phase = Phase.CONNECTED;
        signOnStart = now;
        clientPlayer.despawn(now);
        scheduler.reset();
        commands.stopDownload();
        channel.clear();
        channel.state(
                "map", () -> List.of(new StuffText("changing\n"), new StuffText("reconnect\n")));
    }

    /** Whether it gets more than the game's ten frames a second. */
    boolean isFast() {
        return scheduler.isFast();
    }

    /** Sends a frame if one is due, or other pending data. */
    void tick(long now, int tick, FrameEntities frameEntities) {
        boolean regular = tick % Quake2Endpoint.TICKS_PER_FRAME == 0;
        if (regular) {
            int number = tick / Quake2Endpoint.TICKS_PER_FRAME;
            clientPlayer.frame(number);
            if (number % PING_INTERVAL_FRAMES == 0) {
                clientPlayer.ping(scheduler.ping());
            }
            if (clientPlayer.overlay().isDue(number)) {
                channel.state(Overlay.KIND, clientPlayer::board);
            }
        }
        boolean slow = now - lastAcknowledged >= SLOW_AFTER_NANOS;
        boolean skipped =
                slow && tick % (SLOW_FRAME_INTERVAL * Quake2Endpoint.TICKS_PER_FRAME) != 0;
        if (phase == Phase.SPAWNED && !skipped && scheduler.isDue(tick)) {
            transmit(now, scheduler.frame(now, tick, frameEntities, clientPlayer));
        } else if (phase != Phase.SPAWNED && regular && mustSend(now)) {
            transmit(now, scheduler.withoutFrame());
        }
    }

    /** Answers at once during the sign-on. */
    void answer(long now) {
        if (phase == Phase.CONNECTED && !channel.isSent()) {
            transmit(now, scheduler.withoutFrame());
        }
    }

    private boolean mustSend(long now) {
        return !channel.isQuiet() || now - lastSent >= KEEP_ALIVE_INTERVAL_NANOS;
    }

    private void transmit(long now, Writer packet) {
        if (packet.position() == 0) {
            return;
        }
        lastSent = now;
        if (signOn.isProven()) {
            endpoint.send(address, packet.array(), packet.position());
        } else {
            endpoint.sendAfterCookie(now, address, packet.array(), packet.position());
        }
    }

    /** Sends the shutdown reason in two packets, as each may be lost. */
    void sendShutdown(String reason) {
        Writer last = new Writer(Netchan.MAX_PACKET_BYTES);
        Quake2Codec.write(last, EventMessages.line(reason));
        Quake2Codec.write(last, ServerMessage.Signal.DISCONNECT);
        for (int i = 0; i < 2; i++) {
            Writer packet = netchan.send(last.array(), last.position());
            endpoint.send(address, packet.array(), packet.position());
        }
    }

    @Override
    public long retainedBytes() {
        return channel.retainedBytes();
    }

    @Override
    public void abort(long now, String reason) {
        drop(new LeaveReason(LeaveReason.Code.MEMORY_LIMIT, reason));
    }

    @Override
    public void disconnect(long now, String reason) {
        drop(new LeaveReason(LeaveReason.Code.LOOP_TIME_LIMIT, reason));
    }

    @Override
    public String toString() {
        return nameWithoutAddress() + " of " + address;
    }

    @Override
    public String nameWithoutAddress() {
        return "Quake II client " + Quake2Text.name(clientPlayer.name());
    }
}

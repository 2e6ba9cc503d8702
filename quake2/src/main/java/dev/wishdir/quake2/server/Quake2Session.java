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
 * One client of the endpoint, from its accepted {@code connect} until it is gone: how far it has
 * come, what of its packets goes where, and when it is sent one. Longer than other classes, as the
 * limits of a session and its phases decide together about each packet.
 */
final class Quake2Session implements MemoryConsumer {
    private static final int MAX_COMMANDS_PER_PACKET = 7;

    /** Far more packets than an honest client sends at a thousand frames a second. */
    private static final double MAX_PACKETS = 1000;

    /** As many commands at once as a client sends that lacks all files of a map. */
    private static final double MAX_COMMANDS = 200;

    private static final long KEEP_ALIVE_INTERVAL_NANOS = 1_000_000_000;
    private static final long IDLE_TIMEOUT_NANOS = 90_000_000_000L;
    private static final long ENTER_TIMEOUT_NANOS = 300_000_000_000L;
    private static final long FIRST_PACKET_TIMEOUT_NANOS = 10_000_000_000L;
    private static final long ZOMBIE_NANOS = 2_000_000_000;

    /** How long who was sent away is told why, where a bad line takes longer. */
    private static final long UNACKED_ZOMBIE_NANOS = 10_000_000_000L;

    /** How long who has not named the number of the map may take to. */
    private static final long PROOF_TIMEOUT_NANOS = 30_000_000_000L;

    /** Frames of the game's ten a second from one report of the ping to the next. */
    private static final int PING_INTERVAL_FRAMES = 10;

    /** A client that acknowledges no packet for so long is sent frames at {@link #SLOW_FRAMES}. */
    private static final long UNACKNOWLEDGED_NANOS = 2_000_000_000;

    /** Of so many of the game's frames a client that acknowledges nothing is sent one. */
    private static final int SLOW_FRAMES = 5;

    /** How far ahead the first packet from another port may be. */
    private static final int MAX_SEQUENCE_AHEAD = 32;

    /** Between two packets of a fast client: so many more may come while it moves. */
    private static final long NANOS_A_PACKET = 1_000_000;

    /** How long nothing has come from a port that a client has left. */
    private static final long SILENCE_NANOS = 1_000_000_000;

    /** How often packets from other ports are looked at. */
    private static final double MOVES = 3;

    private static final double MOVES_A_SECOND = 0.1;

    /** How far a client has come. */
    private enum Phase {
        /** It is being told of the map. */
        CONNECTED,
        /** It is in the game. */
        SPAWNED,
        /** It was sent away; the last reliable message may still be on its way. */
        ZOMBIE
    }

    private final Quake2Endpoint endpoint;
    private final AddressLimits.Place place;
    private final int slot;
    private final int qport;
    private final int challenge;

    /** When it had to begin to be told of the map that is played. */
    private long told;

    private final ReliableChannel channel = new ReliableChannel();
    private final Netchan netchan = channel.netchan();
    private final ClientPlayer clientPlayer;
    private final FrameScheduler feed;
    private final SignOn signOn;
    private final ClientCommands commands;
    private final Quake2Viewer viewer = new Quake2Viewer(this, channel);
    private final TokenBucket moves = new TokenBucket(MOVES, MOVES_A_SECOND);

    /** Packets of it that are read. */
    private final TokenBucket packets = new TokenBucket(MAX_PACKETS, MAX_PACKETS / 2);

    /** Commands of it that are run; the next block of a file is free. */
    private final TokenBucket commandsRun = new TokenBucket(MAX_COMMANDS, MAX_COMMANDS / 4);

    private InetSocketAddress address;
    private Phase phase = Phase.CONNECTED;
    private boolean heard;
    private long lastHeard;
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
        feed = new FrameScheduler(endpoint, channel, slot, userInfo.number("frames", 10));
        signOn = new SignOn(endpoint, slot, feed.aSecond());
        commands = new ClientCommands(endpoint, this, channel, signOn, clientPlayer);
        told = now;
        lastHeard = now;
        lastAcknowledged = now;
        lastSent = now;
    }

    InetSocketAddress address() {
        return address;
    }

    /** By which clients know it, from 0. */
    int slot() {
        return slot;
    }

    int qport() {
        return qport;
    }

    /** What the arena tells. */
    Viewer viewing() {
        return viewer;
    }

    /** Its player; empty until it has entered. */
    Optional<PlayerId> player() {
        return clientPlayer.player();
    }

    /** What program the client says to be; empty while it has not. */
    String version() {
        return commands.version();
    }

    /** Whether it is being told of the map. */
    boolean isJoining() {
        return phase == Phase.CONNECTED;
    }

    /** Whether it plays or watches. */
    boolean isInGame() {
        return phase == Phase.SPAWNED;
    }

    /** Whether it was sent away, or is gone. */
    boolean isLeaving() {
        return phase == Phase.ZOMBIE;
    }

    /** Whether a connect is the one that this client came by, once more. */
    boolean isAgain(int qport, int challenge) {
        return this.qport == qport && this.challenge == challenge && !heard;
    }

    /** Nanoseconds since something new of it came. */
    long silence(long now) {
        return now - lastHeard;
    }

    /** Whether it is to be forgotten: it is silent, or did not enter. */
    boolean isOver(long now) {
        long silent = silence(now);
        return switch (phase) {
            case ZOMBIE -> silent > (channel.isQuiet() ? ZOMBIE_NANOS : UNACKED_ZOMBIE_NANOS);
            case SPAWNED -> silent > IDLE_TIMEOUT_NANOS;
            case CONNECTED ->
                    silent > (heard ? IDLE_TIMEOUT_NANOS : FIRST_PACKET_TIMEOUT_NANOS)
                            || now - told
                                    > (isProven() ? ENTER_TIMEOUT_NANOS : PROOF_TIMEOUT_NANOS);
        };
    }

    /** Queues messages that must arrive, all in one packet. */
    void event(ServerMessage... messages) {
        if (phase != Phase.ZOMBIE && !channel.event(messages)) {
            drop(LeaveReason.of(LeaveReason.Code.SEND_QUEUE_FULL));
        }
    }

    /** One of the map's descriptions changed, which matters to those who have them. */
    void configure(int index) {
        if (signOn.hasBegun() && phase != Phase.ZOMBIE) {
            channel.state(
                    index, () -> List.of(new ConfigString(index, endpoint.configString(index))));
        }
    }

    /** Sends it away. */
    void drop(LeaveReason why) {
        endpoint.drop(this, why);
    }

    /** It is sent away; the reason is the last that it is told. */
    void dismiss(long now, String reason) {
        channel.clear();
        event(EventMessages.line(reason), ServerMessage.Signal.DISCONNECT);
        phase = Phase.ZOMBIE;
        lastHeard = now;
    }

    /** It is forgotten. */
    void close() {
        phase = Phase.ZOMBIE;
        place.leave();
    }

    /** Whether it has named a number that only a receiver of what it was sent can know. */
    boolean isProven() {
        return signOn.isProven() && phase != Phase.ZOMBIE;
    }

    /**
     * Whether a packet from another port continues what came: nothing comes from the old one any
     * more, and the packet has the next numbers, which others behind the same address do not know.
     */
    boolean mayMove(long now, NetchanHeader header) {
        return silence(now) >= SILENCE_NANOS && continues(now, header) && moves.tryAcquire(now);
    }

    /** Whether a packet has one of the next numbers after the silence until now. */
    boolean continues(long now, NetchanHeader header) {
        long ahead = MAX_SEQUENCE_AHEAD + silence(now) / NANOS_A_PACKET;
        return isProven()
                && header.sequence() > netchan.incoming()
                && header.sequence() - netchan.incoming() <= ahead
                && header.ack() >= netchan.acknowledged()
                && header.ack() < netchan.nextSequence();
    }

    /** Whether a packet of its address may be one of its client's, by what its header says. */
    boolean isFrom(NetchanHeader header) {
        return qport == header.qport() && header.sequence() > netchan.incoming();
    }

    /** It has another port now. */
    void moveTo(InetSocketAddress another) {
        address = another;
    }

    /** Takes in a packet of this client. */
    void receive(long now, byte[] data) {
        if (!packets.tryAcquire(now)) {
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
        heard = true;
        if (phase == Phase.ZOMBIE) {
            return;
        }
        lastHeard = now;
        clientPlayer.recordActivity(now);
        if (netchan.isNotAcknowledging(now)) {
            drop(LeaveReason.NOT_ACKNOWLEDGING);
            return;
        }
        try {
            messages(now, r, data);
        } catch (MalformedPacketException e) {
            endpoint.count("malformed");
            drop(new LeaveReason(LeaveReason.Code.PROTOCOL_ERROR, "bad message: " + e.field()));
        }
    }

    private void messages(long now, Reader r, byte[] data) {
        int lines = 0;
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
                    int right =
                            MoveChecksum.of(data, body, r.position() - body, netchan.incoming());
                    if (moved || !move(now, move, move.checksum() == right)) {
                        return;
                    }
                    moved = true;
                }
                case ClientMessage.StringCmd command -> {
                    String text = command.text().value();
                    boolean paid = ClientCommands.isFree(text) || commandsRun.tryAcquire(now);
                    if (++lines <= MAX_COMMANDS_PER_PACKET && paid) {
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

    /** Runs a move; false if the rest of its packet must be ignored. */
    private boolean move(long now, Move move, boolean valid) {
        if (phase != Phase.SPAWNED) {
            feed.whole();
            return true;
        }
        feed.acknowledge(now, move.lastFrame());
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

    /** It begins to be told of the map, or begins again. */
    void begin() {
        if (phase != Phase.CONNECTED) {
            return;
        }
        // What still waits is about the time before: all of it is told again from here.
        channel.clear();
        commands.stopDownload();
        signOn.begin();
        clientPlayer.forget();
        feed.whole();
        channel.state("new", signOn::serverData);
    }

    /** It has been told all, and enters the game. */
    void enter(long now) {
        if (!clientPlayer.join(now)) {
            drop(Sessions.FULL);
            return;
        }
        phase = Phase.SPAWNED;
        feed.reset();
        clientPlayer.spawn(now);
        event(EventMessages.entered(clientPlayer.name()));
    }

    /** Another map begins: the client has to be told of it. */
    void changeMap(long now) {
        boolean knewAMap = signOn.hasBegun();
        signOn.nextMap();
        if (phase == Phase.ZOMBIE || !knewAMap) {
            return;
        }
        phase = Phase.CONNECTED;
        told = now;
        clientPlayer.despawn(now);
        feed.reset();
        commands.stopDownload();
        channel.clear();
        channel.state(
                "map", () -> List.of(new StuffText("changing\n"), new StuffText("reconnect\n")));
    }

    /** Whether it is sent more than the ten frames a second of the game. */
    boolean isFast() {
        return feed.isFast();
    }

    /** Time has passed: sends a frame where it is the client's turn, or what else there is. */
    void tick(long now, int tick, FrameEntities frameEntities) {
        boolean usual = tick % Quake2Endpoint.TICKS_OF_FRAME == 0;
        if (usual) {
            int number = tick / Quake2Endpoint.TICKS_OF_FRAME;
            clientPlayer.frame(number);
            if (number % PING_INTERVAL_FRAMES == 0) {
                clientPlayer.ping(feed.ping());
            }
            if (clientPlayer.overlay().isDue(number)) {
                channel.state(Overlay.KIND, clientPlayer::board);
            }
        }
        boolean slow = now - lastAcknowledged >= UNACKNOWLEDGED_NANOS;
        boolean skipped = slow && tick % (SLOW_FRAMES * Quake2Endpoint.TICKS_OF_FRAME) != 0;
        if (phase == Phase.SPAWNED && !skipped && feed.isDue(tick)) {
            transmit(now, feed.frame(now, tick, frameEntities, clientPlayer));
        } else if (phase != Phase.SPAWNED && usual && mustSend(now)) {
            transmit(now, feed.withoutFrame());
        }
    }

    /** Answers at once while the client is not yet in the game. */
    void answer(long now) {
        if (phase == Phase.CONNECTED && !channel.isTold()) {
            transmit(now, feed.withoutFrame());
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

    /** Tells the client that the server ends, in two packets that may be lost. */
    void closing(String reason) {
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

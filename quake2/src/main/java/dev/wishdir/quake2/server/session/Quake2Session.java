package dev.wishdir.quake2.server.session;

import dev.wishdir.arena.event.LeaveReason;
import dev.wishdir.arena.event.Proof;
import dev.wishdir.net.limit.MemoryConsumer;
import dev.wishdir.net.limit.TokenBucket;
import dev.wishdir.quake2.message.ServerMessage;
import dev.wishdir.quake2.message.ServerMessage.StuffText;
import dev.wishdir.quake2.netchan.Netchan;
import dev.wishdir.quake2.netchan.NetchanHeader;
import dev.wishdir.quake2.protocol.Quake2Codec;
import dev.wishdir.quake2.protocol.Quake2Text;
import dev.wishdir.quake2.server.view.EventMessages;
import dev.wishdir.quake2.server.view.FrameEntities;
import dev.wishdir.quake2.server.view.TickClock;
import dev.wishdir.wire.Reader;
import dev.wishdir.wire.Writer;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.LongSupplier;

/**
 * One client's session, from its accepted {@code connect} to its removal: its state, its packets
 * and when it is sent one.
 */
public final class Quake2Session implements MemoryConsumer {
    /** Far more packets per second than a client sends at a thousand frames a second. */
    private static final double MAX_PACKETS = 1000;

    /** Burst of commands: as many as a client sends that lacks all files of a map. */
    private static final double MAX_COMMANDS = 200;

    /** Interval of ping reports, frames of the game's ten a second. */
    private static final int PING_INTERVAL_FRAMES = 10;

    /** Frame interval of a client that acknowledges nothing, frames of the game's ten a second. */
    private static final int SLOW_FRAME_INTERVAL = 5;

    private final ClientAddress address;
    private final ClientPlayer player;
    private final ReliableChannel channel = new ReliableChannel();
    private final FileTransfer download = new FileTransfer();
    private final FrameScheduler scheduler;
    private final SessionTimers timers;
    private final PacketSender sender;
    private final Quake2Counters counters;
    private final LongSupplier clock;

    /** Limits packets that are processed. */
    private final TokenBucket packetLimiter = new TokenBucket(MAX_PACKETS, MAX_PACKETS / 2);

    /** Limits commands that are run, except for requests of the next block of a file. */
    private final TokenBucket commandLimiter = new TokenBucket(MAX_COMMANDS, MAX_COMMANDS / 4);

    /** Limits texts that answer commands. */
    private final TokenBucket answerLimiter = new TokenBucket(8, 1);

    private SessionState state = SessionState.ACCEPTED;
    private int serverCount;
    private boolean proven;
    private String version = "";

    /**
     * @param serverCount number of the map, random for each client
     * @param maxFrames maximum frames per second, 10 to {@link TickClock#TICKS_PER_SECOND}
     */
    public Quake2Session(
            ClientAddress address,
            ClientPlayer player,
            int serverCount,
            int maxFrames,
            PacketSender sender,
            Quake2Counters counters,
            LongSupplier clock) {
        this.address = address;
        this.player = player;
        this.serverCount = serverCount;
        this.sender = sender;
        this.counters = counters;
        this.clock = clock;
        scheduler = new FrameScheduler(counters, channel, player.slot(), maxFrames);
        timers = new SessionTimers(clock.getAsLong());
    }

    public InetSocketAddress address() {
        return address.current();
    }

    /** Proof of the player's identity. */
    Proof proof() {
        return address.proof();
    }

    public int qport() {
        return address.qport();
    }

    public ClientPlayer player() {
        return player;
    }

    public ReliableChannel channel() {
        return channel;
    }

    private Netchan netchan() {
        return channel.netchan();
    }

    /** The file that the client downloads. */
    public FileTransfer download() {
        return download;
    }

    public SessionState state() {
        return state;
    }

    /** Whether it plays or is a spectator. */
    public boolean isInGame() {
        return state == SessionState.SPAWNED;
    }

    /** The program that the client reports; empty before. */
    String version() {
        return version;
    }

    public void setVersion(String version) {
        this.version = version;
    }

    /** Whether a connect repeats the one that this session was accepted by. */
    public boolean isSameConnect(ConnectRequest request) {
        return state == SessionState.ACCEPTED && address.isSameConnect(request);
    }

    /** Nanoseconds since the last new packet. */
    long idleNanos(long now) {
        return timers.idleNanos(now);
    }

    /** Whether its time-out has passed. */
    boolean isExpired(long now) {
        return timers.isExpired(now, state, proven, channel.isQuiet());
    }

    /**
     * Adds an effect to its next frame, if it is in the game.
     *
     * @param least whether it is the first to be dropped where there is no room for all
     */
    void effect(ServerMessage effect, boolean least) {
        if (isInGame()) {
            scheduler.effects().add(effect, least);
        }
    }

    /** Queues reliable messages for one packet. */
    public void event(ServerMessage... messages) {
        if (state != SessionState.ZOMBIE && !channel.event(messages)) {
            drop(LeaveReason.of(LeaveReason.Code.SEND_QUEUE_FULL));
        }
    }

    /** Disconnects the client: its player leaves, and the reason is its last message. */
    public void drop(LeaveReason reason) {
        if (state == SessionState.ZOMBIE) {
            return;
        }
        long now = clock.getAsLong();
        counters.count("dropped");
        state = SessionState.ZOMBIE;
        timers.onReceived(now);
        channel.clear();
        // The farewell comes last: whatever becomes of it, the player has left.
        player.leave(now, reason);
        channel.event(EventMessages.line(reason.text()), ServerMessage.Signal.DISCONNECT);
    }

    /** Ends, as it is removed: its player leaves, and its place is free. */
    void close(LeaveReason reason) {
        state = SessionState.ZOMBIE;
        address.free();
        player.leave(clock.getAsLong(), reason);
    }

    /** Whether it has proven its address by a number that only the receiver can know. */
    public boolean isProven() {
        return proven && state != SessionState.ZOMBIE;
    }

    /** Number of the map for this client (server count), known only to it. */
    public int serverCount() {
        return serverCount;
    }

    /** Checks the number of the map that the client returns, which proves its address. */
    public boolean verify(OptionalInt returned) {
        boolean matches =
                state == SessionState.LOADING
                        && returned.isPresent()
                        && returned.getAsInt() == serverCount;
        proven |= matches;
        return matches;
    }

    /** Whether a packet from another port has the next numbers after the current silence. */
    boolean continues(long now, NetchanHeader header) {
        return isProven() && ClientAddress.continues(header, netchan(), idleNanos(now));
    }

    /** Whether a client that {@link #continues} from another port may move there now. */
    boolean allowsRebinding(long now) {
        return address.allowsRebinding(now, idleNanos(now));
    }

    /** Whether a packet of its address can be its client's, by the header. */
    public boolean isFrom(NetchanHeader header) {
        return address.isFrom(header, netchan());
    }

    /** Continues with another port. */
    void rebind(InetSocketAddress newAddress) {
        address.rebind(newAddress);
    }

    /**
     * Receives a packet of its client.
     *
     * @return whether its messages must be processed
     */
    public boolean receive(long now, Reader packet) {
        if (!packetLimiter.tryAcquire(now)) {
            counters.count("drop.flood");
            return false;
        }
        int acknowledged = netchan().acknowledged();
        if (!channel.receive(packet)) {
            counters.count("stale");
            return false;
        }
        if (netchan().acknowledged() > acknowledged) {
            timers.onAcknowledged(now);
        }
        if (state == SessionState.ACCEPTED) {
            state = SessionState.CONNECTED;
        }
        if (state == SessionState.ZOMBIE) {
            return false;
        }
        timers.onReceived(now);
        player.recordActivity(now);
        if (netchan().isNotAcknowledging(now)) {
            drop(LeaveReason.NOT_ACKNOWLEDGING);
            return false;
        }
        return true;
    }

    /** Whether the client's rate of commands allows one more. */
    public boolean allowsCommand(long now) {
        return commandLimiter.tryAcquire(now);
    }

    /** Whether the client's rate of answers allows one more. */
    public boolean allowsAnswer(long now) {
        return answerLimiter.tryAcquire(now);
    }

    /** Records the newest frame that the client can use as a base, -1 for none. */
    public void acknowledgeFrame(long now, int frame) {
        scheduler.acknowledge(now, frame);
    }

    /** Sends the next frame without a base, as the client has none. */
    public void requestFullFrame() {
        scheduler.requestFullFrame();
    }

    /** Starts or restarts the sign-on. What is queued is obsolete, as it sends all of it again. */
    public void startSignOn() {
        state = SessionState.LOADING;
        channel.clear();
        download.stop();
        player.expectFirstCommand();
        scheduler.requestFullFrame();
    }

    /** Enters the game after the sign-on; its player is in the arena. */
    public void enter(long now) {
        state = SessionState.SPAWNED;
        scheduler.reset();
        player.spawn(now);
        event(EventMessages.entered(player.name()));
        player.team().ifPresent(team -> event(EventMessages.inTeam(player.name(), team)));
    }

    /**
     * Requests the sign-on of another map.
     *
     * @param newServerCount number of the map
     */
    public void changeMap(long now, int newServerCount) {
        serverCount = newServerCount;
        if (!state.hasConfigStrings()) {
            return;
        }
        state = SessionState.CONNECTED;
        timers.onMapChange(now);
        player.despawn(now);
        scheduler.reset();
        download.stop();
        channel.clear();
        channel.state(
                "map", () -> List.of(new StuffText("changing\n"), new StuffText("reconnect\n")));
    }

    /** Frames per second that it gets. */
    public int framesPerSecond() {
        return scheduler.framesPerSecond();
    }

    /** Whether it gets more than the game's ten frames a second. */
    public boolean isFast() {
        return scheduler.isFast();
    }

    /** Sends a frame if one is due, or other pending data. */
    public void tick(long now, int tick, FrameEntities frameEntities) {
        boolean regular = TickClock.isFrame(tick);
        if (regular) {
            int number = tick / TickClock.TICKS_PER_FRAME;
            player.frame(number);
            if (number % PING_INTERVAL_FRAMES == 0) {
                player.ping(scheduler.ping());
            }
        }
        if (state != SessionState.SPAWNED) {
            if (regular && (!channel.isQuiet() || timers.isKeepAliveDue(now))) {
                transmit(now, scheduler.withoutFrame());
            }
            return;
        }
        boolean skipped =
                timers.isSlow(now) && tick % (SLOW_FRAME_INTERVAL * TickClock.TICKS_PER_FRAME) != 0;
        if (!skipped && scheduler.isDue(tick)) {
            transmit(now, scheduler.frame(now, tick, frameEntities, player));
        }
    }

    /** Answers at once during the sign-on. */
    public void answer(long now) {
        if (state.isJoining() && !channel.isSent()) {
            transmit(now, scheduler.withoutFrame());
        }
    }

    private void transmit(long now, Writer packet) {
        if (packet.position() == 0) {
            return;
        }
        timers.onSent(now);
        if (proven) {
            sender.send(address(), packet.array(), packet.position());
        } else {
            sender.sendAfterCookie(now, address(), packet.array(), packet.position());
        }
    }

    /** Sends the shutdown reason in two packets, as each may be lost. */
    public void sendShutdown(String reason) {
        Writer last = new Writer(Netchan.MAX_PACKET_BYTES);
        Quake2Codec.write(last, EventMessages.line(reason));
        Quake2Codec.write(last, ServerMessage.Signal.DISCONNECT);
        // Pending reliable data first: a disconnect in its packet looks like one after a kick.
        sendPacket(netchan().send());
        for (int i = 0; i < 2; i++) {
            sendPacket(netchan().send(last.array(), last.position()));
        }
    }

    private void sendPacket(Writer packet) {
        sender.send(address(), packet.array(), packet.position());
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
        return nameWithoutAddress() + " of " + address();
    }

    @Override
    public String nameWithoutAddress() {
        return "Quake II client " + Quake2Text.name(player.name());
    }
}

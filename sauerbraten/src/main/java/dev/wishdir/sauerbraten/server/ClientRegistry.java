package dev.wishdir.sauerbraten.server;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.ArenaEvent;
import dev.wishdir.arena.LeaveReason;
import dev.wishdir.arena.Level;
import dev.wishdir.arena.Player;
import dev.wishdir.arena.PlayerId;
import dev.wishdir.enet.EnetSharedPayload;
import dev.wishdir.net.MemoryBudget;
import dev.wishdir.sauerbraten.map.MoveTriggers;
import dev.wishdir.sauerbraten.message.ChatMessage;
import dev.wishdir.sauerbraten.message.CubeText;
import dev.wishdir.sauerbraten.message.LifeMessage;
import dev.wishdir.sauerbraten.message.RelayMessage;
import dev.wishdir.sauerbraten.message.SauerbratenMessage;
import dev.wishdir.sauerbraten.movement.SauerbratenMotion;
import dev.wishdir.sauerbraten.protocol.DisconnectReason;
import dev.wishdir.sauerbraten.protocol.SauerbratenCodec;
import dev.wishdir.sauerbraten.protocol.SauerbratenTransport;
import dev.wishdir.wire.Bytes;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * The registry of client numbers: the clients of this endpoint, and foreign players as bodies for
 * which the server speaks. Broadcasts messages and shared state to all clients.
 */
final class ClientRegistry {
    /** Client numbers of players in the game; higher ones are for its own bots. */
    static final int NUMBERS = 128;

    /** How long relayed messages wait to share a packet. */
    private static final long RELAY_INTERVAL_NANOS = 10_000_000;

    /** A client's relayed messages are sent early above this. */
    private static final int MAX_RELAY_BYTES = 1 << 16;

    private final Arena arena;
    private final MemoryBudget memoryBudget;
    private SauerbratenMotion motion;
    private final long relayInterval;
    private final LongSupplier slept;
    private final SauerbratenCodec codec = SauerbratenCodec.V260;
    private final @Nullable SauerbratenSession[] byNumber =
            new @Nullable SauerbratenSession[NUMBERS];

    /** Iterated in each turn, during which sessions may end. */
    private final List<SauerbratenSession> sessions = new CopyOnWriteArrayList<>();

    private final ForeignPlayers foreignPlayers;
    private final Map<PlayerId, SauerbratenSession> byPlayer = new HashMap<>();
    private final BroadcastBatch messages = new BroadcastBatch(1 << 16);
    private final MovementCache movementCache = new MovementCache(this);
    private final byte[] scratch = new byte[SauerbratenTransport.MTU_BYTES];
    private boolean relayWaiting;
    private boolean built;
    private Optional<MoveTriggers> triggers = Optional.empty();
    private long lastRelay = Long.MIN_VALUE / 2;
    private @Nullable SauerbratenSession newcomer;
    private long now;

    /**
     * @param relayInterval minimum interval between two datagrams with movement to a client,
     *     nanoseconds
     * @param slept supplies the total time that the server has slept, nanoseconds
     */
    ClientRegistry(
            Arena arena,
            MemoryBudget memoryBudget,
            SauerbratenMotion motion,
            long relayInterval,
            LongSupplier slept) {
        this.slept = slept;
        this.arena = arena;
        this.memoryBudget = memoryBudget;
        this.motion = motion;
        this.relayInterval = relayInterval;
        foreignPlayers = new ForeignPlayers(motion);
        arena.players().forEach(player -> foreignPlayers.of(player.id()));
    }

    long relayInterval() {
        return relayInterval;
    }

    ForeignPlayers avatars() {
        return foreignPlayers;
    }

    /** Encoded movement, shared by all viewers. */
    MovementCache movers() {
        return movementCache;
    }

    /** A shared buffer for one datagram with positions. */
    byte[] scratch() {
        return scratch;
    }

    SauerbratenMotion motion() {
        return motion;
    }

    /** Sets the conversion of the coordinates of the current map. */
    void locate(SauerbratenMotion other) {
        motion = other;
        foreignPlayers.locate(other);
        movementCache.forget();
    }

    /** Sets the move triggers of the map; empty if unknown. */
    void leadsBy(Optional<MoveTriggers> triggers) {
        this.triggers = triggers;
    }

    /** The move triggers of the map; empty if unknown. */
    Optional<MoveTriggers> exits() {
        return built ? Optional.empty() : triggers;
    }

    Arena arena() {
        return arena;
    }

    /** Time for the clients, which continued while the server slept. */
    long peerTime(long now) {
        return now + slept.getAsLong();
    }

    /** Notes that the map was edited, so its level no longer says what is solid. */
    void built() {
        built = true;
    }

    /** Notes that the map is unedited again. */
    void restored() {
        built = false;
    }

    /** The level, as far as it is known. */
    Level level() {
        Level level = arena.level(SauerbratenCodec.GAME);
        return built ? new Level(level.name(), level.bounds()) : level;
    }

    /** All connections, joined or not. */
    List<SauerbratenSession> sessions() {
        return sessions;
    }

    /** The clients that have joined. */
    List<SauerbratenSession> joined() {
        return sessions.stream().filter(SauerbratenSession::joined).toList();
    }

    Optional<SauerbratenSession> session(int cn) {
        return cn < 0 || cn >= NUMBERS ? Optional.empty() : Optional.ofNullable(byNumber[cn]);
    }

    /** The lowest free client number; -1 if there is none. */
    int freeNumber() {
        for (int cn = 0; cn < NUMBERS; cn++) {
            if (!isTaken(cn)) {
                return cn;
            }
        }
        return -1;
    }

    /** Whether a connection has the number. */
    boolean isTaken(int cn) {
        return byNumber[cn] != null;
    }

    /** The session of a player; null for a foreign player. */
    @Nullable SauerbratenSession session(PlayerId player) {
        return byPlayer.get(player);
    }

    void add(SauerbratenSession session) {
        byNumber[session.cn] = session;
        sessions.forEach(other -> other.viewer.vacate(session.cn));
        sessions.add(session);
    }

    /**
     * Adds a client's player.
     *
     * @param join joins the arena, which sends the event to others before it returns
     */
    void join(SauerbratenSession session, Supplier<Player> join) {
        flushMessages();
        newcomer = session;
        joining(join.get());
        newcomer = null;
    }

    /** Handles a new player: that of the client that is joining, or a foreign one. */
    void joining(Player player) {
        SauerbratenSession session = newcomer;
        PlayerId id = player.id();
        if (byPlayer.containsKey(id) || foreignPlayers.find(id) != null) {
            return;
        }
        if (session != null && session.player() == null) {
            session.enter(id);
            byPlayer.put(id, session);
        } else if (arena.contains(id)) {
            foreignPlayers.of(id);
        }
    }

    void remove(SauerbratenSession session) {
        byNumber[session.cn] = null;
        sessions.remove(session);
        PlayerId player = session.player();
        if (player != null) {
            byPlayer.remove(player);
            // A viewer that was congested may show the player without having been sent its join
            // event,
            // from an update of its number; then it is sent no leave event either.
            refresh(session.cn);
        }
        sessions.forEach(other -> other.viewer.renumber());
    }

    /** The arena's reason for one of the protocol. */
    static LeaveReason departure(DisconnectReason reason) {
        LeaveReason.Code code =
                switch (reason) {
                    case NONE -> LeaveReason.Code.SERVER_CLOSED;
                    case END_OF_PACKET, MESSAGE_ERROR -> LeaveReason.Code.PROTOCOL_ERROR;
                    case LOCAL_MODE, PRIVATE -> LeaveReason.Code.PRIVATE;
                    case KICKED -> LeaveReason.Code.KICKED;
                    case IP_BANNED -> LeaveReason.Code.BANNED;
                    case FULL -> LeaveReason.Code.SERVER_FULL;
                    case TIMEOUT -> LeaveReason.Code.TIMED_OUT;
                    case OVERFLOW -> LeaveReason.Code.RATE_LIMIT;
                    case PASSWORD -> LeaveReason.Code.PASSWORD;
                };
        return new LeaveReason(code, code.text().isEmpty() ? reason.text() : code.text());
    }

    /** Ends a session; further messages of it are ignored. */
    void dismiss(SauerbratenSession session, DisconnectReason reason) {
        dismissAtOnce(session, reason, departure(reason));
    }

    private static void dismissAtOnce(
            SauerbratenSession session, DisconnectReason reason, LeaveReason leaveReason) {
        if (session.ending() == null) {
            session.sendAway(leaveReason);
            session.peer.disconnect(reason.code());
        }
    }

    /** Ends a session that uses too much memory, which is freed at once. */
    void end(SauerbratenSession session, String reason) {
        session.forgetRelayed();
        session.peer.disconnect(DisconnectReason.OVERFLOW.code());
        session.sendAway(new LeaveReason(LeaveReason.Code.MEMORY_LIMIT, reason));
    }

    /** Ends a session, with a text that says more than the reason. */
    void dismiss(SauerbratenSession session, DisconnectReason reason, LeaveReason leaveReason) {
        if (session.ending() == null && !session.viewer.isCongested()) {
            session.viewer.tell(CubeText.chat(leaveReason.text()));
            session.sendAway(leaveReason);
            session.peer.disconnectLater(reason.code());
        } else {
            dismissAtOnce(session, reason, leaveReason);
        }
    }

    /** Answers a client, unless it is congested or its rate limit is exceeded. */
    void answer(SauerbratenSession to, SauerbratenMessage message) {
        if (to.answers.tryAcquire(now) && !to.viewer.isCongested()) {
            send(to, message);
        }
    }

    void tell(SauerbratenSession to, String text) {
        answer(to, new ChatMessage.ServMsg(text));
    }

    /** Sends a message even if the client is congested. */
    void send(SauerbratenSession to, SauerbratenMessage message) {
        to.peer.send(
                SauerbratenTransport.MESSAGES,
                codec.packet(message),
                SauerbratenCodec.reliable(message));
    }

    /**
     * Starts to send a file, if there is memory for it and no other file is being sent to the
     * client.
     */
    boolean sendFile(SauerbratenSession to, EnetSharedPayload file) {
        return !memoryBudget.isShort() && to.peer.sendFile(SauerbratenTransport.FILES, file);
    }

    /** Sends a text to all clients of this game that are not congested. */
    void tellAll(String text) {
        deed(-1, new ChatMessage.ServMsg(text));
    }

    /** Sends an action at once to all clients but one. */
    void deed(int but, SauerbratenMessage message) {
        deed(message, session -> session.cn != but);
    }

    /** Sends an action at once to some clients. */
    void deed(SauerbratenMessage message, Predicate<SauerbratenSession> to) {
        flushMessages();
        Bytes packet = codec.packet(message);
        int channel = SauerbratenCodec.channel(message);
        boolean reliable = SauerbratenCodec.reliable(message);
        for (SauerbratenSession session : sessions) {
            if (session.joined() && to.test(session)) {
                session.viewer.deeds(channel, packet, reliable, 1);
            }
        }
    }

    /**
     * Sends shared state to all clients, with its value at that time; congested ones get it later.
     */
    void news(Object kind, Supplier<List<SauerbratenMessage>> newest) {
        flushMessages();
        for (SauerbratenSession session : sessions) {
            if (session.joined()) {
                session.viewer.news(kind, newest);
            }
        }
    }

    void news(Object kind, SauerbratenMessage newest) {
        List<SauerbratenMessage> one = List.of(newest);
        news(kind, () -> one);
    }

    /** Sends all clients what has changed of a number, its own client included. */
    void refresh(int cn) {
        flushMessages();
        for (SauerbratenSession session : sessions) {
            if (session.joined()) {
                session.viewer.refresh(cn);
            }
        }
    }

    /** Relays a message of a client to the others, inside {@code N_CLIENT}. */
    void relay(SauerbratenSession from, SauerbratenMessage message) {
        Bytes encoded = codec.packet(message);
        if (from.relayedBytes() + encoded.length() > MAX_RELAY_BYTES) {
            flushMessages();
        }
        from.relay(encoded, SauerbratenCodec.reliable(message));
        relayWaiting = true;
    }

    /**
     * Sends relayed messages if they are due.
     *
     * @return when to call again
     */
    long advance(long now) {
        this.now = now;
        if (!relayWaiting) {
            return Long.MAX_VALUE;
        }
        long due = lastRelay + RELAY_INTERVAL_NANOS;
        if (now < due && now >= lastRelay) {
            return due;
        }
        lastRelay = now;
        flushMessages();
        return Long.MAX_VALUE;
    }

    /** Sends the clients what was deferred while they were congested. */
    void flush() {
        for (SauerbratenSession session : sessions) {
            if (session.joined()) {
                session.viewer.flush();
            }
        }
    }

    /** Sends the relayed messages, as they must precede what is sent next. */
    void flushMessages() {
        if (!relayWaiting) {
            return;
        }
        relayWaiting = false;
        messages.clear();
        int reliable = 0;
        for (SauerbratenSession session : sessions) {
            if (session.relayedBytes() > 0) {
                reliable += session.relayedReliably();
                Bytes all = session.takeRelayed();
                messages.add(session.cn, codec.packet(new RelayMessage.Client(session.cn, all)));
            }
        }
        int deeds = reliable;
        for (SauerbratenSession viewer : sessions) {
            if (viewer.joined()) {
                messages.forViewer(
                        viewer.cn,
                        packet ->
                                viewer.viewer.deeds(
                                        SauerbratenTransport.MESSAGES, packet, deeds > 0, deeds));
            }
        }
    }

    /** Handles an event of the arena, after the viewers. */
    void observed(ArenaEvent event) {
        if (event instanceof ArenaEvent.Joined joined) {
            joining(joined.player());
        } else if (event instanceof ArenaEvent.Left left) {
            ForeignPlayers.Avatar avatar = foreignPlayers.remove(left.id());
            if (avatar != null) {
                sessions.forEach(session -> session.viewer.forget(avatar));
            }
        }
    }

    /** Adds to a welcome the states of the other players. */
    void introduceOthers(SauerbratenSession newcomer, List<SauerbratenMessage> welcome) {
        List<LifeMessage.Score> scores = new ArrayList<>();
        List<SauerbratenMessage> introductions = new ArrayList<>();
        SauerbratenViewer line = newcomer.viewer;
        line.meet(arena.players());
        for (int cn = 0; cn < NUMBERS; cn++) {
            PlayerAppearance appearance = cn == newcomer.cn ? null : line.look(cn);
            if (appearance != null) {
                scores.add(appearance.score(cn));
                introductions.add(appearance.introduction(cn));
                introductions.addAll(line.pingOf(cn));
                line.introduced(cn, appearance);
            }
        }
        newcomer.viewer.introduced(newcomer.cn, newcomer.ownLook());
        if (!scores.isEmpty()) {
            welcome.add(new LifeMessage.Resume(scores));
            welcome.addAll(introductions);
        }
    }

    /** Sends messages in one reliable packet. */
    void sendPacket(SauerbratenSession to, List<SauerbratenMessage> packet) {
        to.peer.send(
                SauerbratenTransport.MESSAGES,
                codec.packet(packet.toArray(SauerbratenMessage[]::new)),
                true);
    }
}

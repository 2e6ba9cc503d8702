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
 * The sessions by client number and by player, and the messages to all of them. Foreign players are
 * in {@link ForeignPlayers}.
 */
final class ClientRegistry {
    /** The client numbers that the game has for players; numbers above are for its bots. */
    static final int MAX_CLIENT_NUMBERS = 128;

    /** How long relayed messages wait to share a packet, nanoseconds. */
    private static final long RELAY_INTERVAL_NANOS = 10_000_000;

    /** With more bytes than this, the messages of a client are relayed early. */
    private static final int MAX_RELAY_BYTES = 1 << 16;

    private final Arena arena;
    private final MemoryBudget memoryBudget;
    private SauerbratenMotion motion;
    private final long relayInterval;
    private final LongSupplier slept;
    private final SauerbratenCodec codec = SauerbratenCodec.V260;
    private final @Nullable SauerbratenSession[] byNumber =
            new @Nullable SauerbratenSession[MAX_CLIENT_NUMBERS];

    /** Copied on write: sessions end while it is iterated. */
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
     * @param relayInterval the minimum interval between two datagrams with movement to a client,
     *     nanoseconds
     * @param slept how long the server has slept so far, nanoseconds
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

    ForeignPlayers foreignPlayers() {
        return foreignPlayers;
    }

    /** The movements of players, encoded once. */
    MovementCache movementCache() {
        return movementCache;
    }

    /** A buffer for the positions of a datagram, for use within one call. */
    byte[] scratch() {
        return scratch;
    }

    SauerbratenMotion motion() {
        return motion;
    }

    /** Sets where canonical positions are on the map that is played from now on. */
    void setMotion(SauerbratenMotion other) {
        motion = other;
        foreignPlayers.setMotion(other);
        movementCache.clear();
    }

    /** Sets the move triggers of the map; empty if they are unknown. */
    void setMoveTriggers(Optional<MoveTriggers> triggers) {
        this.triggers = triggers;
    }

    /** The move triggers of the map; empty if they are unknown. */
    Optional<MoveTriggers> moveTriggers() {
        return built ? Optional.empty() : triggers;
    }

    Arena arena() {
        return arena;
    }

    /** The time of the clients, which passed while the server slept. */
    long peerTime(long now) {
        return now + slept.getAsLong();
    }

    /** A player edits the map: its collision space is unknown from now on. */
    void onMapEdited() {
        built = true;
    }

    /** A map is played as its file has it. */
    void onMapRestored() {
        built = false;
    }

    /** The level that is played, as far as it is known. */
    Level level() {
        Level level = arena.level(SauerbratenCodec.GAME);
        return built ? new Level(level.name(), level.bounds()) : level;
    }

    /** Every connection, joined or not. */
    List<SauerbratenSession> sessions() {
        return sessions;
    }

    /** The clients that have joined. */
    List<SauerbratenSession> joined() {
        return sessions.stream().filter(SauerbratenSession::joined).toList();
    }

    Optional<SauerbratenSession> session(int cn) {
        return cn < 0 || cn >= MAX_CLIENT_NUMBERS
                ? Optional.empty()
                : Optional.ofNullable(byNumber[cn]);
    }

    /** The lowest free client number; -1 if there is none. */
    int freeNumber() {
        for (int cn = 0; cn < MAX_CLIENT_NUMBERS; cn++) {
            if (!isTaken(cn)) {
                return cn;
            }
        }
        return -1;
    }

    /** Whether a number is that of a connection. */
    boolean isTaken(int cn) {
        return byNumber[cn] != null;
    }

    /** The session of a player; null for a foreign player. */
    @Nullable SauerbratenSession session(PlayerId playerId) {
        return byPlayer.get(playerId);
    }

    void add(SauerbratenSession session) {
        byNumber[session.cn] = session;
        sessions.forEach(other -> other.viewer.releaseNumber(session.cn));
        sessions.add(session);
    }

    /**
     * Joins a session to the arena.
     *
     * @param join joins the arena, which notifies the other viewers before it returns
     */
    void join(SauerbratenSession session, Supplier<Player> join) {
        flushMessages();
        newcomer = session;
        onJoining(join.get());
        newcomer = null;
    }

    /** A player has joined the arena: a foreign player, or the session that is joining now. */
    void onJoining(Player player) {
        SauerbratenSession session = newcomer;
        PlayerId playerId = player.id();
        if (byPlayer.containsKey(playerId) || foreignPlayers.find(playerId) != null) {
            return;
        }
        if (session != null && session.player() == null) {
            session.setPlayer(playerId);
            byPlayer.put(playerId, session);
        } else if (arena.contains(playerId)) {
            foreignPlayers.of(playerId);
        }
    }

    void remove(SauerbratenSession session) {
        byNumber[session.cn] = null;
        sessions.remove(session);
        PlayerId player = session.player();
        if (player != null) {
            byPlayer.remove(player);
            // A viewer that missed the joining may still show the player, as it was sent the newest
            // appearance of the number; it receives no leaving then.
            refresh(session.cn);
        }
        sessions.forEach(other -> other.viewer.renumber());
    }

    /** The arena's reason for a reason of the protocol. */
    static LeaveReason leaveReason(DisconnectReason reason) {
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

    /** Ends a session; what it sends after this has no effect. */
    void disconnect(SauerbratenSession session, DisconnectReason reason) {
        dismissAtOnce(session, reason, leaveReason(reason));
    }

    private static void dismissAtOnce(
            SauerbratenSession session, DisconnectReason reason, LeaveReason arenaReason) {
        if (session.disconnectReason() == null) {
            session.sendAway(arenaReason);
            session.peer.disconnect(reason.code());
        }
    }

    /** Ends a session that retains too much memory, and releases that at once. */
    void abort(SauerbratenSession session, String reason) {
        session.clearRelayed();
        session.peer.disconnect(DisconnectReason.OVERFLOW.code());
        session.sendAway(new LeaveReason(LeaveReason.Code.MEMORY_LIMIT, reason));
    }

    /** Ends a session with a text that says more than the reason of the protocol. */
    void disconnect(SauerbratenSession session, DisconnectReason reason, LeaveReason arenaReason) {
        if (session.disconnectReason() == null && !session.viewer.isCongested()) {
            session.viewer.sendText(CubeText.chat(arenaReason.text()));
            session.sendAway(arenaReason);
            session.peer.disconnectLater(reason.code());
        } else {
            dismissAtOnce(session, reason, arenaReason);
        }
    }

    /** Answers a client, unless it is congested or asks too often. */
    void answer(SauerbratenSession to, SauerbratenMessage message) {
        if (to.answers.tryAcquire(now) && !to.viewer.isCongested()) {
            send(to, message);
        }
    }

    void sendText(SauerbratenSession to, String text) {
        answer(to, new ChatMessage.ServMsg(text));
    }

    /** Sends a message, even to a congested client. */
    void send(SauerbratenSession to, SauerbratenMessage message) {
        to.peer.send(
                SauerbratenTransport.MESSAGES,
                codec.packet(message),
                SauerbratenCodec.reliable(message));
    }

    /** Starts to send a file, if there is memory for it and no other file is in flight. */
    boolean sendFile(SauerbratenSession to, EnetSharedPayload file) {
        return !memoryBudget.isShort() && to.peer.sendFile(SauerbratenTransport.FILES, file);
    }

    /** Sends a line to all clients that are not congested. */
    void broadcastText(String text) {
        broadcast(-1, new ChatMessage.ServMsg(text));
    }

    /** Sends an event at once to all clients but one. */
    void broadcast(int but, SauerbratenMessage message) {
        broadcast(message, session -> session.cn != but);
    }

    /** Sends an event at once to some clients. */
    void broadcast(SauerbratenMessage message, Predicate<SauerbratenSession> to) {
        flushMessages();
        Bytes packet = codec.packet(message);
        int channel = SauerbratenCodec.channel(message);
        boolean reliable = SauerbratenCodec.reliable(message);
        for (SauerbratenSession session : sessions) {
            if (session.joined() && to.test(session)) {
                session.viewer.sendEvents(channel, packet, reliable, 1);
            }
        }
    }

    /** Sends a shared state to all clients; to a congested one later, as it is then. */
    void publish(Object kind, Supplier<List<SauerbratenMessage>> newest) {
        flushMessages();
        for (SauerbratenSession session : sessions) {
            if (session.joined()) {
                session.viewer.publish(kind, newest);
            }
        }
    }

    void publish(Object kind, SauerbratenMessage newest) {
        List<SauerbratenMessage> one = List.of(newest);
        publish(kind, () -> one);
    }

    /** Sends the changed appearance of a number to all clients, its own included. */
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

    /** Relays what is due; returns when to call again. */
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

    /** Sends clients what they could not receive before. */
    void flush() {
        for (SauerbratenSession session : sessions) {
            if (session.joined()) {
                session.viewer.flush();
            }
        }
    }

    /** Sends the messages that wait to be relayed, before a later event is sent. */
    void flushMessages() {
        if (!relayWaiting) {
            return;
        }
        relayWaiting = false;
        messages.clear();
        int reliable = 0;
        for (SauerbratenSession session : sessions) {
            if (session.relayedBytes() > 0) {
                reliable += session.relayedReliableCount();
                Bytes all = session.takeRelayed();
                messages.add(session.cn, codec.packet(new RelayMessage.Client(session.cn, all)));
            }
        }
        int actions = reliable;
        for (SauerbratenSession viewer : sessions) {
            if (viewer.joined()) {
                messages.forViewer(
                        viewer.cn,
                        packet ->
                                viewer.viewer.sendEvents(
                                        SauerbratenTransport.MESSAGES,
                                        packet,
                                        actions > 0,
                                        actions));
            }
        }
    }

    /** An event of the arena, after the viewers have received it. */
    void onEvent(ArenaEvent event) {
        if (event instanceof ArenaEvent.Joined joined) {
            onJoining(joined.player());
        } else if (event instanceof ArenaEvent.Left left) {
            ForeignPlayers.ForeignPlayer avatar = foreignPlayers.remove(left.id());
            if (avatar != null) {
                sessions.forEach(session -> session.viewer.forget(avatar));
            }
        }
    }

    /** Adds the other players to the welcome of a new client. */
    void addOthers(SauerbratenSession newcomer, List<SauerbratenMessage> welcome) {
        List<LifeMessage.Score> scores = new ArrayList<>();
        List<SauerbratenMessage> introductions = new ArrayList<>();
        SauerbratenViewer line = newcomer.viewer;
        line.addForeignPlayers(arena.players());
        for (int cn = 0; cn < MAX_CLIENT_NUMBERS; cn++) {
            PlayerAppearance appearance = cn == newcomer.cn ? null : line.appearance(cn);
            if (appearance != null) {
                scores.add(appearance.score(cn));
                introductions.add(appearance.introduction(cn));
                introductions.addAll(line.pingMessages(cn));
                line.onIntroduced(cn, appearance);
            }
        }
        newcomer.viewer.onIntroduced(newcomer.cn, newcomer.ownAppearance());
        if (!scores.isEmpty()) {
            welcome.add(new LifeMessage.Resume(scores));
            welcome.addAll(introductions);
        }
    }

    /** Sends several messages in one reliable packet. */
    void sendPacket(SauerbratenSession to, List<SauerbratenMessage> packet) {
        to.peer.send(
                SauerbratenTransport.MESSAGES,
                codec.packet(packet.toArray(SauerbratenMessage[]::new)),
                true);
    }
}

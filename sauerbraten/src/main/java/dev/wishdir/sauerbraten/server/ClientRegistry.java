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
 * Everyone whom a Sauerbraten client knows by a client number: the clients themselves, and the
 * players of other games as bodies that the server speaks for. Tells all of them things.
 */
final class ClientRegistry {
    /** The client numbers that the game has for players; above are its own bots. */
    static final int NUMBERS = 128;

    /** How long messages wait for others to share their packet, nanoseconds. */
    private static final long RELAY_INTERVAL_NANOS = 10_000_000;

    /** What a client wants to be passed on leaves early where it is more. */
    private static final int MAX_RELAY_BYTES = 1 << 16;

    private final Arena arena;
    private final MemoryBudget memoryBudget;
    private SauerbratenMotion motion;
    private final long relayInterval;
    private final LongSupplier slept;
    private final SauerbratenCodec codec = SauerbratenCodec.V260;
    private final @Nullable SauerbratenSession[] byNumber =
            new @Nullable SauerbratenSession[NUMBERS];

    /** Gone through at each turn, and some of them end then. */
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
     * @param relayInterval the least time between two datagrams with movement to a client,
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

    ForeignPlayers avatars() {
        return foreignPlayers;
    }

    /** What clients are shown of who moves. */
    MovementCache movers() {
        return movementCache;
    }

    /** Room for a datagram's positions, for the moment. */
    byte[] scratch() {
        return scratch;
    }

    SauerbratenMotion motion() {
        return motion;
    }

    /** Canonical places are elsewhere on the map that is played from now on. */
    void locate(SauerbratenMotion other) {
        motion = other;
        foreignPlayers.locate(other);
        movementCache.forget();
    }

    /** Takes note of what of the map takes bodies elsewhere; empty where nobody knows. */
    void leadsBy(Optional<MoveTriggers> triggers) {
        this.triggers = triggers;
    }

    /** What of the map takes bodies elsewhere; empty where nobody knows. */
    Optional<MoveTriggers> exits() {
        return built ? Optional.empty() : triggers;
    }

    Arena arena() {
        return arena;
    }

    /** The time as the clients know it, which went on while the server slept. */
    long peerTime(long now) {
        return now + slept.getAsLong();
    }

    /** Somebody builds: what is solid of the map is not what its level says. */
    void built() {
        built = true;
    }

    /** A map is played as it was made. */
    void restored() {
        built = false;
    }

    /** What is played, as far as it is known. */
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

    /** Whether a number is that of a connection. */
    boolean isTaken(int cn) {
        return byNumber[cn] != null;
    }

    /** The client that is a player; null for a player who is none of this endpoint. */
    @Nullable SauerbratenSession session(PlayerId who) {
        return byPlayer.get(who);
    }

    void add(SauerbratenSession session) {
        byNumber[session.cn] = session;
        sessions.forEach(other -> other.viewer.vacate(session.cn));
        sessions.add(session);
    }

    /**
     * Somebody joins the arena and is a client from then on.
     *
     * @param join enters the arena, which tells the others before it returns
     */
    void join(SauerbratenSession session, Supplier<Player> join) {
        flushMessages();
        newcomer = session;
        joining(join.get());
        newcomer = null;
    }

    /** The arena tells of somebody new: of who is just joining, before anybody else is told. */
    void joining(Player player) {
        SauerbratenSession session = newcomer;
        PlayerId who = player.id();
        if (byPlayer.containsKey(who) || foreignPlayers.find(who) != null) {
            return;
        }
        if (session != null && session.player() == null) {
            session.enter(who);
            byPlayer.put(who, session);
        } else if (arena.contains(who)) {
            foreignPlayers.of(who);
        }
    }

    void remove(SauerbratenSession session) {
        byNumber[session.cn] = null;
        sessions.remove(session);
        PlayerId player = session.player();
        if (player != null) {
            byPlayer.remove(player);
            // A line that was never told of a joining may have shown the player all the same, when
            // it told the newest of its number, and is then told of no leaving.
            refresh(session.cn);
        }
        sessions.forEach(other -> other.viewer.renumber());
    }

    /** A reason of the protocol as the arena has it. */
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

    /** Ends a session; nothing that it sends after this has an effect. */
    void dismiss(SauerbratenSession session, DisconnectReason reason) {
        dismissAtOnce(session, reason, departure(reason));
    }

    private static void dismissAtOnce(
            SauerbratenSession session, DisconnectReason reason, LeaveReason why) {
        if (session.ending() == null) {
            session.sendAway(why);
            session.peer.disconnect(reason.code());
        }
    }

    /** Ends a session that costs the server too much: what is kept for it is given back at once. */
    void end(SauerbratenSession session, String reason) {
        session.forgetRelayed();
        session.peer.disconnect(DisconnectReason.OVERFLOW.code());
        session.sendAway(new LeaveReason(LeaveReason.Code.MEMORY_LIMIT, reason));
    }

    /** Ends a session with a sentence that says more than the reason. */
    void dismiss(SauerbratenSession session, DisconnectReason reason, LeaveReason why) {
        if (session.ending() == null && !session.viewer.isCongested()) {
            session.viewer.tell(CubeText.chat(why.text()));
            session.sendAway(why);
            session.peer.disconnectLater(reason.code());
        } else {
            dismissAtOnce(session, reason, why);
        }
    }

    /** Answers a client, as far as it hears and does not ask too much. */
    void answer(SauerbratenSession to, SauerbratenMessage message) {
        if (to.answers.tryAcquire(now) && !to.viewer.isCongested()) {
            send(to, message);
        }
    }

    void tell(SauerbratenSession to, String text) {
        answer(to, new ChatMessage.ServMsg(text));
    }

    /** Sends a message, whatever waits. */
    void send(SauerbratenSession to, SauerbratenMessage message) {
        to.peer.send(
                SauerbratenTransport.MESSAGES,
                codec.packet(message),
                SauerbratenCodec.reliable(message));
    }

    /** Begins to send a file, if there is memory for it and none is on its way to this client. */
    boolean sendFile(SauerbratenSession to, EnetSharedPayload file) {
        return !memoryBudget.isShort() && to.peer.sendFile(SauerbratenTransport.FILES, file);
    }

    /** Says something to all players of this game who can hear it. */
    void tellAll(String text) {
        deed(-1, new ChatMessage.ServMsg(text));
    }

    /** Passes on at once what somebody did, to all but one. */
    void deed(int but, SauerbratenMessage message) {
        deed(message, session -> session.cn != but);
    }

    /** Passes on at once what somebody did, to some. */
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

    /** Tells all clients something that is so for all, as it is when they can hear it. */
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

    /** Tells all clients, its own too, what is new of a number. */
    void refresh(int cn) {
        flushMessages();
        for (SauerbratenSession session : sessions) {
            if (session.joined()) {
                session.viewer.refresh(cn);
            }
        }
    }

    /** Passes a message of a client on to the others, inside {@code N_CLIENT}. */
    void relay(SauerbratenSession from, SauerbratenMessage message) {
        Bytes encoded = codec.packet(message);
        if (from.relayedBytes() + encoded.length() > MAX_RELAY_BYTES) {
            flushMessages();
        }
        from.relay(encoded, SauerbratenCodec.reliable(message));
        relayWaiting = true;
    }

    /** Passes on what waits, where it is due; gives the time of the next turn. */
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

    /** Tells the clients what they could not be told before. */
    void flush() {
        for (SauerbratenSession session : sessions) {
            if (session.joined()) {
                session.viewer.flush();
            }
        }
    }

    /** Sends what was to be passed on; it comes before what is told now. */
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

    /** What the arena tells, after the clients were told. */
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

    /** The part of the welcome that shows a newcomer the others. */
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

    /** Sends several messages in one reliable packet. */
    void sendPacket(SauerbratenSession to, List<SauerbratenMessage> packet) {
        to.peer.send(
                SauerbratenTransport.MESSAGES,
                codec.packet(packet.toArray(SauerbratenMessage[]::new)),
                true);
    }
}

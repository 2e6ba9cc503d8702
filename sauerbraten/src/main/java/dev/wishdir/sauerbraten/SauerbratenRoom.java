package dev.wishdir.sauerbraten;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.Player;
import dev.wishdir.sauerbraten.SauerbratenSession.Presence;
import dev.wishdir.sauerbraten.message.Chat;
import dev.wishdir.sauerbraten.message.CubeText;
import dev.wishdir.sauerbraten.message.Life;
import dev.wishdir.sauerbraten.message.Pos;
import dev.wishdir.sauerbraten.message.Relay;
import dev.wishdir.sauerbraten.message.Roster;
import dev.wishdir.sauerbraten.message.SauerbratenMessage;
import dev.wishdir.sauerbraten.message.State;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Writer;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Everyone whom a Sauerbraten client knows by a client number: the clients themselves, and the
 * players of other games as bodies that the server speaks for. Tells all of them things.
 */
final class SauerbratenRoom {
    static final int CHANNEL_POSITIONS = 0;
    static final int CHANNEL_MESSAGES = 1;
    static final int CHANNEL_FILES = 2;

    /** The client numbers that the game has for players; above are its own bots. */
    static final int NUMBERS = 128;

    /** How long messages wait for others to share their packet, nanoseconds. */
    private static final long RELAY_INTERVAL = 10_000_000;

    /** How often a player of another game is shown to move: as often as the game's own do. */
    private static final long AVATAR_INTERVAL = 30_000_000;

    /** Room that the original leaves in a datagram beside positions. */
    private static final int POSITIONS_LIMIT = EnetSettings.MTU - 100;

    private static final int LONGEST_POSITION = 32;

    /** A player of another game. */
    private static final class Avatar {
        final Player player;
        final int cn;
        int lifeseq = -1;
        boolean moved;
        long shown;

        Avatar(Player player, int cn) {
            this.player = player;
            this.cn = cn;
        }
    }

    private final Arena arena;
    private final SauerbratenMotion motion;
    private final SauerbratenCodec codec = SauerbratenCodec.V260;
    private final @Nullable SauerbratenSession[] byNumber =
            new @Nullable SauerbratenSession[NUMBERS];
    private final List<SauerbratenSession> sessions = new ArrayList<>();
    private final Map<Integer, Avatar> avatars = new LinkedHashMap<>();
    private final Map<Integer, SauerbratenSession> byPlayer = new LinkedHashMap<>();
    private final Parts positions = new Parts(POSITIONS_LIMIT);
    private final Parts messages = new Parts(1 << 16);
    private @Nullable List<Player> encoded;
    private boolean relayWaiting;
    private long lastRelay = Long.MIN_VALUE / 2;
    private boolean avatarsMoved;

    SauerbratenRoom(Arena arena, SauerbratenMotion motion) {
        this.arena = arena;
        this.motion = motion;
    }

    SauerbratenMotion motion() {
        return motion;
    }

    Arena arena() {
        return arena;
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
            if (isFree(cn)) {
                return cn;
            }
        }
        return -1;
    }

    private boolean isFree(int cn) {
        return byNumber[cn] == null
                && avatars.values().stream().noneMatch(avatar -> avatar.cn == cn);
    }

    void add(SauerbratenSession session) {
        byNumber[session.cn] = session;
        sessions.add(session);
    }

    void joined(SauerbratenSession session, Player player) {
        session.player = player;
        byPlayer.put(player.id(), session);
    }

    void remove(SauerbratenSession session) {
        byNumber[session.cn] = null;
        sessions.remove(session);
        Player player = session.player;
        if (player != null) {
            byPlayer.remove(player.id());
        }
    }

    void send(SauerbratenSession to, SauerbratenMessage message) {
        to.peer.send(CHANNEL_MESSAGES, codec.packet(message), SauerbratenCodec.reliable(message));
    }

    void tell(SauerbratenSession to, String text) {
        send(to, new Chat.ServMsg(text));
    }

    void tellAll(String text) {
        sendAll(new Chat.ServMsg(text));
    }

    void sendAll(SauerbratenMessage message) {
        sendOthers(-1, message);
    }

    /** Sends to all that have joined but one; what the others were told before comes first. */
    void sendOthers(int but, SauerbratenMessage message) {
        flushMessages();
        Bytes packet = codec.packet(message);
        int channel = SauerbratenCodec.channel(message);
        boolean reliable = SauerbratenCodec.reliable(message);
        for (SauerbratenSession session : sessions) {
            if (session.cn != but && session.joined()) {
                session.peer.send(channel, packet, reliable);
            }
        }
    }

    /** Passes a message of a client on to the others, inside {@code N_CLIENT}. */
    void relay(SauerbratenSession from, SauerbratenMessage message) {
        if (from.relayed.remaining() < from.relayed.position()) {
            flushMessages();
        }
        codec.write(from.relayed, message);
        from.relayedReliably |= SauerbratenCodec.reliable(message);
        relayWaiting = true;
    }

    /** Sends what waits, where it is due; gives the time of the next turn. */
    long advance(long now) {
        long next = Long.MAX_VALUE;
        if (relayWaiting) {
            long due = lastRelay + RELAY_INTERVAL;
            if (now >= due || now < lastRelay) {
                lastRelay = now;
                flushMessages();
            } else {
                next = due;
            }
        }
        return avatarsMoved ? Math.min(next, showAvatars(now)) : next;
    }

    private void flushMessages() {
        if (!relayWaiting) {
            return;
        }
        relayWaiting = false;
        messages.clear();
        boolean reliable = false;
        for (SauerbratenSession session : sessions) {
            if (session.relayed.position() > 0) {
                messages.add(
                        session.cn,
                        codec.packet(new Relay.Client(session.cn, session.relayed.toBytes())));
                reliable |= session.relayedReliably;
                session.relayed.reset();
                session.relayedReliably = false;
            }
        }
        boolean needed = reliable;
        for (SauerbratenSession viewer : sessions) {
            if (viewer.joined()) {
                messages.forViewer(
                        viewer.cn, packet -> viewer.peer.send(CHANNEL_MESSAGES, packet, needed));
            }
        }
    }

    /** Sends the positions of one relay of the arena to a viewer; they are encoded once for all. */
    @SuppressWarnings("ReferenceEquality") // the arena shows one list to all viewers of a relay
    void showMoved(SauerbratenSession viewer, List<Player> movers) {
        if (encoded != movers) {
            encoded = movers;
            positions.clear();
            for (int i = 0; i < movers.size(); i++) {
                encode(movers.get(i));
            }
        }
        positions.forViewer(
                viewer.cn, packet -> viewer.peer.send(CHANNEL_POSITIONS, packet, false));
    }

    private void encode(Player mover) {
        SauerbratenSession session = byPlayer.get(mover.id());
        if (session != null) {
            if (session.embodied() && mover.nativeMovement() instanceof Bytes raw) {
                positions.add(session.cn, raw);
            }
            return;
        }
        Avatar avatar = avatars.get(mover.id());
        if (avatar != null && avatar.lifeseq >= 0) {
            avatar.moved = true;
            avatarsMoved = true;
        }
    }

    private long showAvatars(long now) {
        long next = Long.MAX_VALUE;
        Parts parts = new Parts(POSITIONS_LIMIT);
        avatarsMoved = false;
        for (Avatar avatar : avatars.values()) {
            if (avatar.moved && (now - avatar.shown >= AVATAR_INTERVAL || now < avatar.shown)) {
                avatar.moved = false;
                avatar.shown = now;
                parts.add(avatar.cn, position(avatar));
            } else if (avatar.moved) {
                avatarsMoved = true;
                next = Math.min(next, avatar.shown + AVATAR_INTERVAL);
            }
        }
        sendPositions(parts);
        return next;
    }

    private void sendPositions(Parts parts) {
        for (SauerbratenSession viewer : sessions) {
            if (viewer.joined()) {
                parts.forViewer(
                        viewer.cn, packet -> viewer.peer.send(CHANNEL_POSITIONS, packet, false));
            }
        }
    }

    private Bytes position(Avatar avatar) {
        Writer writer = new Writer(LONGEST_POSITION);
        Pos pos = motion.toNative(avatar.player.movement(), avatar.cn, avatar.lifeseq);
        codec.write(writer, pos);
        return writer.toBytes();
    }

    /** The newest position of a client goes out at once, before what happens to it next. */
    void showNow(SauerbratenSession session) {
        if (session.position.length() > 0) {
            Parts parts = new Parts(POSITIONS_LIMIT);
            parts.add(session.cn, session.position);
            sendPositions(parts);
        }
    }

    /**
     * Gives a player of another game a client number, from the top; without one it stays unseen.
     */
    void addAvatar(Player player) {
        for (int cn = NUMBERS - 1; cn >= 0; cn--) {
            if (isFree(cn)) {
                Avatar avatar = new Avatar(player, cn);
                avatars.put(player.id(), avatar);
                sendAll(introduction(avatar));
                return;
            }
        }
    }

    void removeAvatar(Player player) {
        Avatar avatar = avatars.remove(player.id());
        if (avatar != null) {
            sendAll(new Roster.CDis(avatar.cn));
        }
    }

    /** A new name takes a new introduction; the number stays. */
    void renameAvatar(Player player) {
        Avatar avatar = avatars.get(player.id());
        if (avatar != null) {
            sendAll(asFrom(avatar.cn, new Roster.SwitchName(CubeText.playerName(player.name()))));
        }
    }

    void spawnAvatar(Player player) {
        Avatar avatar = avatars.get(player.id());
        if (avatar != null) {
            avatar.lifeseq = avatar.lifeseq + 1 & 127;
            sendAll(asFrom(avatar.cn, new Life.Spawn(body(avatar))));
            avatar.moved = true;
            avatarsMoved = true;
        }
    }

    void despawnAvatar(Player player) {
        Avatar avatar = avatars.get(player.id());
        if (avatar != null) {
            avatar.moved = false;
            sendAll(new Life.Died(avatar.cn, avatar.cn, 0, 0));
        }
    }

    /** After a map change no body is known until it spawns. */
    void respawnAvatars() {
        for (Avatar avatar : avatars.values()) {
            if (avatar.player.spawned()) {
                spawnAvatar(avatar.player);
            }
        }
    }

    /** What a player of another game says, as chat of its avatar. */
    void said(SauerbratenSession to, Player player, String text) {
        Avatar avatar = avatars.get(player.id());
        String chat = CubeText.chat(text);
        send(
                to,
                avatar == null
                        ? new Chat.ServMsg(CubeText.playerName(player.name()) + ": " + chat)
                        : asFrom(avatar.cn, new Chat.Text(chat)));
    }

    private Relay.Client asFrom(int cn, SauerbratenMessage message) {
        return new Relay.Client(cn, codec.packet(message));
    }

    private static State body(Avatar avatar) {
        return SauerbratenMode.COOP_EDIT.spawnState(Math.max(0, avatar.lifeseq));
    }

    private static Roster.InitClient introduction(Avatar avatar) {
        return new Roster.InitClient(
                avatar.cn, CubeText.playerName(avatar.player.name()), "good", 0);
    }

    static Roster.InitClient introduction(SauerbratenSession session) {
        return new Roster.InitClient(session.cn, session.name, session.team, session.model);
    }

    /** The part of the welcome that shows a newcomer the others. */
    void introduceOthers(SauerbratenSession newcomer, List<SauerbratenMessage> welcome) {
        List<Life.Score> scores = new ArrayList<>();
        List<SauerbratenMessage> introductions = new ArrayList<>();
        for (SauerbratenSession other : sessions) {
            if (other != newcomer && other.joined()) {
                scores.add(other.score());
                introductions.add(introduction(other));
            }
        }
        for (Avatar avatar : avatars.values()) {
            Presence presence = avatar.player.spawned() ? Presence.ALIVE : Presence.DEAD;
            scores.add(new Life.Score(avatar.cn, presence.code, 0, 0, 0, 0, body(avatar)));
            introductions.add(introduction(avatar));
            avatar.moved = avatar.player.spawned();
            avatarsMoved |= avatar.moved;
        }
        if (!scores.isEmpty()) {
            welcome.add(new Life.Resume(scores));
            welcome.addAll(introductions);
        }
    }

    /** Sends several messages in one reliable packet. */
    void sendPacket(SauerbratenSession to, List<SauerbratenMessage> packet) {
        to.peer.send(
                CHANNEL_MESSAGES, codec.packet(packet.toArray(SauerbratenMessage[]::new)), true);
    }
}

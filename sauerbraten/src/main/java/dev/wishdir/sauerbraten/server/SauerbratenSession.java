package dev.wishdir.sauerbraten.server;

import dev.wishdir.arena.LeaveReason;
import dev.wishdir.arena.MovementLimits;
import dev.wishdir.arena.MovementValidator;
import dev.wishdir.arena.Player;
import dev.wishdir.arena.PlayerId;
import dev.wishdir.enet.EnetPeer;
import dev.wishdir.net.AddressLimits;
import dev.wishdir.net.MemoryConsumer;
import dev.wishdir.net.TokenBucket;
import dev.wishdir.sauerbraten.message.CubeText;
import dev.wishdir.sauerbraten.message.MovementMessage;
import dev.wishdir.sauerbraten.message.State;
import dev.wishdir.sauerbraten.movement.SauerbratenMotion;
import dev.wishdir.sauerbraten.protocol.DisconnectReason;
import dev.wishdir.sauerbraten.protocol.SauerbratenCodec;
import dev.wishdir.sauerbraten.server.SauerbratenMatch.Wish;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Writer;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** One client of the endpoint, from its proven connection to its end, with all of its state. */
final class SauerbratenSession implements MemoryConsumer {
    /** The state of a player, with its number in {@code N_RESUME}. */
    enum Presence {
        ALIVE(0),
        DEAD(1),
        EDITING(4),
        SPECTATOR(5);

        final int code;

        Presence(int code) {
            this.code = code;
        }

        /** Whether the player has a body. */
        boolean embodied() {
            return this == ALIVE || this == EDITING;
        }
    }

    /** The reason in {@code N_SETTEAM} for a change that clients do not announce. */
    static final int TEAM_REASON_NONE = -1;

    /** Session ids are less than this. */
    static final int MAX_SESSION_ID = 1 << 24;

    private static final PlayerId NO_PLAYER = new PlayerId(0, 0);
    private static final int LIFESEQ_MASK = 127;

    /**
     * A body runs at 12.5 m/s, 1.3 times as fast straight ahead and 1.3 times as fast in the air,
     * for longer than a jump; it jumps 2.45 m high, and is up for 0.72 s. It is round, so its
     * corners may be in a wall. It climbs a step through its edge.
     */
    private static final MovementLimits PHYSICS =
            new MovementLimits(
                    SauerbratenMotion.BODY, 0.6, SauerbratenMotion.BODY.step(), 22, 2, 3, 0.72);

    /** Positions at once, after the network has held them up for 10 s. */
    static final int MAX_POSITION_BURST = 400;

    private static final double MAX_POSITIONS_PER_SECOND = 40;

    private final ClientRegistry registry;
    final EnetPeer peer;
    final AddressLimits.Place place;
    final int cn;
    final int sessionid;
    final long connected;
    final MovementValidator validator;
    private final TokenBucket positions =
            new TokenBucket(MAX_POSITION_BURST, MAX_POSITIONS_PER_SECOND);

    /** The messages that the client may send, whether or not they reach other clients. */
    final TokenBucket messages = new TokenBucket(200, 6000);

    /** The answers to requests and refused messages of the client. */
    final TokenBucket answers = new TokenBucket(40, 10);

    /** The messages to be relayed inside {@code N_CLIENT}, each with its code. */
    private final List<Bytes> relayed = new ArrayList<>();

    private int relayedBytes;
    private int relayedReliably;
    private String team = "good";
    private int teamReason = TEAM_REASON_NONE;
    private int model;
    private int ping;
    private boolean pingNews;

    /** The time in the newest ping, until it is answered. */
    private OptionalInt pong = OptionalInt.empty();

    private @Nullable MovementMessage travel;
    private long travelled = Long.MIN_VALUE / 2;
    private boolean teleported;
    private boolean appears;
    private long spawnOrderedAt;
    private int privilege;
    private int lifeseq = -1;
    private Presence presence = Presence.DEAD;
    private State state = State.BLANK;
    private OptionalInt mapCrc = OptionalInt.empty();
    private boolean mapPushed;
    private @Nullable Wish vote;
    private @Nullable PlayerId player;
    private @Nullable LeaveReason ending;
    private boolean gone;

    final SauerbratenViewer viewer;

    /** The copy of the map that the client has. */
    final MapCopy copy;

    SauerbratenSession(
            ClientRegistry registry,
            EnetPeer peer,
            AddressLimits.Place place,
            int cn,
            int sessionid,
            long connected) {
        this.registry = registry;
        this.peer = peer;
        this.place = place;
        this.cn = cn;
        this.sessionid = sessionid;
        this.connected = connected;
        validator = new MovementValidator(PHYSICS, registry.arena().level(SauerbratenCodec.GAME));
        viewer = new SauerbratenViewer(registry, this);
        copy = new MapCopy(peer);
    }

    /** The player in the arena; null before {@code N_CONNECT} was accepted. */
    @Nullable PlayerId player() {
        return player;
    }

    void setPlayer(PlayerId as) {
        player = as;
    }

    /** Why the server ends the session; null while it does not. */
    @Nullable LeaveReason disconnectReason() {
        return ending;
    }

    /** Ends the session in the next turn; the first reason counts. */
    void sendAway(LeaveReason why) {
        if (ending == null) {
            ending = why;
        }
    }

    /**
     * Marks the session as gone from the endpoint and the arena.
     *
     * @return false if it was gone before
     */
    boolean leave(LeaveReason why) {
        boolean first = !gone;
        gone = true;
        if (first) {
            ending = why;
        }
        return first;
    }

    boolean joined() {
        return player != null && ending == null;
    }

    /** Whether it has a body that moves. */
    boolean embodied() {
        return presence.embodied();
    }

    /** The name of the player; empty before it has joined. */
    String name() {
        return arenaPlayer().map(known -> CubeText.playerName(known.name())).orElse("");
    }

    private Optional<Player> arenaPlayer() {
        PlayerId playerId = player;
        return playerId == null ? Optional.empty() : registry.arena().find(playerId);
    }

    /** Orders the next life, which starts with the client's {@code N_SPAWN}. */
    void nextLife(long now, SauerbratenMode mode) {
        spawnOrderedAt = registry.peerTime(now);
        lifeseq = lifeseq + 1 & LIFESEQ_MASK;
        presence = Presence.DEAD;
        state = mode.spawnState(lifeseq);
    }

    /** Starts the life that was ordered. */
    void spawn() {
        presence = Presence.ALIVE;
        appears = true;
    }

    /** Whether the next position is the first of a life. */
    boolean appears() {
        return appears;
    }

    /** When the client was ordered to spawn for this life, in the time of the clients. */
    long spawnOrderedAt() {
        return spawnOrderedAt;
    }

    void appeared() {
        appears = false;
    }

    void die() {
        presence = Presence.DEAD;
    }

    /** Starts or ends editing. */
    void setEditing(boolean on) {
        presence = on ? Presence.EDITING : Presence.ALIVE;
    }

    /** Makes the player a spectator, or a player without a body. */
    void setSpectating(boolean on) {
        presence = on ? Presence.SPECTATOR : Presence.DEAD;
    }

    /** Counts a position; returns 0, or the number of refused positions in a row. */
    int countPosition(long now) {
        return positions.tryAcquire(now) ? 0 : positions.refused();
    }

    Presence presence() {
        return presence;
    }

    boolean isSpectating() {
        return presence == Presence.SPECTATOR;
    }

    /** The number of the present life, or of the ordered one; -1 before the first. */
    int lifeseq() {
        return lifeseq;
    }

    /** Health, armour and weapons of the present life. */
    State state() {
        return state;
    }

    /** Marks the next position as the target of a teleport. */
    void setTeleported() {
        teleported = true;
    }

    /** Whether the client has teleported since the last call. */
    boolean takeTeleported() {
        boolean was = teleported;
        teleported = false;
        return was;
    }

    String team() {
        return team;
    }

    /**
     * @param reason as {@code N_SETTEAM} says
     */
    void setTeam(String name, int reason) {
        team = name;
        teamReason = reason;
    }

    int model() {
        return model;
    }

    void setModel(int number) {
        model = number;
    }

    int privilege() {
        return privilege;
    }

    void setPrivilege(int level) {
        privilege = level;
    }

    @Nullable Wish vote() {
        return vote;
    }

    void vote(Wish wish) {
        vote = wish;
    }

    /** Another map is played: forgets the vote and the checksum. */
    void newMap() {
        vote = null;
        mapCrc = OptionalInt.empty();
        mapPushed = false;
    }

    /** Sets the CRC of the current map that the client has loaded; empty for another map. */
    void loaded(OptionalInt crc) {
        mapCrc = crc;
    }

    /** The CRC that the client has reported for the current map. */
    OptionalInt mapCrc() {
        return mapCrc;
    }

    /** Whether the client was sent the map unasked. */
    boolean mapPushed() {
        return mapPushed;
    }

    void setMapPushed(boolean pushed) {
        mapPushed = pushed;
    }

    /** The last round trip that the client has measured, milliseconds. */
    int ping() {
        return ping;
    }

    /** Sets the measured round trip; returns whether it has to be relayed. */
    boolean recordPing(int millis) {
        pingNews |= ping != millis;
        ping = millis;
        return pingNews;
    }

    /** Whether the round trip has changed since the last call. */
    boolean takePingChanged() {
        boolean news = pingNews;
        pingNews = false;
        return news;
    }

    /** Sets the time of the newest ping, which is to be answered. */
    void setPong(int millis) {
        pong = OptionalInt.of(millis);
    }

    OptionalInt takePong() {
        OptionalInt taken = pong;
        pong = OptionalInt.empty();
        return taken;
    }

    /** Sets the newest use of a teleporter or jump pad, which is to be relayed. */
    void setTravel(MovementMessage newest) {
        travel = newest;
    }

    /** The use of a teleporter or jump pad that is to be relayed; null if there is none. */
    @Nullable MovementMessage queuedTrigger() {
        if (!embodied()) {
            travel = null;
        }
        return travel;
    }

    /** When a use of a teleporter or jump pad was last relayed. */
    long travelShownAt() {
        return travelled;
    }

    /** The use of a teleporter or jump pad was relayed. */
    void recordTriggerRelay(long now) {
        travel = null;
        travelled = now;
    }

    /** Adds a message that is to be relayed. */
    void relay(Bytes message, boolean reliable) {
        relayed.add(message);
        relayedBytes += message.length();
        relayedReliably += reliable ? 1 : 0;
    }

    /** The bytes of the messages that wait to be relayed. */
    int relayedBytes() {
        return relayedBytes;
    }

    /** The number of reliable messages that wait to be relayed. */
    int relayedReliableCount() {
        return relayedReliably;
    }

    /** Takes all messages that wait to be relayed, in order. */
    Bytes takeRelayed() {
        Writer all = new Writer(relayedBytes);
        for (Bytes message : relayed) {
            all.append(message.toArray(), 0, message.length());
        }
        clearRelayed();
        return all.toBytes();
    }

    void clearRelayed() {
        relayed.clear();
        relayedBytes = 0;
        relayedReliably = 0;
    }

    /** The appearance that the client itself is sent. */
    PlayerAppearance ownAppearance() {
        return appearance(presence);
    }

    /**
     * The appearance for another client: with a body once it has moved and while it is not silent.
     *
     * @param inSight whether the other client may see the body
     */
    PlayerAppearance appearance(boolean inSight) {
        boolean hidden =
                embodied() && !(inSight && arenaPlayer().map(Player::spawned).orElse(false));
        return appearance(hidden ? Presence.DEAD : presence);
    }

    private PlayerAppearance appearance(Presence as) {
        PlayerId playerId = player == null ? NO_PLAYER : player;
        return new PlayerAppearance(playerId, name(), team, teamReason, model, as, state);
    }

    @Override
    public long retainedBytes() {
        return peer.retainedBytes() + relayedBytes;
    }

    @Override
    public void abort(long now, String reason) {
        registry.abort(this, reason);
    }

    @Override
    public void disconnect(long now, String reason) {
        registry.disconnect(
                this,
                DisconnectReason.KICKED,
                new LeaveReason(LeaveReason.Code.LOOP_TIME_LIMIT, reason));
    }

    @Override
    public String toString() {
        return nameWithoutAddress() + " at " + peer.address();
    }

    @Override
    public String nameWithoutAddress() {
        return "sauerbraten " + cn + " " + name();
    }
}

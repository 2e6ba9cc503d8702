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

/** One client's session, from its connection to its end, with all of its state. */
final class SauerbratenSession implements MemoryConsumer {
    /** The states of a player, numbered as in {@code N_RESUME}. */
    enum Presence {
        ALIVE(0),
        DEAD(1),
        EDITING(4),
        SPECTATOR(5);

        final int code;

        Presence(int code) {
            this.code = code;
        }

        /** Whether it has a body. */
        boolean embodied() {
            return this == ALIVE || this == EDITING;
        }
    }

    /** Reason of {@code N_SETTEAM}: none given. */
    static final int SILENTLY = -1;

    /** Session ids are lower than this. */
    static final int MAX_SESSION_ID = 1 << 24;

    private static final PlayerId NOBODY = new PlayerId(0, 0);
    private static final int LIFESEQ_MASK = 127;

    /**
     * A body runs at 12.5 m/s, 1.3 times as fast straight ahead and 1.3 times in the air, for
     * longer than a jump; it jumps 2.45 m high, and is in the air for 0.72 s. It is round, so its
     * corners are not part of it. It climbs a step with its edge inside.
     */
    private static final MovementLimits PHYSICS =
            new MovementLimits(
                    SauerbratenMotion.BODY, 0.6, SauerbratenMotion.BODY.step(), 22, 2, 3, 0.72);

    /** Burst of positions after a network delay; then the rate per second. */
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

    /** Limits messages, as each costs the server something. */
    final TokenBucket messages = new TokenBucket(200, 6000);

    /** Limits answers and error messages to it. */
    final TokenBucket answers = new TokenBucket(40, 10);

    /** Messages to relay inside {@code N_CLIENT}, each with its code. */
    private final List<Bytes> relayed = new ArrayList<>();

    private int relayedBytes;
    private int relayedReliably;
    private String team = "good";
    private int teamReason = SILENTLY;
    private int model;
    private int ping;
    private boolean pingNews;

    /** What the newest measuring asked for, until it is answered. */
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

    /** Its own copy of the current map. */
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

    /** Its player in the arena, since {@code N_CONNECT} was accepted. */
    @Nullable PlayerId player() {
        return player;
    }

    void enter(PlayerId as) {
        player = as;
    }

    /** The reason of its disconnect, once it is decided. */
    @Nullable LeaveReason ending() {
        return ending;
    }

    /** Decides its disconnect; the first reason counts. */
    void sendAway(LeaveReason why) {
        if (ending == null) {
            ending = why;
        }
    }

    /**
     * Notes that it has left the registry and the arena.
     *
     * @return false if it had before
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

    /** Whether it has a body. */
    boolean embodied() {
        return presence.embodied();
    }

    /** Its name for other players. */
    String name() {
        return find().map(known -> CubeText.playerName(known.name())).orElse("");
    }

    private Optional<Player> find() {
        PlayerId who = player;
        return who == null ? Optional.empty() : registry.arena().find(who);
    }

    /** Starts the next life; it begins when the client says so. */
    void nextLife(long now, SauerbratenMode mode) {
        spawnOrderedAt = registry.peerTime(now);
        lifeseq = lifeseq + 1 & LIFESEQ_MASK;
        presence = Presence.DEAD;
        state = mode.spawnState(lifeseq);
    }

    /** The body of the present life is there. */
    void spawn() {
        presence = Presence.ALIVE;
        appears = true;
    }

    /** Whether the next position is the first of a life. */
    boolean appears() {
        return appears;
    }

    /** When the client was ordered to begin this life, in the time of the clients. */
    long spawnOrderedAt() {
        return spawnOrderedAt;
    }

    void appeared() {
        appears = false;
    }

    void die() {
        presence = Presence.DEAD;
    }

    /** Edits the map, or plays on. */
    void edit(boolean on) {
        presence = on ? Presence.EDITING : Presence.ALIVE;
    }

    /** Becomes a spectator, or a player without a body. */
    void watch(boolean on) {
        presence = on ? Presence.SPECTATOR : Presence.DEAD;
    }

    /**
     * Counts a position.
     *
     * @return 0, or the number of positions refused by the rate limit
     */
    int tooMany(long now) {
        return positions.tryAcquire(now) ? 0 : positions.refused();
    }

    Presence presence() {
        return presence;
    }

    boolean watches() {
        return presence == Presence.SPECTATOR;
    }

    /** Number of the current or next life (lifesequence); -1 before the first. */
    int lifeseq() {
        return lifeseq;
    }

    /** State of the body in the current life. */
    State state() {
        return state;
    }

    /** Announces that the next position is after a teleport. */
    void teleports() {
        teleported = true;
    }

    /** Whether it has teleported since the last call. */
    boolean takeTeleported() {
        boolean was = teleported;
        teleported = false;
        return was;
    }

    String team() {
        return team;
    }

    /**
     * @param reason as in {@code N_SETTEAM}
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

    /** Resets what belongs to the previous map: vote and checksum. */
    void newMap() {
        vote = null;
        mapCrc = OptionalInt.empty();
        mapPushed = false;
    }

    /** Records the CRC of its loaded map; empty for another map. */
    void loaded(OptionalInt crc) {
        mapCrc = crc;
    }

    /** The CRC of its copy of the map, once reported. */
    OptionalInt mapCrc() {
        return mapCrc;
    }

    /** Whether the map was sent to it without a request. */
    boolean mapPushed() {
        return mapPushed;
    }

    void setMapPushed(boolean pushed) {
        mapPushed = pushed;
    }

    /** The last ping that it has measured, milliseconds. */
    int ping() {
        return ping;
    }

    /**
     * Records a measured ping.
     *
     * @return whether it is to be sent to others
     */
    boolean pinged(int millis) {
        pingNews |= ping != millis;
        ping = millis;
        return pingNews;
    }

    /** Whether the ping has changed since the last call. */
    boolean takePingNews() {
        boolean news = pingNews;
        pingNews = false;
        return news;
    }

    /** Queues the answer to a ping; the newest of several counts. */
    void measures(int millis) {
        pong = OptionalInt.of(millis);
    }

    OptionalInt takePong() {
        OptionalInt taken = pong;
        pong = OptionalInt.empty();
        return taken;
    }

    /** Queues the use of a teleporter or jump pad; the newest of several counts. */
    void travels(MovementMessage newest) {
        travel = newest;
    }

    /** The use to relay, if it has a body. */
    @Nullable MovementMessage travel() {
        if (!embodied()) {
            travel = null;
        }
        return travel;
    }

    /** When a use was last relayed. */
    long travelled() {
        return travelled;
    }

    /** Records that a use is relayed now. */
    void travelShown(long now) {
        travel = null;
        travelled = now;
    }

    /** Queues a message to relay. */
    void relay(Bytes message, boolean reliable) {
        relayed.add(message);
        relayedBytes += message.length();
        relayedReliably += reliable ? 1 : 0;
    }

    /** Total length of queued messages. */
    int relayedBytes() {
        return relayedBytes;
    }

    /** Number of queued reliable messages. */
    int relayedReliably() {
        return relayedReliably;
    }

    /** Takes all queued messages. */
    Bytes takeRelayed() {
        Writer all = new Writer(relayedBytes);
        for (Bytes message : relayed) {
            all.append(message.toArray(), 0, message.length());
        }
        forgetRelayed();
        return all.toBytes();
    }

    void forgetRelayed() {
        relayed.clear();
        relayedBytes = 0;
        relayedReliably = 0;
    }

    /** Its own appearance. */
    PlayerAppearance ownLook() {
        return look(presence);
    }

    /**
     * Its appearance for another client: with a body once it has moved, until the idle time-out.
     *
     * @param inSight whether the other client sees its body
     */
    PlayerAppearance look(boolean inSight) {
        boolean hidden = embodied() && !(inSight && find().map(Player::spawned).orElse(false));
        return look(hidden ? Presence.DEAD : presence);
    }

    private PlayerAppearance look(Presence as) {
        PlayerId who = player == null ? NOBODY : player;
        return new PlayerAppearance(who, name(), team, teamReason, model, as, state);
    }

    @Override
    public long retainedBytes() {
        return peer.held() + relayedBytes;
    }

    @Override
    public void abort(long now, String reason) {
        registry.end(this, reason);
    }

    @Override
    public void sendAway(long now, String reason) {
        registry.dismiss(
                this,
                DisconnectReason.KICKED,
                new LeaveReason(LeaveReason.Code.LOOP_TIME_LIMIT, reason));
    }

    @Override
    public String toString() {
        return withoutAddress() + " at " + peer.address();
    }

    @Override
    public String withoutAddress() {
        return "sauerbraten " + cn + " " + name();
    }
}

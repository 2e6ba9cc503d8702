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

/**
 * One client of the endpoint, from its connection to its end. What it holds, it changes itself.
 * Longer than others, as all state of a client is here.
 */
final class SauerbratenSession implements MemoryConsumer {
    /** What {@code N_RESUME} calls the states of a player. */
    enum Presence {
        ALIVE(0),
        DEAD(1),
        EDITING(4),
        SPECTATOR(5);

        final int code;

        Presence(int code) {
            this.code = code;
        }

        /** Whether it has a body that moves. */
        boolean embodied() {
            return this == ALIVE || this == EDITING;
        }
    }

    /** Why a team is what it is, as {@code N_SETTEAM} says. */
    static final int SILENTLY = -1;

    /** Session ids are less than this. */
    static final int MAX_SESSION_ID = 1 << 24;

    private static final PlayerId NOBODY = new PlayerId(0, 0);
    private static final int LIFESEQ_MASK = 127;

    /**
     * A body runs 12.5 m/s, 1.3 times as fast straight on and 1.3 times in the air, for longer than
     * a jump; it jumps 2.45 m high, and is up for 0.72 s. It is round: less is in its corners. It
     * climbs a step through its edge.
     */
    private static final MovementLimits PHYSICS =
            new MovementLimits(
                    SauerbratenMotion.BODY, 0.6, SauerbratenMotion.BODY.step(), 22, 2, 3, 0.72);

    /** Positions that come at once where the network held them up, and how many a second. */
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

    /** Messages that it may send: they cost the server something, whomever they reach. */
    final TokenBucket messages = new TokenBucket(200, 6000);

    /** What the server says to it alone since it asked, or did what it may not. */
    final TokenBucket answers = new TokenBucket(40, 10);

    /** What is passed on to the others inside {@code N_CLIENT}, each message with its code. */
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

    /** Its own copy of the map that is played. */
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

    /** Whom it is in the arena, since {@code N_CONNECT} was accepted. */
    @Nullable PlayerId player() {
        return player;
    }

    void enter(PlayerId as) {
        player = as;
    }

    /** Why it is sent away, as soon as it is. */
    @Nullable LeaveReason ending() {
        return ending;
    }

    /** It is sent away; the first reason counts. */
    void sendAway(LeaveReason why) {
        if (ending == null) {
            ending = why;
        }
    }

    /**
     * It is out of the room and the arena.
     *
     * @return false if it was before
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

    /** What the others call it. */
    String name() {
        return find().map(known -> CubeText.playerName(known.name())).orElse("");
    }

    private Optional<Player> find() {
        PlayerId who = player;
        return who == null ? Optional.empty() : registry.arena().find(who);
    }

    /** Starts the next life; it begins when the client says so. */
    void nextLife(SauerbratenMode mode) {
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

    /** Watches, or is to begin a life. */
    void watch(boolean on) {
        presence = on ? Presence.SPECTATOR : Presence.DEAD;
    }

    /** Takes one more position; 0, or how many were too many at once. */
    int tooMany(long now) {
        return positions.tryAcquire(now) ? 0 : positions.refused();
    }

    Presence presence() {
        return presence;
    }

    boolean watches() {
        return presence == Presence.SPECTATOR;
    }

    /** The number of the present life, or of the one that it may begin; -1 before the first. */
    int lifeseq() {
        return lifeseq;
    }

    /** What the body of the present life is and carries. */
    State state() {
        return state;
    }

    /** The next position is where it teleported to. */
    void teleports() {
        teleported = true;
    }

    /** Whether it has teleported since this was asked last. */
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

    /** Another map is played: what was voted for and loaded is of the past. */
    void newMap() {
        vote = null;
        mapCrc = OptionalInt.empty();
        mapPushed = false;
    }

    /** It has loaded the map that is played, with a CRC; or with none another one. */
    void loaded(OptionalInt crc) {
        mapCrc = crc;
    }

    /** The CRC of its copy of the map, once it has said that. */
    OptionalInt mapCrc() {
        return mapCrc;
    }

    /** Whether the map was sent to it unasked. */
    boolean mapPushed() {
        return mapPushed;
    }

    void setMapPushed(boolean pushed) {
        mapPushed = pushed;
    }

    /** The last round trip that it has measured, milliseconds. */
    int ping() {
        return ping;
    }

    /** It has measured another round trip; returns whether there is something to show. */
    boolean pinged(int millis) {
        pingNews |= ping != millis;
        ping = millis;
        return pingNews;
    }

    /** Whether the round trip is another than when this was asked last. */
    boolean takePingNews() {
        boolean news = pingNews;
        pingNews = false;
        return news;
    }

    /** It measures, and is to be answered: of several at once the newest. */
    void measures(int millis) {
        pong = OptionalInt.of(millis);
    }

    OptionalInt takePong() {
        OptionalInt taken = pong;
        pong = OptionalInt.empty();
        return taken;
    }

    /** It uses a teleport or a jump pad: of several in a short time the newest is shown. */
    void travels(MovementMessage newest) {
        travel = newest;
    }

    /** What it has used and the others have not been shown, if it has a body to show. */
    @Nullable MovementMessage travel() {
        if (!embodied()) {
            travel = null;
        }
        return travel;
    }

    /** When the others were shown one last. */
    long travelled() {
        return travelled;
    }

    /** The others are shown it now. */
    void travelShown(long now) {
        travel = null;
        travelled = now;
    }

    /** What it said is to be passed on to the others. */
    void relay(Bytes message, boolean reliable) {
        relayed.add(message);
        relayedBytes += message.length();
        relayedReliably += reliable ? 1 : 0;
    }

    /** The bytes that wait to be passed on. */
    int relayedBytes() {
        return relayedBytes;
    }

    /** How many of the messages that wait have to arrive. */
    int relayedReliably() {
        return relayedReliably;
    }

    /** All that waits, one after the other; nothing waits after this. */
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

    /** What it is told of itself. */
    PlayerAppearance ownLook() {
        return look(presence);
    }

    /**
     * What another is shown: a body once it has moved, for as long as it is heard of.
     *
     * @param inSight whether the other may be shown the body
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
    public void disconnect(long now, String reason) {
        registry.dismiss(
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

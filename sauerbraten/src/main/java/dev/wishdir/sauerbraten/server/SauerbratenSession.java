package dev.wishdir.sauerbraten.server;

import dev.wishdir.arena.Departure;
import dev.wishdir.arena.Player;
import dev.wishdir.arena.PlayerId;
import dev.wishdir.enet.EnetPeer;
import dev.wishdir.motion.Plausibility;
import dev.wishdir.net.Addresses;
import dev.wishdir.net.Allowance;
import dev.wishdir.net.Debtor;
import dev.wishdir.sauerbraten.message.CubeText;
import dev.wishdir.sauerbraten.message.State;
import dev.wishdir.sauerbraten.message.Travel;
import dev.wishdir.wire.Bytes;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** One client of the endpoint, from its connection to its end. Fields belong to the endpoint. */
final class SauerbratenSession implements Debtor {
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
    static final int MOST_ID = 1 << 24;

    private static final PlayerId NOBODY = new PlayerId(0, 0);
    private static final int LIFESEQ_MASK = 127;

    /** The fastest that the game moves a body for long: a jump pad's push, in metres a second. */
    private static final double FASTEST = 60;

    private final SauerbratenRoom room;
    final EnetPeer peer;
    final Addresses.Place place;
    final int cn;
    final int sessionid;
    final long connected;
    final Plausibility plausibility = new Plausibility(FASTEST, 10);

    /** Messages that it may send: they cost the server something, whomever they reach. */
    final Allowance messages = new Allowance(200, 6000);

    /** What the server says to it alone since it asked, or did what it may not. */
    final Allowance answers = new Allowance(40, 10);

    /** What is passed on to the others inside {@code N_CLIENT}, each message with its code. */
    final List<Bytes> relayed = new ArrayList<>();

    int relayedBytes;
    int relayedReliably;
    String team = "good";
    int teamReason = SILENTLY;
    int model;
    int ping;
    boolean pingNews;

    /** What the newest measuring asked for, until it is answered. */
    OptionalInt pong = OptionalInt.empty();

    @Nullable Travel travel;
    long travelled = Long.MIN_VALUE / 2;
    boolean teleported;
    int privilege;
    int lifeseq = -1;
    Presence presence = Presence.DEAD;
    State state = State.BLANK;
    String mapName = "";
    int mapCrc;
    boolean mapKnown;
    boolean mapPushed;
    SauerbratenMatch.@Nullable Wish vote;

    /** In the arena since {@code N_CONNECT} was accepted. */
    @Nullable PlayerId player;

    /** Why it is sent away, as soon as it is. */
    @Nullable Departure ending;

    /** Out of the room and the arena. */
    boolean gone;

    final SauerbratenLine line;

    SauerbratenSession(
            SauerbratenRoom room,
            EnetPeer peer,
            Addresses.Place place,
            int cn,
            int sessionid,
            long connected) {
        this.room = room;
        this.peer = peer;
        this.place = place;
        this.cn = cn;
        this.sessionid = sessionid;
        this.connected = connected;
        line = new SauerbratenLine(room, this);
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
        return who == null ? Optional.empty() : room.arena().find(who);
    }

    /** Starts the next life; it begins when the client says so. */
    void nextLife(SauerbratenMode mode) {
        lifeseq = lifeseq + 1 & LIFESEQ_MASK;
        presence = Presence.DEAD;
        state = mode.spawnState(lifeseq);
    }

    /** What it is told of itself. */
    Look ownLook() {
        return look(presence);
    }

    /**
     * What another is shown: a body once it has moved, for as long as it is heard of.
     *
     * @param inSight whether the other may be shown the body
     */
    Look look(boolean inSight) {
        boolean hidden = embodied() && !(inSight && find().map(Player::spawned).orElse(false));
        return look(hidden ? Presence.DEAD : presence);
    }

    private Look look(Presence as) {
        PlayerId who = player == null ? NOBODY : player;
        return new Look(who, name(), team, teamReason, model, as, state);
    }

    @Override
    public long held() {
        return peer.held() + relayedBytes;
    }

    @Override
    public void end(long now, String reason) {
        room.end(this, reason);
    }

    @Override
    public String toString() {
        return "sauerbraten " + cn + " " + name() + " at " + peer.address();
    }
}

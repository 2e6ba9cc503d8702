package dev.wishdir.sauerbraten;

import dev.wishdir.arena.Player;
import dev.wishdir.motion.Plausibility;
import dev.wishdir.net.Allowance;
import dev.wishdir.sauerbraten.message.Life;
import dev.wishdir.sauerbraten.message.State;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Writer;

import org.jspecify.annotations.Nullable;

/** One client of the endpoint, from its connection to its end. Fields belong to the endpoint. */
final class SauerbratenSession {
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
    }

    private static final int LIFESEQ_MASK = 127;

    /** The fastest that the game moves a body for long: a jump pad's push, in metres a second. */
    private static final double FASTEST = 60;

    final EnetPeer peer;
    final int cn;
    final int sessionid;
    final long connected;
    final Plausibility plausibility = new Plausibility(FASTEST, 10);
    final Allowance messages = new Allowance(200, 6000);
    final Allowance talk = new Allowance(20, 4);

    /** Bytes of edits: all others are sent each of them, reliably. */
    final Allowance edits = new Allowance(4 << 20, 1 << 18);

    /**
     * Messages to pass on to the others inside {@code N_CLIENT}. Its first half is passed on before
     * it takes more, so that the longest message, an edit with 64 KiB of its own, finds room.
     */
    final Writer relayed = new Writer(1 << 18);

    boolean relayedReliably;
    String name = "";
    String team = "good";
    int model;
    int ping;
    int privilege;
    int lifeseq = -1;
    Presence presence = Presence.DEAD;
    State state = State.BLANK;
    String mapName = "";
    int mapCrc;
    boolean mapKnown;
    boolean mapPushed;
    boolean voted;
    String vote = "";
    int voteMode;

    /** The newest position that was taken, as it came. */
    Bytes position = Bytes.EMPTY;

    /** In the arena since {@code N_CONNECT} was accepted. */
    @Nullable Player player;

    SauerbratenSession(EnetPeer peer, int cn, int sessionid, long connected) {
        this.peer = peer;
        this.cn = cn;
        this.sessionid = sessionid;
        this.connected = connected;
    }

    boolean joined() {
        return player != null;
    }

    /** Whether it has a body that moves. */
    boolean embodied() {
        return presence == Presence.ALIVE || presence == Presence.EDITING;
    }

    /** Starts the next life; it begins when the client says so. */
    Life.SpawnState nextLife(SauerbratenMode mode) {
        lifeseq = lifeseq + 1 & LIFESEQ_MASK;
        presence = Presence.DEAD;
        state = mode.spawnState(lifeseq);
        position = Bytes.EMPTY;
        return new Life.SpawnState(cn, state);
    }

    /** Its line in {@code N_RESUME}. */
    Life.Score score() {
        return new Life.Score(
                cn,
                presence.code,
                0,
                0,
                0,
                0,
                new State(
                        Math.max(0, lifeseq),
                        state.health(),
                        state.maxhealth(),
                        state.armour(),
                        state.armourtype(),
                        state.gun(),
                        state.ammo()));
    }
}

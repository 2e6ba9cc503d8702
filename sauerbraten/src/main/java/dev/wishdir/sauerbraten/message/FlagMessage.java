package dev.wishdir.sauerbraten.message;

import static dev.wishdir.sauerbraten.message.CubeWire.bool;
import static dev.wishdir.sauerbraten.message.CubeWire.integer;

import dev.wishdir.wire.Wire;

import java.util.List;

/** The modes with flags: ctf, protect, hold. */
public sealed interface FlagMessage extends SauerbratenMessage {
    /** Maximum number of flags in a message; maps have two, or a few more in the hold modes. */
    int MAX_FLAGS = 64;

    /**
     * {@code N_TAKEFLAG} from a client: it touches a flag, to take, return or, with its own at
     * home, to score.
     *
     * @param version of the flag that the client knows
     */
    record ClientTakeFlag(int flag, int version) implements FlagMessage {
        public static final ClientTakeFlag BLANK = new ClientTakeFlag(0, 0);

        public static ClientTakeFlag wire(Wire w, ClientTakeFlag m) {
            int flag = integer(w, "flag", m.flag);
            int version = integer(w, "version", m.version);
            return new ClientTakeFlag(flag, version);
        }
    }

    /** {@code N_TAKEFLAG}: a player has taken a flag. */
    record TakeFlag(int cn, int flag, int version) implements FlagMessage {
        public static final TakeFlag BLANK = new TakeFlag(0, 0, 0);

        public static TakeFlag wire(Wire w, TakeFlag m) {
            int cn = integer(w, "cn", m.cn);
            int flag = integer(w, "flag", m.flag);
            int version = integer(w, "version", m.version);
            return new TakeFlag(cn, flag, version);
        }
    }

    /** {@code N_RETURNFLAG}: a player has returned a flag. */
    record ReturnFlag(int cn, int flag, int version) implements FlagMessage {
        public static final ReturnFlag BLANK = new ReturnFlag(0, 0, 0);

        public static ReturnFlag wire(Wire w, ReturnFlag m) {
            int cn = integer(w, "cn", m.cn);
            int flag = integer(w, "flag", m.flag);
            int version = integer(w, "version", m.version);
            return new ReturnFlag(cn, flag, version);
        }
    }

    /**
     * {@code N_RESETFLAG}: a flag is back at its start.
     *
     * @param spawn index of the start
     */
    record ResetFlag(int flag, int version, int spawn, int team, int score) implements FlagMessage {
        public static final ResetFlag BLANK = new ResetFlag(0, 0, 0, 0, 0);

        public static ResetFlag wire(Wire w, ResetFlag m) {
            int flag = integer(w, "flag", m.flag);
            int version = integer(w, "version", m.version);
            int spawn = integer(w, "spawn", m.spawn);
            int team = integer(w, "team", m.team);
            int score = integer(w, "score", m.score);
            return new ResetFlag(flag, version, spawn, team, score);
        }
    }

    /** {@code N_INVISFLAG}: a flag becomes invisible or visible. */
    record InvisFlag(int flag, boolean invisible) implements FlagMessage {
        public static final InvisFlag BLANK = new InvisFlag(0, false);

        public static InvisFlag wire(Wire w, InvisFlag m) {
            int flag = integer(w, "flag", m.flag);
            boolean invisible = bool(w, "invisible", m.invisible);
            return new InvisFlag(flag, invisible);
        }
    }

    /** {@code N_TRYDROPFLAG}: the client drops its flag. */
    record TryDropFlag() implements FlagMessage {
        public static final TryDropFlag BLANK = new TryDropFlag();

        public static TryDropFlag wire(Wire w, TryDropFlag m) {
            return BLANK;
        }
    }

    /** {@code N_DROPFLAG}: a player has dropped a flag. */
    record DropFlag(int cn, int flag, int version, Point o) implements FlagMessage {
        public static final DropFlag BLANK = new DropFlag(0, 0, 0, Point.BLANK);

        public static DropFlag wire(Wire w, DropFlag m) {
            int cn = integer(w, "cn", m.cn);
            int flag = integer(w, "flag", m.flag);
            int version = integer(w, "version", m.version);
            Point o = Point.wire(w, "o", m.o);
            return new DropFlag(cn, flag, version, o);
        }
    }

    /**
     * {@code N_SCOREFLAG}: a player has scored.
     *
     * @param relay flag that was carried
     * @param goal flag that it was carried to
     * @param oflags flags that the player has scored
     */
    record ScoreFlag(
            int cn,
            int relay,
            int relayversion,
            int goal,
            int goalversion,
            int goalspawn,
            int team,
            int score,
            int oflags)
            implements FlagMessage {
        public static final ScoreFlag BLANK = new ScoreFlag(0, 0, 0, 0, 0, 0, 0, 0, 0);

        public static ScoreFlag wire(Wire w, ScoreFlag m) {
            int cn = integer(w, "cn", m.cn);
            int relay = integer(w, "relay", m.relay);
            int relayversion = integer(w, "relayversion", m.relayversion);
            int goal = integer(w, "goal", m.goal);
            int goalversion = integer(w, "goalversion", m.goalversion);
            int goalspawn = integer(w, "goalspawn", m.goalspawn);
            int team = integer(w, "team", m.team);
            int score = integer(w, "score", m.score);
            int oflags = integer(w, "oflags", m.oflags);
            return new ScoreFlag(
                    cn, relay, relayversion, goal, goalversion, goalspawn, team, score, oflags);
        }
    }

    /** {@code N_INITFLAGS} from a client: the flags of its map. */
    record ClientInitFlags(List<Placed> flags) implements FlagMessage {
        public static final ClientInitFlags BLANK = new ClientInitFlags(List.of());

        public static ClientInitFlags wire(Wire w, ClientInitFlags m) {
            return new ClientInitFlags(
                    CubeWire.counted(w, "flags", MAX_FLAGS, m.flags, Placed.BLANK, Placed::wire));
        }

        public ClientInitFlags {
            flags = List.copyOf(flags);
        }
    }

    /**
     * {@code N_INITFLAGS}: the state of all flags; in the hold modes with the team that holds each.
     */
    record InitFlags(int score1, int score2, List<Status> flags) implements FlagMessage {
        public static final InitFlags BLANK = new InitFlags(0, 0, List.of());

        public static InitFlags wire(Wire w, InitFlags m) {
            int score1 = integer(w, "score1", m.score1);
            int score2 = integer(w, "score2", m.score2);
            List<Status> flags =
                    CubeWire.counted(w, "flags", MAX_FLAGS, m.flags, Status.BLANK, Status::wire);
            return new InitFlags(score1, score2, flags);
        }

        /** The walk of the hold modes. */
        public static InitFlags wireHold(Wire w, InitFlags m) {
            int score1 = integer(w, "score1", m.score1);
            int score2 = integer(w, "score2", m.score2);
            List<Status> flags =
                    CubeWire.counted(
                            w, "flags", MAX_FLAGS, m.flags, Status.BLANK, Status::wireHold);
            return new InitFlags(score1, score2, flags);
        }

        public InitFlags {
            flags = List.copyOf(flags);
        }
    }

    /**
     * A flag of a map.
     *
     * @param team 1 or 2; -1 in the hold modes
     */
    record Placed(int team, Point o) {
        public static final Placed BLANK = new Placed(0, Point.BLANK);

        public static Placed wire(Wire w, Placed m) {
            int team = integer(w, "team", m.team);
            Point o = Point.wire(w, "o", m.o);
            return new Placed(team, o);
        }
    }

    /**
     * The state of a flag.
     *
     * @param owner the client that carries it, -1 for none
     * @param dropped whether it lies at {@code o}, as no player carries it
     * @param holdteam team that holds it, -1 for none; only in the hold modes
     * @param holdtime for how long, tenths of a second
     */
    record Status(
            int version,
            int spawn,
            int owner,
            boolean invisible,
            boolean dropped,
            Point o,
            int holdteam,
            int holdtime) {
        public static final Status BLANK = new Status(0, 0, 0, false, false, Point.BLANK, -1, 0);

        /** The index of the spawn point in modes whose flags have one each. */
        private static final int NO_SPAWN = -1;

        /** A flag at its base. */
        public static Status atHome(int version) {
            return new Status(version, NO_SPAWN, -1, false, false, Point.BLANK, -1, 0);
        }

        /** A flag that a client carries. */
        public static Status carried(int version, int cn) {
            return new Status(version, NO_SPAWN, cn, false, false, Point.BLANK, -1, 0);
        }

        /** A flag that lies in the level. */
        public static Status dropped(int version, Point at) {
            return new Status(version, NO_SPAWN, -1, false, true, at, -1, 0);
        }

        /** A flag of the map that is not played with. */
        public static Status hidden() {
            return new Status(0, NO_SPAWN, -1, true, false, Point.BLANK, -1, 0);
        }

        static Status wire(Wire w, Status m) {
            int version = integer(w, "version", m.version);
            int spawn = integer(w, "spawn", m.spawn);
            int owner = integer(w, "owner", m.owner);
            boolean invisible = bool(w, "invisible", m.invisible);
            boolean dropped = owner < 0 && bool(w, "dropped", m.dropped);
            Point o = dropped ? Point.wire(w, "o", m.o) : Point.BLANK;
            return new Status(version, spawn, owner, invisible, dropped, o, -1, 0);
        }

        static Status wireHold(Wire w, Status m) {
            Status flag = wire(w, m);
            int holdteam = integer(w, "holdteam", m.holdteam);
            return new Status(
                    flag.version,
                    flag.spawn,
                    flag.owner,
                    flag.invisible,
                    flag.dropped,
                    flag.o,
                    holdteam,
                    holdteam >= 0 ? integer(w, "holdtime", m.holdtime) : 0);
        }
    }
}

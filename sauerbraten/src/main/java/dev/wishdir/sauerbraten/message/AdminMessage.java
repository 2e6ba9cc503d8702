package dev.wishdir.sauerbraten.message;

import static dev.wishdir.sauerbraten.message.CubeWire.bool;
import static dev.wishdir.sauerbraten.message.CubeWire.integer;
import static dev.wishdir.sauerbraten.message.CubeWire.measured;
import static dev.wishdir.sauerbraten.message.CubeWire.named;
import static dev.wishdir.sauerbraten.message.CubeWire.string;

import dev.wishdir.wire.Wire;

import java.util.List;

/** Who may do what, and what the privileged do. */
public sealed interface AdminMessage extends SauerbratenMessage {
    /** {@code N_MASTERMODE}: 0 open, 1 veto, 2 locked, 3 private. */
    record MasterMode(int mode) implements AdminMessage {
        public static final MasterMode BLANK = new MasterMode(0);

        public static MasterMode wire(Wire w, MasterMode m) {
            return new MasterMode(
                    named(
                            w,
                            "mode",
                            m.mode,
                            ProtocolNames.FIRST_MASTERMODE,
                            ProtocolNames.MASTERMODES));
        }
    }

    /** {@code N_KICK}: the client wants somebody out. */
    record Kick(int cn, String reason) implements AdminMessage {
        public static final Kick BLANK = new Kick(0, "");

        public static Kick wire(Wire w, Kick m) {
            int cn = integer(w, "cn", m.cn);
            String reason = string(w, "reason", m.reason);
            return new Kick(cn, reason);
        }
    }

    /** {@code N_CLEARBANS}: the client ends all bans. */
    record ClearBans() implements AdminMessage {
        public static final ClearBans BLANK = new ClearBans();

        public static ClearBans wire(Wire w, ClearBans m) {
            return BLANK;
        }
    }

    /** {@code N_CURRENTMASTER}: who has privileges now. */
    record CurrentMaster(int mastermode, List<Privileged> masters) implements AdminMessage {
        public static final CurrentMaster BLANK = new CurrentMaster(0, List.of());

        public static CurrentMaster wire(Wire w, CurrentMaster m) {
            int mastermode =
                    named(
                            w,
                            "mastermode",
                            m.mastermode,
                            ProtocolNames.FIRST_MASTERMODE,
                            ProtocolNames.MASTERMODES);
            List<Privileged> masters =
                    CubeWire.untilMinusOne(
                            w,
                            "masters",
                            "cn",
                            m.masters,
                            Privileged::cn,
                            Privileged.BLANK,
                            Privileged::wire);
            return new CurrentMaster(mastermode, masters);
        }

        public CurrentMaster {
            masters = List.copyOf(masters);
        }
    }

    /**
     * {@code N_SETMASTER}: the client takes or gives privileges.
     *
     * @param cn whose
     * @param hash the hash of the password, empty without one
     */
    record SetMaster(int cn, boolean val, String hash) implements AdminMessage {
        public static final SetMaster BLANK = new SetMaster(0, false, "");

        public static SetMaster wire(Wire w, SetMaster m) {
            int cn = integer(w, "cn", m.cn);
            boolean val = bool(w, "val", m.val);
            String hash = string(w, "hash", m.hash);
            return new SetMaster(cn, val, hash);
        }
    }

    /** {@code N_PAUSEGAME} from a client: stop the game or go on. */
    record ClientPauseGame(boolean paused) implements AdminMessage {
        public static final ClientPauseGame BLANK = new ClientPauseGame(false);

        public static ClientPauseGame wire(Wire w, ClientPauseGame m) {
            return new ClientPauseGame(bool(w, "paused", m.paused));
        }
    }

    /** {@code N_PAUSEGAME}: the game has stopped or goes on; -1 where the server did it. */
    record PauseGame(boolean paused, int cn) implements AdminMessage {
        public static final PauseGame BLANK = new PauseGame(false, 0);

        public static PauseGame wire(Wire w, PauseGame m) {
            boolean paused = bool(w, "paused", m.paused);
            int cn = integer(w, "cn", m.cn);
            return new PauseGame(paused, cn);
        }
    }

    /** {@code N_GAMESPEED} from a client: change the speed of the game. */
    record ClientGameSpeed(int speed) implements AdminMessage {
        public static final ClientGameSpeed BLANK = new ClientGameSpeed(0);

        public static ClientGameSpeed wire(Wire w, ClientGameSpeed m) {
            return new ClientGameSpeed(measured(w, "speed", m.speed, "%"));
        }
    }

    /** {@code N_GAMESPEED}: the speed of the game; -1 where the server set it. */
    record GameSpeed(int speed, int cn) implements AdminMessage {
        public static final GameSpeed BLANK = new GameSpeed(0, 0);

        public static GameSpeed wire(Wire w, GameSpeed m) {
            int speed = measured(w, "speed", m.speed, "%");
            int cn = integer(w, "cn", m.cn);
            return new GameSpeed(speed, cn);
        }
    }

    /** Somebody with a privilege: 0 none, 1 master, 2 auth, 3 admin. */
    record Privileged(int cn, int privilege) implements Fields.Tuple {
        public static final Privileged BLANK = new Privileged(0, 0);

        static Privileged wire(Wire w, int cn, Privileged m) {
            return new Privileged(
                    cn, named(w, "privilege", m.privilege, 0, ProtocolNames.PRIVILEGES));
        }
    }
}

package dev.wishdir.sauerbraten.message;

import static dev.wishdir.sauerbraten.message.CubeWire.bool;
import static dev.wishdir.sauerbraten.message.CubeWire.integer;
import static dev.wishdir.sauerbraten.message.CubeWire.measured;
import static dev.wishdir.sauerbraten.message.CubeWire.named;
import static dev.wishdir.sauerbraten.message.CubeWire.string;

import dev.wishdir.wire.Wire;

import java.util.List;

/** Privileges, and the commands that need them. */
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

    /** {@code N_KICK}: the client requests to kick a player. */
    record Kick(int cn, String reason) implements AdminMessage {
        public static final Kick BLANK = new Kick(0, "");

        public static Kick wire(Wire w, Kick m) {
            int cn = integer(w, "cn", m.cn);
            String reason = string(w, "reason", m.reason);
            return new Kick(cn, reason);
        }
    }

    /** {@code N_CLEARBANS}: the client removes all bans. */
    record ClearBans() implements AdminMessage {
        public static final ClearBans BLANK = new ClearBans();

        public static ClearBans wire(Wire w, ClearBans m) {
            return BLANK;
        }
    }

    /** {@code N_CURRENTMASTER}: the clients with privileges. */
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
     * {@code N_SETMASTER}: the client claims, gives or drops privileges.
     *
     * @param cn the client that they are for
     * @param hash password hash, empty without a password
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

    /** {@code N_PAUSEGAME} from a client: pause or resume the game. */
    record ClientPauseGame(boolean paused) implements AdminMessage {
        public static final ClientPauseGame BLANK = new ClientPauseGame(false);

        public static ClientPauseGame wire(Wire w, ClientPauseGame m) {
            return new ClientPauseGame(bool(w, "paused", m.paused));
        }
    }

    /** {@code N_PAUSEGAME}: the game was paused or resumed; -1 by the server. */
    record PauseGame(boolean paused, int cn) implements AdminMessage {
        public static final PauseGame BLANK = new PauseGame(false, 0);

        public static PauseGame wire(Wire w, PauseGame m) {
            boolean paused = bool(w, "paused", m.paused);
            int cn = integer(w, "cn", m.cn);
            return new PauseGame(paused, cn);
        }
    }

    /** {@code N_GAMESPEED} from a client: set the game speed. */
    record ClientGameSpeed(int speed) implements AdminMessage {
        public static final ClientGameSpeed BLANK = new ClientGameSpeed(0);

        public static ClientGameSpeed wire(Wire w, ClientGameSpeed m) {
            return new ClientGameSpeed(measured(w, "speed", m.speed, "%"));
        }
    }

    /** {@code N_GAMESPEED}: the game speed; -1 if set by the server. */
    record GameSpeed(int speed, int cn) implements AdminMessage {
        public static final GameSpeed BLANK = new GameSpeed(0, 0);

        public static GameSpeed wire(Wire w, GameSpeed m) {
            int speed = measured(w, "speed", m.speed, "%");
            int cn = integer(w, "cn", m.cn);
            return new GameSpeed(speed, cn);
        }
    }

    /** A client with a privilege: 0 none, 1 master, 2 auth, 3 admin. */
    record Privileged(int cn, int privilege) implements Fields.Tuple {
        public static final Privileged BLANK = new Privileged(0, 0);

        static Privileged wire(Wire w, int cn, Privileged m) {
            return new Privileged(
                    cn, named(w, "privilege", m.privilege, 0, ProtocolNames.PRIVILEGES));
        }
    }
}

package dev.wishdir.sauerbraten.message;

import static dev.wishdir.sauerbraten.message.CubeWire.bool;
import static dev.wishdir.sauerbraten.message.CubeWire.integer;
import static dev.wishdir.sauerbraten.message.CubeWire.line;
import static dev.wishdir.sauerbraten.message.CubeWire.measured;
import static dev.wishdir.sauerbraten.message.CubeWire.string;

import dev.wishdir.wire.Wire;

/** Connecting, and measuring the ping. */
public sealed interface SessionMessage extends SauerbratenMessage {
    /**
     * {@code N_CONNECT}: the client requests to join.
     *
     * @param pwdhash password hash, empty without a password
     * @param authdesc domain of the key that the server requires
     * @param authname name of that key
     */
    record Connect(String name, int model, String pwdhash, String authdesc, String authname)
            implements SessionMessage {
        public static final Connect BLANK = new Connect("", 0, "", "", "");

        public static Connect wire(Wire w, Connect m) {
            String name = string(w, "name", m.name);
            int model = integer(w, "model", m.model);
            String pwdhash = string(w, "pwdhash", m.pwdhash);
            String authdesc = string(w, "authdesc", m.authdesc);
            String authname = string(w, "authname", m.authname);
            return new Connect(name, model, pwdhash, authdesc, authname);
        }
    }

    /**
     * {@code N_SERVINFO}: the server's first message.
     *
     * @param cn client number
     * @param sessionid salt of password hashes, 0..2^24-1
     * @param haspwd whether joining requires a password
     * @param auth domain of the key that joining requires, empty for none
     */
    record ServInfo(int cn, int protocol, int sessionid, boolean haspwd, String desc, String auth)
            implements SessionMessage {
        public static final ServInfo BLANK = new ServInfo(0, 0, 0, false, "", "");

        public static ServInfo wire(Wire w, ServInfo m) {
            int cn = integer(w, "cn", m.cn);
            int protocol = integer(w, "protocol", m.protocol);
            int sessionid = integer(w, "sessionid", m.sessionid);
            boolean haspwd = bool(w, "haspwd", m.haspwd);
            String desc = string(w, "desc", m.desc);
            String auth = string(w, "auth", m.auth);
            return new ServInfo(cn, protocol, sessionid, haspwd, desc, auth);
        }
    }

    /** {@code N_WELCOME}: the client has joined; the state of the game follows. */
    record Welcome() implements SessionMessage {
        public static final Welcome BLANK = new Welcome();

        public static Welcome wire(Wire w, Welcome m) {
            return BLANK;
        }
    }

    /** {@code N_PING}: the client's clock, which the server returns. */
    record Ping(int millis) implements SessionMessage {
        public static final Ping BLANK = new Ping(0);

        public static Ping wire(Wire w, Ping m) {
            return new Ping(measured(w, "millis", m.millis, "ms"));
        }
    }

    /** {@code N_PONG}: the clock of a ping. */
    record Pong(int millis) implements SessionMessage {
        public static final Pong BLANK = new Pong(0);

        public static Pong wire(Wire w, Pong m) {
            return new Pong(measured(w, "millis", m.millis, "ms"));
        }
    }

    /** {@code N_CLIENTPING}: the smoothed round trip of a client; relayed. */
    record ClientPing(int ping) implements SessionMessage {
        public static final ClientPing BLANK = new ClientPing(0);

        public static ClientPing wire(Wire w, ClientPing m) {
            return new ClientPing(measured(w, "ping", m.ping, "ms"));
        }
    }

    /** {@code N_SERVCMD}: a command for a modified server or client; ignored by others. */
    record ServCmd(String text) implements SessionMessage {
        public static final ServCmd BLANK = new ServCmd("");

        public static ServCmd wire(Wire w, ServCmd m) {
            return new ServCmd(line(w, "text", m.text));
        }
    }
}

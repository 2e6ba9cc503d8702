package dev.wishdir.sauerbraten.message;

import static dev.wishdir.sauerbraten.message.CubeWire.integer;
import static dev.wishdir.sauerbraten.message.CubeWire.string;

import dev.wishdir.wire.Wire;

/** Authentication by key, for privileges: elliptic curve points as hex. */
public sealed interface AuthMessage extends SauerbratenMessage {
    /** {@code N_AUTHTRY}: the client requests the privileges of a key. */
    record AuthTry(String domain, String name) implements AuthMessage {
        public static final AuthTry BLANK = new AuthTry("", "");

        public static AuthTry wire(Wire w, AuthTry m) {
            String domain = string(w, "domain", m.domain);
            String name = string(w, "name", m.name);
            return new AuthTry(domain, name);
        }
    }

    /** {@code N_AUTHKICK}: the client requests a kick with the privileges of a key. */
    record AuthKick(String domain, String name, int victim, String reason) implements AuthMessage {
        public static final AuthKick BLANK = new AuthKick("", "", 0, "");

        public static AuthKick wire(Wire w, AuthKick m) {
            String domain = string(w, "domain", m.domain);
            String name = string(w, "name", m.name);
            int victim = integer(w, "victim", m.victim);
            String reason = string(w, "reason", m.reason);
            return new AuthKick(domain, name, victim, reason);
        }
    }

    /** {@code N_AUTHCHAL}: the server's challenge. */
    record AuthChal(String domain, int id, String challenge) implements AuthMessage {
        public static final AuthChal BLANK = new AuthChal("", 0, "");

        public static AuthChal wire(Wire w, AuthChal m) {
            String domain = string(w, "domain", m.domain);
            int id = integer(w, "id", m.id);
            String challenge = string(w, "challenge", m.challenge);
            return new AuthChal(domain, id, challenge);
        }
    }

    /** {@code N_AUTHANS}: the client's answer. */
    record AuthAns(String domain, int id, String answer) implements AuthMessage {
        public static final AuthAns BLANK = new AuthAns("", 0, "");

        public static AuthAns wire(Wire w, AuthAns m) {
            String domain = string(w, "domain", m.domain);
            int id = integer(w, "id", m.id);
            String answer = string(w, "answer", m.answer);
            return new AuthAns(domain, id, answer);
        }
    }

    /** {@code N_REQAUTH}: the server requests proof of a key. */
    record ReqAuth(String domain) implements AuthMessage {
        public static final ReqAuth BLANK = new ReqAuth("");

        public static ReqAuth wire(Wire w, ReqAuth m) {
            return new ReqAuth(string(w, "domain", m.domain));
        }
    }
}

package dev.wishdir.sauerbraten.message;

import static dev.wishdir.sauerbraten.message.CubeWire.integer;
import static dev.wishdir.sauerbraten.message.CubeWire.line;

import dev.wishdir.wire.Wire;

/** Chat and messages of the server. */
public sealed interface ChatMessage extends SauerbratenMessage {
    /** {@code N_TEXT}: chat to all; relayed. */
    record Text(String text) implements ChatMessage {
        public static final Text BLANK = new Text("");

        public static Text wire(Wire w, Text m) {
            return new Text(line(w, "text", m.text));
        }
    }

    /** {@code N_SAYTEAM} from a client: chat to its team. */
    record ClientSayTeam(String text) implements ChatMessage {
        public static final ClientSayTeam BLANK = new ClientSayTeam("");

        public static ClientSayTeam wire(Wire w, ClientSayTeam m) {
            return new ClientSayTeam(line(w, "text", m.text));
        }
    }

    /** {@code N_SAYTEAM}: chat of a team member. */
    record SayTeam(int cn, String text) implements ChatMessage {
        public static final SayTeam BLANK = new SayTeam(0, "");

        public static SayTeam wire(Wire w, SayTeam m) {
            int cn = integer(w, "cn", m.cn);
            String text = line(w, "text", m.text);
            return new SayTeam(cn, text);
        }
    }

    /** {@code N_SERVMSG}: a message of the server. */
    record ServMsg(String text) implements ChatMessage {
        public static final ServMsg BLANK = new ServMsg("");

        public static ServMsg wire(Wire w, ServMsg m) {
            return new ServMsg(line(w, "text", m.text));
        }
    }
}

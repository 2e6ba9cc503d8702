package dev.wishdir.sauerbraten.message;

import static dev.wishdir.sauerbraten.message.CubeWire.integer;

import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Wire;

/** Messages about messages: whose those are that follow. */
public sealed interface RelayMessage extends SauerbratenMessage {
    /** The most bytes that one {@link Client} may carry. */
    int MAX_MESSAGES = 1 << 20;

    /**
     * {@code N_CLIENT}: messages that a client has sent to all.
     *
     * @param cn whose they are
     * @param messages any number of messages, each with its code
     */
    record Client(int cn, Bytes messages) implements RelayMessage {
        public static final Client BLANK = new Client(0, Bytes.EMPTY);

        public static Client wire(Wire w, Client m) {
            int cn = integer(w, "cn", m.cn);
            Bytes messages = messages(w, m.messages);
            return new Client(cn, messages);
        }

        private static Bytes messages(Wire w, Bytes messages) {
            return w.bytes("messages", messages, length(w, messages.length()));
        }

        /** The walk of the length alone. */
        public static int length(Wire w, int length) {
            return w.bounded("len", CubeWire.uint(w, "len", length), MAX_MESSAGES);
        }
    }

    /**
     * {@code N_FROMAI}: what follows in this packet is from a bot of the sender; -1 is the sender
     * itself again.
     */
    record FromAi(int cn) implements RelayMessage {
        public static final FromAi BLANK = new FromAi(0);

        public static FromAi wire(Wire w, FromAi m) {
            return new FromAi(integer(w, "cn", m.cn));
        }
    }
}

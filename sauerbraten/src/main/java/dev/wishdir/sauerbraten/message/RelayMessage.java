package dev.wishdir.sauerbraten.message;

import static dev.wishdir.sauerbraten.message.CubeWire.integer;

import dev.wishdir.game.proxy.FieldPath;
import dev.wishdir.wire.Bytes;
import dev.wishdir.wire.Wire;

import java.util.LinkedHashMap;
import java.util.SequencedMap;

/** Messages that name the sender of further messages. */
public sealed interface RelayMessage extends SauerbratenMessage {
    /** Maximum length of the messages in one {@link Client}, bytes. */
    int MAX_MESSAGES = 1 << 20;

    /**
     * {@code N_CLIENT}: messages of a client to all.
     *
     * @param cn the sender
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

        /** The walk of only the length. */
        public static int length(Wire w, int length) {
            return w.bounded("len", CubeWire.uint(w, "len", length), MAX_MESSAGES);
        }
    }

    /**
     * One message inside {@link Client}, as an interceptor gets it; not a message of the wire.
     *
     * @param cn the sender
     */
    record Relayed(int cn, SauerbratenMessage message) implements RelayMessage {
        @Override
        public SequencedMap<String, Object> fields() {
            SequencedMap<String, Object> fields = new LinkedHashMap<>();
            fields.put("cn", cn);
            fields.putAll(message.fields());
            return fields;
        }

        @Override
        public SauerbratenMessage with(FieldPath field) {
            return field.is("cn")
                    ? new Relayed(field.integer(0, Integer.MAX_VALUE), message)
                    : new Relayed(cn, message.with(field));
        }
    }

    /**
     * {@code N_FROMAI}: the rest of this packet is from a bot of the sender; -1 is the sender
     * itself again.
     */
    record FromAi(int cn) implements RelayMessage {
        public static final FromAi BLANK = new FromAi(0);

        public static FromAi wire(Wire w, FromAi m) {
            return new FromAi(integer(w, "cn", m.cn));
        }
    }
}

package dev.wishdir.quake2.message;

import dev.wishdir.wire.Wire;

import java.util.Map;

/** A message from a client. See docs/protocols/quake2.md, 4. */
public sealed interface ClientMessage extends Quake2Message
        permits ClientMessage.Nop, Move, ClientMessage.UserInfo, ClientMessage.StringCmd {
    /** Maximum length of a text: that of a packet. */
    int MAX_TEXT_CHARS = 1400;

    /** Nothing. */
    record Nop() implements ClientMessage {
        public static final Nop NOP = new Nop();

        @Override
        public String label() {
            return "nop";
        }

        @Override
        public Map<String, ?> fields() {
            return Map.of();
        }
    }

    /** The complete userinfo string, after a part of it changed. */
    record UserInfo(ClientText text) implements ClientMessage {
        /** To read into. */
        public static final UserInfo BLANK = new UserInfo(ClientText.BLANK);

        /** Walks the message. */
        public static UserInfo wire(Wire w, UserInfo m) {
            return new UserInfo(FieldCodecs.clientText(w, "text", m.text, MAX_TEXT_CHARS));
        }

        @Override
        public String label() {
            return "userinfo";
        }

        @Override
        public Map<String, ?> fields() {
            return Map.of("text", text.value());
        }
    }

    /** A command line for the server or its game. */
    record StringCmd(ClientText text) implements ClientMessage {
        /** To read into. */
        public static final StringCmd BLANK = new StringCmd(ClientText.BLANK);

        /** A terminated command. */
        public StringCmd(String text) {
            this(ClientText.of(text));
        }

        /** Walks the message. */
        public static StringCmd wire(Wire w, StringCmd m) {
            return new StringCmd(FieldCodecs.clientText(w, "text", m.text, MAX_TEXT_CHARS));
        }

        @Override
        public String label() {
            return "stringcmd";
        }

        @Override
        public Map<String, ?> fields() {
            return Map.of("text", text.value());
        }
    }
}

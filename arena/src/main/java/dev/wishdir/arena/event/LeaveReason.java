package dev.wishdir.arena.event;

import java.util.Locale;
import java.util.Objects;

/**
 * Reason for which a player left, or a client was refused.
 *
 * @param code for programs
 * @param text for people, as the player read it, cut to {@value #MAX_TEXT_CHARS} characters; empty
 *     if the code is enough
 */
public record LeaveReason(Code code, String text) {
    /** Maximum length of the text: a last message has room for it in every game. */
    public static final int MAX_TEXT_CHARS = 500;

    public LeaveReason {
        Objects.requireNonNull(code, "code");
        text = Player.truncate(Objects.requireNonNull(text, "text"), MAX_TEXT_CHARS);
    }

    /** The reason for programs; unaffected by rewording of texts. */
    public enum Code {
        /** The player left. */
        LEFT,
        /** No data, no acknowledgement, or not the next step of the handshake in time. */
        TIMED_OUT,
        /** The endpoint closed. */
        SERVER_CLOSED,
        /** A player of another server, which this server has lost. */
        SERVER_LOST,
        /** An operator or a player with master rights kicked the player. */
        KICKED,
        BANNED,
        SERVER_FULL("The server is full."),
        /** Too many players of one address or network. */
        ADDRESS_LIMIT("Too many players or joins from your address."),
        /** A wrong password, or none. */
        PASSWORD("Wrong or missing password."),
        /** Too many wrong passwords of one address or network. */
        PASSWORD_LIMIT("Too many wrong passwords from your network. Try again later."),
        /** The server accepts no players. */
        PRIVATE,
        /** The client speaks another version of the protocol. */
        VERSION,
        /** The account is not verified. */
        ACCOUNT,
        /** The client's files are not those of the server. */
        CLIENT_FILES,
        /** Malformed data, or a message out of turn. */
        PROTOCOL_ERROR,
        /** The player exceeded a rate limit for long. */
        RATE_LIMIT,
        /** A movement that the game's physics does not allow. */
        MOVEMENT_VIOLATION,
        /** Repeated shots that the game's rules do not allow. */
        SHOT_VIOLATION,
        /** The queue of data that waits for the client reached its limit. */
        SEND_QUEUE_FULL("More data waits for you than the server keeps for one client."),
        /** The memory budget of the server is exhausted. */
        MEMORY_LIMIT,
        /** The session used more than its share of the event loop's time. */
        LOOP_TIME_LIMIT;

        private final String text;

        Code() {
            this("");
        }

        Code(String text) {
            this.text = text;
        }

        /** The text for players in every game; empty if each case has a text of its own. */
        public String text() {
            return text;
        }

        /** Whether the server ended a session that could have continued. */
        public boolean isKick() {
            return this != LEFT
                    && this != TIMED_OUT
                    && this != SERVER_CLOSED
                    && this != SERVER_LOST;
        }

        /** As in metrics and JSON: {@code server-full}. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    public static final LeaveReason LEFT = new LeaveReason(Code.LEFT, "");

    public static final LeaveReason TIMED_OUT = new LeaveReason(Code.TIMED_OUT, "");

    public static final LeaveReason SERVER_CLOSED = new LeaveReason(Code.SERVER_CLOSED, "");

    public static final LeaveReason SERVER_LOST = new LeaveReason(Code.SERVER_LOST, "");

    /** The client receives data, and acknowledges none of it. */
    public static final LeaveReason NOT_ACKNOWLEDGING =
            new LeaveReason(Code.TIMED_OUT, "You do not acknowledge what the server sends.");

    /** A reason with the {@linkplain Code#text() text} for players of every game. */
    public static LeaveReason of(Code code) {
        return new LeaveReason(code, code.text());
    }

    /** As in logs: {@code timed out}, {@code disconnected: Wrong or missing password.} */
    @Override
    public String toString() {
        String what =
                switch (code) {
                    case LEFT -> "left";
                    case TIMED_OUT -> "timed out";
                    case SERVER_CLOSED -> "server closed";
                    case SERVER_LOST -> "server lost";
                    default -> "disconnected";
                };
        return text.isEmpty() ? what : what + ": " + text;
    }
}

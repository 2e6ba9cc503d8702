package dev.wishdir.arena;

import java.util.Locale;

/**
 * Why a player left, or a connection was not let in.
 *
 * @param code for programs
 * @param text for people, as the player read it; empty where the code says all
 */
public record LeaveReason(Code code, String text) {
    /** The reason in one word, which stays the same when a text is reworded. */
    public enum Code {
        /** The player's own wish. */
        LEFT,
        /** Nothing, no acknowledgement, or not the next step came for too long. */
        TIMED_OUT,
        /** The endpoint closed. */
        SERVER_CLOSED,
        /** An operator or a master sent the player away. */
        KICKED,
        BANNED,
        SERVER_FULL("The server is full."),
        /** Too many players of one address or network. */
        ADDRESS_LIMIT("Too many players from your address."),
        /** A wrong password, or none. */
        PASSWORD("Wrong or missing password."),
        /** Too many wrong passwords of one address or network. */
        PASSWORD_LIMIT("Too many wrong passwords from your network. Try again later."),
        /** The server lets nobody in. */
        PRIVATE,
        /** The client speaks another version of the protocol. */
        VERSION,
        /** The account is not proved. */
        ACCOUNT,
        /** The client's files are not those of the server. */
        CLIENT_FILES,
        /** Bytes that cannot be read, or a message out of turn. */
        PROTOCOL_ERROR,
        /** The player did or sent more than it may. */
        RATE_LIMIT,
        /** A movement that the game's physics does not allow. */
        MOVEMENT_VIOLATION,
        /** More waits for the client than is kept for one. */
        SEND_QUEUE_FULL("More data waits for you than the server keeps for one client."),
        /** The server is short of memory. */
        MEMORY_LIMIT,
        /** The session took more than its share of the loop's time. */
        LOOP_TIME_LIMIT;

        private final String text;

        Code() {
            this("");
        }

        Code(String text) {
            this.text = text;
        }

        /** What a player reads in every game; empty where each case has a text of its own. */
        public String text() {
            return text;
        }

        /** Whether the server ended a session that could have gone on. */
        public boolean isKick() {
            return this != LEFT && this != TIMED_OUT && this != SERVER_CLOSED;
        }

        /** As metrics and JSON have it: {@code server-full}. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /** The player's own wish. */
    public static final LeaveReason LEFT = new LeaveReason(Code.LEFT, "");

    /** Nothing came for too long. */
    public static final LeaveReason TIMED_OUT = new LeaveReason(Code.TIMED_OUT, "");

    /** The endpoint closed. */
    public static final LeaveReason CLOSED = new LeaveReason(Code.SERVER_CLOSED, "");

    /** The client receives, and acknowledges nothing. */
    public static final LeaveReason NOT_ACKNOWLEDGING =
            new LeaveReason(Code.TIMED_OUT, "You do not acknowledge what the server sends.");

    /** A reason with the {@linkplain Code#text() text} that it has in every game. */
    public static LeaveReason of(Code code) {
        return new LeaveReason(code, code.text());
    }

    /** As a log says it: {@code timed out}, {@code sent away: Server is full.} */
    @Override
    public String toString() {
        String what =
                switch (code) {
                    case LEFT -> "left";
                    case TIMED_OUT -> "timed out";
                    case SERVER_CLOSED -> "server closed";
                    default -> "sent away";
                };
        return text.isEmpty() ? what : what + ": " + text;
    }
}

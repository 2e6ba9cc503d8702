package dev.wishdir.arena;

/**
 * Why a player left.
 *
 * @param reason what the player was told, or what the operator should know; empty where the kind
 *     says all
 */
public record Departure(Kind kind, String reason) {
    /** Whose doing it was. */
    public enum Kind {
        /** The player's own wish. */
        LEFT,
        /** Nothing, or no acknowledgement, came for too long. */
        TIMED_OUT,
        /** The server sent the player away. */
        SENT_AWAY,
        /** The endpoint closed. */
        CLOSED
    }

    /** The player's own wish. */
    public static final Departure LEFT = new Departure(Kind.LEFT, "");

    /** Nothing came for too long. */
    public static final Departure TIMED_OUT = new Departure(Kind.TIMED_OUT, "");

    /** The endpoint closed. */
    public static final Departure CLOSED = new Departure(Kind.CLOSED, "");

    /** The server sent the player away. */
    public static Departure sentAway(String reason) {
        return new Departure(Kind.SENT_AWAY, reason);
    }

    /** As a log says it: {@code timed out}, {@code sent away: Server is full.} */
    @Override
    public String toString() {
        String what =
                switch (kind) {
                    case LEFT -> "left";
                    case TIMED_OUT -> "timed out";
                    case SENT_AWAY -> "sent away";
                    case CLOSED -> "server closed";
                };
        return reason.isEmpty() ? what : what + ": " + reason;
    }
}

package dev.wishdir.sauerbraten.protocol;

import java.util.Optional;

/**
 * The disconnect reasons of servers: the number in ENet's DISCONNECT, and its text (Cube 2:
 * Sauerbraten, refusals and disconnects).
 */
public enum DisconnectReason {
    NONE("the server closed the connection"),
    END_OF_PACKET("the server received a truncated packet (end of packet)"),
    LOCAL_MODE("the server is in local mode and accepts no clients"),
    KICKED("kicked or banned by the server"),
    MESSAGE_ERROR("the server received an invalid message (message error)"),
    IP_BANNED("the server has banned this address"),
    PRIVATE("the server is private"),
    FULL("the server is full"),
    TIMEOUT("the connection timed out"),
    OVERFLOW("the server received too much data (overflow)"),
    PASSWORD("the server did not accept the password");

    private static final DisconnectReason[] ALL = values();

    private final String text;

    DisconnectReason(String text) {
        this.text = text;
    }

    /** The number on the wire. */
    public int code() {
        return ordinal();
    }

    /** A clause for the player. */
    public String text() {
        return text;
    }

    /** The reason with a number; empty if it is unknown. */
    public static Optional<DisconnectReason> of(long code) {
        return code >= 0 && code < ALL.length ? Optional.of(ALL[(int) code]) : Optional.empty();
    }
}

package dev.wishdir.sauerbraten.protocol;

import java.util.Optional;

/**
 * Why a server ends a connection: the number in ENet's DISCONNECT, and what it tells a player (Cube
 * 2: Sauerbraten, refusals and disconnects).
 */
public enum DisconnectReason {
    NONE("the server closed the connection"),
    END_OF_PACKET("the server could not read what it was sent: end of packet"),
    LOCAL_MODE("the server is in local mode and lets nobody in"),
    KICKED("kicked or banned by the server"),
    MESSAGE_ERROR("the server was sent what it does not allow: message error"),
    IP_BANNED("the server has banned this address"),
    PRIVATE("the server is private and lets nobody in"),
    FULL("the server is full"),
    TIMEOUT("the server waited too long for this client"),
    OVERFLOW("the server was sent too much: overflow"),
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

    /** One sentence for whom it happens to. */
    public String text() {
        return text;
    }

    /** The reason with a number; empty if there is none. */
    public static Optional<DisconnectReason> of(long code) {
        return code >= 0 && code < ALL.length ? Optional.of(ALL[(int) code]) : Optional.empty();
    }
}

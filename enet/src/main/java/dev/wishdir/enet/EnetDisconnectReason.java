package dev.wishdir.enet;

/** Why a connection ended. */
public enum EnetDisconnectReason {
    /** This side ended it, and the other side knows. */
    LOCAL,
    /** The other side ended it. */
    REMOTE,
    /** The other side is silent. */
    TIMEOUT,
    /** The other side goes on sending and does not acknowledge what it is sent. */
    NOT_ACKNOWLEDGING,
    /** The other side does not go on with a message that it has begun. */
    INCOMPLETE,
    /** The other side sent, or left unacknowledged, more than this side keeps for it. */
    OVERFLOW,
    /** The other side answered a CONNECT with terms that were not asked for. */
    PROTOCOL,
    /** The same address and port connected again. */
    REPLACED
}

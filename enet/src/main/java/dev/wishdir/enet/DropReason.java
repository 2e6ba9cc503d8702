package dev.wishdir.enet;

/** Why a datagram was dropped, or what it asked for was not done. */
enum DropReason {
    /** It doesn't follow the protocol somewhere. */
    MALFORMED,
    OVERSIZED,
    COMPRESSED,
    /** It is for a peer that there isn't, or from an address that isn't its own. */
    STRAY,
    /** It is of an earlier connection of the slot. */
    SESSION,
    /** The sender has a connection already. */
    DUPLICATE,
    /** No connection is free. */
    FULL,
    /** The address has all the connections that one may have. */
    ADDRESS,
    /** The budget for unproven addresses is spent. */
    BUDGET,
    /** A half-open connection gave way to a newer one. */
    EVICTED,
    /** The sender has not proved that it receives. */
    UNPROVEN,
    /** It acknowledges what it can't have been sent, or not then. */
    WRONG_ACK,
    /** A command wants an acknowledgement, and its datagram has no sent time. */
    UNTIMED,
    /** A command that the connection's state, channels or earlier commands do not allow. */
    REFUSED,
    /** A peer goes over the memory that is kept for it. */
    OVERFLOW,
    /** A peer does not go on with a message that it has begun. */
    INCOMPLETE
}

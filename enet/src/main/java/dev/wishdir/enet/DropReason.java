package dev.wishdir.enet;

/**
 * Reason for which a datagram was dropped or a command was not executed; the suffix of a counter's
 * name.
 */
enum DropReason {
    /** The datagram is malformed. */
    MALFORMED,
    OVERSIZED,
    COMPRESSED,
    /** The datagram is for a slot without a peer, or not from that peer's address. */
    STRAY,
    /** The datagram belongs to an earlier connection of the slot. */
    SESSION,
    /** The sender has a connection already. */
    DUPLICATE,
    /** No connection is free. */
    FULL,
    /** The address has its maximum of connections. */
    ADDRESS,
    /** The amplification limit for unproven addresses is reached. */
    BUDGET,
    /** A half-open connection was evicted by a newer one. */
    EVICTED,
    /** The sender has not proved its address. */
    UNPROVEN,
    /** An acknowledgement of a command that was not sent, or not at that time. */
    WRONG_ACK,
    /** A command asks for an acknowledgement, but its datagram has no sent time. */
    UNTIMED,
    /** The connection's state, channels or earlier commands do not allow a command. */
    REFUSED,
    /** A peer exceeded its memory limit. */
    OVERFLOW,
    /** A peer stopped sending the fragments of a message. */
    INCOMPLETE
}

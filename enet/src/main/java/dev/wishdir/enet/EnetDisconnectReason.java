package dev.wishdir.enet;

/** Reason for the end of a connection. */
public enum EnetDisconnectReason {
    /** This side disconnected, and the peer has acknowledged it. */
    LOCAL,
    /** The peer disconnected. */
    REMOTE,
    /** The peer sent nothing within the time-out. */
    TIMEOUT,
    /** The peer keeps sending but does not acknowledge. */
    NOT_ACKNOWLEDGING,
    /** The peer stopped sending the fragments of a message. */
    INCOMPLETE,
    /** The peer exceeded a memory limit, by what it sent or did not acknowledge. */
    OVERFLOW,
    /** The peer answered a CONNECT with parameters that do not match it. */
    PROTOCOL,
    /** The same address and port connected again. */
    REPLACED,
    /** Its state machine or listener threw an exception, which {@code advance} throws on. */
    DEFECT
}

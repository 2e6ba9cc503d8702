package dev.wishdir.quake3.message;

/**
 * A message of either direction, as an interceptor gets it: an operation of a client's or server's
 * message, or the state of a snapshot in place of its delta.
 */
public sealed interface Quake3Message permits ClientMessage.Op, ServerMessage.Op, FullSnapshot {
    /** The name in captures. */
    String name();
}

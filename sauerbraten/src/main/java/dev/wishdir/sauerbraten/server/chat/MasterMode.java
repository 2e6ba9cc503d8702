package dev.wishdir.sauerbraten.server.chat;

import java.util.Optional;

/** Openness of a server, as a master has set it; each mode includes the ones before. */
public enum MasterMode {
    OPEN,
    /** A master's vote decides. */
    VETO,
    /** New players are spectators. */
    LOCKED,
    /** New players are refused. */
    PRIVATE;

    /** The mode with a number on the wire; empty if there is none. */
    static Optional<MasterMode> of(int code) {
        return code < 0 || code >= values().length ? Optional.empty() : Optional.of(values()[code]);
    }

    public int code() {
        return ordinal();
    }

    boolean isAtLeast(MasterMode other) {
        return compareTo(other) >= 0;
    }
}

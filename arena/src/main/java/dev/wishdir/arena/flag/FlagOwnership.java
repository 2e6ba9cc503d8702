package dev.wishdir.arena.flag;

/** The agreement of several servers about which of them decides about the flags. */
public interface FlagOwnership {
    /** Whether this server decides now. */
    boolean isOwner();

    /** Sends a report to the server that decides. */
    void report(FlagReport report);
}

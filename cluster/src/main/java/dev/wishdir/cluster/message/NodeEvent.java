package dev.wishdir.cluster.message;

/** Event that a node reports to its server, for the log. */
public sealed interface NodeEvent {
    /** The bus is connected. */
    record Connected(String server) implements NodeEvent {}

    /** The bus is not connected; this server's players play among themselves. */
    record Disconnected(String cause) implements NodeEvent {}

    /**
     * Another node is here, with its players.
     *
     * @param host as the node names itself
     */
    record NodeJoined(int node, String host, String version, int players) implements NodeEvent {}

    /** Nothing was received of a node for 300 ms. */
    record NodeSilent(int node) implements NodeEvent {}

    /** A node that was silent is heard again. */
    record NodeReturned(int node) implements NodeEvent {}

    /**
     * Events of a node were missed twice within a second, so that its roster was requested each
     * time; reported at most once a minute.
     */
    record EventsMissed(int node) implements NodeEvent {}

    /** A node was waited for, but did not get a level ready in time. */
    record NodeLate(int node, String level) implements NodeEvent {}

    /**
     * A node is gone, and its players left.
     *
     * @param reason why
     */
    record NodeLeft(int node, Reason reason, int players) implements NodeEvent {
        /** Reason for which a node is gone. */
        public enum Reason {
            /** It ended. */
            FAREWELL,
            /** The bus reports that it is not connected. */
            LOST,
            /** Nothing was received for 15 s. */
            SILENT,
            /** It runs again, with the same number. */
            RESTARTED
        }
    }

    /**
     * A node sent what is not accepted; reported once for each kind.
     *
     * @param text for people, as the end of a sentence that begins with the node
     */
    record FaultFound(int node, NodeFault fault, String text) implements NodeEvent {}

    /** The bucket of bans is reached: nodes that are away or start later get them. */
    record BucketAvailable() implements NodeEvent {}

    /**
     * The bucket of bans is not reached, though the bus is connected. Bans go to the nodes that are
     * connected, and stay in this server's own file.
     *
     * @param cause for people
     */
    record BucketUnavailable(String cause) implements NodeEvent {}

    /**
     * A change of a ban is not in force on this node, or does not reach nodes that are away.
     *
     * @param target of the ban
     * @param cause for people, with what to do
     */
    record BanRefused(String target, String cause) implements NodeEvent {}

    /** This node has another number, as two had the same. */
    record Renumbered(int number) implements NodeEvent {}
}

package dev.wishdir.cluster.message;

import java.util.Locale;

/** Reason for which a message of another node was not accepted. */
public enum NodeFault {
    OVERSIZE("sends messages of more than 1 MiB", true),
    MALFORMED("sends malformed messages", true),
    WRONG_SENDER("sends in the name of another node", true),
    FOREIGN_PLAYER("reports players of another node", true),
    TOO_MANY_PLAYERS("reports more than 4,096 players", true),
    RATE_LIMIT("sends more than the rate limit allows", true),
    VERSION("speaks another version of the cluster's protocol", false),
    OTHER_EPOCH("is an earlier run of a node, or has the number of another", false),
    NUMBER_IN_USE("has the number of this node", false),
    REPEATED("repeats messages", false),
    INVALID_MOVEMENT("sends movements with invalid numbers", false),
    INVALID_HIT("sends hits that no player can make, or frags without hits", false),
    INVALID_ITEM("reports items that its players can't have taken", false),
    INVALID_RUN(
            "reports times that no player can have run, or changes best times too often", false),
    INVALID_FLAG("reports flags as no player can have changed them, or too often", false),
    NAME_TAKEN("has a player with another's name, and does not rename it", false),
    PLAYER_RATE_LIMIT("sends more chat or actions of a player than a player may send", false),
    UNKNOWN_LEVEL("plays a level that this server does not have", false),
    INVALID_ROUND("reports a round that no match can have, or changes it too often", false),
    TOO_MANY_NODES("is one more than the 64 other nodes of a cluster", false),
    UNEXPECTED("sends answers and orders that this node did not ask for", false);

    private final String text;
    private final boolean blocking;

    NodeFault(String text, boolean blocking) {
        this.text = text;
        this.blocking = blocking;
    }

    /** Fault of the node, as the end of a sentence that begins with it. */
    public String text() {
        return text;
    }

    /** Whether all messages of the node are ignored for 10 s. */
    boolean isBlocking() {
        return blocking;
    }

    /** As in metrics: {@code rate-limit}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}

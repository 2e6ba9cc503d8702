package dev.wishdir.cluster.message;

/** Counters of a node since its start. Only for the node's thread. */
public final class NodeCounters {
    private long staleMovements;
    private long gaps;
    private long rostersSent;

    public NodeCounters() {}

    public void addStaleMovements(int count) {
        staleMovements += count;
    }

    public void addGap() {
        gaps++;
    }

    public void addRosterSent() {
        rostersSent++;
    }

    /** Movements that were not shown, as they were older than 250 ms. */
    public long staleMovements() {
        return staleMovements;
    }

    /** Number of times that this node missed an event of another, and requested its roster. */
    public long gaps() {
        return gaps;
    }

    /** Rosters that this node sent to others. */
    public long rostersSent() {
        return rostersSent;
    }
}

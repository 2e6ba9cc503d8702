package dev.wishdir.net.simulation;

/**
 * Counts of the datagrams of one direction of emulated links.
 *
 * @param sent datagrams that were sent
 * @param lost those that {@link LinkConditions#loss} dropped
 * @param overflowed those that did not fit into a queue, because of the rate or the delay
 * @param duplicated those that arrived twice
 * @param reordered those that overtook others
 */
public record LinkCounters(long sent, long lost, long overflowed, long duplicated, long reordered) {
    /** Nothing sent. */
    public static final LinkCounters ZERO = new LinkCounters(0, 0, 0, 0, 0);

    /** Difference to an earlier count. */
    public LinkCounters since(LinkCounters earlier) {
        return new LinkCounters(
                sent - earlier.sent,
                lost - earlier.lost,
                overflowed - earlier.overflowed,
                duplicated - earlier.duplicated,
                reordered - earlier.reordered);
    }
}

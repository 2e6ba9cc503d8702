package dev.wishdir.app.cluster;

/**
 * Figures of a node for metrics, taken once a second.
 *
 * @param isConnected whether NATS is connected
 * @param nodes number of other nodes
 * @param players of other nodes
 * @param sent messages to other nodes
 * @param received messages of other nodes
 * @param sentBytes of these messages
 * @param receivedBytes of these messages
 * @param dropped messages that were not sent, as NATS was away or too slow
 * @param discarded received messages for which there was no room
 * @param faults received messages that were not accepted
 * @param stale movements that were not shown, as they were too old
 * @param gaps how often an event of another node was missed
 * @param rosters sent to other nodes
 */
public record ClusterFigures(
        boolean isConnected,
        int nodes,
        int players,
        long sent,
        long received,
        long sentBytes,
        long receivedBytes,
        long dropped,
        long discarded,
        long faults,
        long stale,
        long gaps,
        long rosters) {
    /** Before the first second. */
    static final ClusterFigures NONE =
            new ClusterFigures(false, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
}

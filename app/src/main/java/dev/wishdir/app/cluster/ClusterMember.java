package dev.wishdir.app.cluster;

import dev.wishdir.net.loop.Duty;

/**
 * A server's part in a cluster, without the types of the module {@code cluster}, so that a server
 * without other servers loads none of them.
 */
public interface ClusterMember extends Duty, AutoCloseable {
    /** Figures of the node, as of the last second. On any thread. */
    ClusterFigures figures();

    /** Leaves the cluster; the players of this server have left before. */
    void end(long now);

    /** Closes the connection to NATS, after what was sent; at most half a second. */
    @Override
    void close();
}

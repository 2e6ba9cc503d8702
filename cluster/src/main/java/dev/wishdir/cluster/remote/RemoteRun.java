package dev.wishdir.cluster.remote;

import java.util.List;
import java.util.stream.Stream;

/**
 * One run of another node, and earlier runs with the same number, whose messages may still be under
 * way.
 *
 * @param node number of the node
 * @param epoch random number of the run
 * @param earlier epochs of the last runs, newest first
 */
record RemoteRun(int node, long epoch, List<Long> earlier) {
    private static final int MAX_EARLIER = 4;

    RemoteRun {
        earlier = List.copyOf(earlier);
    }

    RemoteRun(int node, long epoch) {
        this(node, epoch, List.of());
    }

    /** The same number in a new run. */
    RemoteRun next(long epoch) {
        return new RemoteRun(
                node,
                epoch,
                Stream.concat(Stream.of(this.epoch), earlier.stream()).limit(MAX_EARLIER).toList());
    }
}

package dev.wishdir.app.cluster;

import dev.wishdir.app.serve.SimulatedServer;
import dev.wishdir.cluster.bus.Bus;
import dev.wishdir.cluster.publish.NodeSettings;

import java.util.random.RandomGenerator;

/** Makes a server in virtual time the node of a cluster. */
public final class SimulatedNode {
    private SimulatedNode() {}

    /** The node of a server; the caller gives it its turns. */
    public static ServerNode join(
            SimulatedServer server, Bus bus, NodeSettings settings, RandomGenerator random) {
        return ServerNode.join(
                bus,
                settings,
                server.arena(),
                server.sharedArena(),
                server.operations(),
                _ -> {},
                random);
    }
}

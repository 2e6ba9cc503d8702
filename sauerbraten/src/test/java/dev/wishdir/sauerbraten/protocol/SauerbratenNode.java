package dev.wishdir.sauerbraten.protocol;

import dev.wishdir.enet.EnetNode;
import dev.wishdir.net.simulation.SimulatedNetwork;

/** Hosts on a simulated network that are set up as the game's. */
public final class SauerbratenNode {
    private SauerbratenNode() {}

    /** A server for sixteen, at 10.0.0.1:28785. */
    public static EnetNode server(SimulatedNetwork network) {
        return new EnetNode(network, "10.0.0.1:28785", SauerbratenTransport.server(16, 16));
    }

    /** A client at an address of its own: 10.1.NUMBER.1:5000. */
    public static EnetNode client(SimulatedNetwork network, int number) {
        return new EnetNode(network, "10.1." + number + ".1:5000", SauerbratenTransport.client());
    }
}

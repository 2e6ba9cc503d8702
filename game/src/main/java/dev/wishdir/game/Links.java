package dev.wishdir.game;

import dev.wishdir.arena.ConnectionStats;
import dev.wishdir.net.TrafficCounters;

/** What the transport of a game has counted, as the arena tells it. */
public final class Links {
    private Links() {}

    /** The link as it is now. */
    public static ConnectionStats of(TrafficCounters traffic) {
        return new ConnectionStats(
                traffic.datagramsIn(),
                traffic.bytesIn(),
                traffic.sequencedIn(),
                traffic.lostIn(),
                traffic.datagramsOut(),
                traffic.bytesOut(),
                traffic.lostOut());
    }
}

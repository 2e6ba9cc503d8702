package dev.wishdir.game;

import dev.wishdir.arena.ConnectionStats;
import dev.wishdir.net.TrafficCounters;

/** What the transport of a game has counted, as the arena tells it. */
public final class Links {
    private Links() {}

    /** The link as it is now. */
    public static ConnectionStats of(TrafficCounters carried) {
        return new ConnectionStats(
                carried.datagramsIn(),
                carried.bytesIn(),
                carried.sequencedIn(),
                carried.lostIn(),
                carried.datagramsOut(),
                carried.bytesOut(),
                carried.lostOut());
    }
}

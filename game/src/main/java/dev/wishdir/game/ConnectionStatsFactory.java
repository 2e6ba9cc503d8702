package dev.wishdir.game;

import dev.wishdir.arena.relay.ConnectionStats;
import dev.wishdir.net.loop.TrafficCounters;

/**
 * Converts the traffic counters of a transport to {@link ConnectionStats}, as the arena must not
 * depend on transports.
 */
public final class ConnectionStatsFactory {
    private ConnectionStatsFactory() {}

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

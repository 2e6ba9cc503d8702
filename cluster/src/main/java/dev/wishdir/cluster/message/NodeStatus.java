package dev.wishdir.cluster.message;

import java.util.Map;
import java.util.OptionalLong;

/**
 * Another node, as an operator sees it.
 *
 * @param number of the node; its players are {@code number:1} and so on
 * @param host as the node names itself; empty until its roster has arrived
 * @param players number of its players here
 * @param level what it plays; its players have bodies here only if this node plays the same
 * @param silentNanos time since its last message
 * @param ageNanos how much longer its last batch was under way than the fastest
 * @param maxPlayers maximum number of its players; 0 if it does not report one
 * @param ports at its host, where clients of each game join
 * @param clockAheadMillis by how much its day's clock was ahead of this server's when it joined,
 *     less the time that its roster was under way; empty if one of both reports none
 */
public record NodeStatus(
        int number,
        String host,
        String version,
        int players,
        String level,
        long silentNanos,
        long ageNanos,
        int maxPlayers,
        Map<String, Integer> ports,
        OptionalLong clockAheadMillis) {}

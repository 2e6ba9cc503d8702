package dev.wishdir.cluster.publish;

import dev.wishdir.cluster.bus.Subjects;

import java.util.Map;

/**
 * Settings of a node.
 *
 * @param arena name of the arena, 1 to 32 of a-z, 0-9 and -; nodes with the same name are one arena
 * @param number of the node, from 2 to 2^30 - 1; 0 to draw one at each start, which needs no
 *     agreement
 * @param intervalNanos minimum time between two batches of movements
 * @param host as operators of other nodes read it, at most 64 characters
 * @param version of this program, at most 64 characters
 * @param ports at the host, where clients of each game join
 */
public record NodeSettings(
        String arena,
        int number,
        long intervalNanos,
        String host,
        String version,
        Map<String, Integer> ports) {
    public static final long DEFAULT_INTERVAL_NANOS = 10_000_000;

    private static final int MAX_TEXT_CHARS = 64;

    /**
     * @throws IllegalArgumentException if a value is not allowed
     */
    public NodeSettings {
        ports = Map.copyOf(ports);
        new Subjects(arena);
        if (number != 0 && !Subjects.isNode(number)) {
            throw new IllegalArgumentException(
                    "the number of a node must be from 2 to 1073741823, or 0 to draw one, is "
                            + number);
        }
        if (intervalNanos < 1_000_000 || intervalNanos > 100_000_000) {
            throw new IllegalArgumentException(
                    "the interval between batches must be from 1 to 100 ms, is "
                            + intervalNanos / 1e6
                            + " ms");
        }
        if (host.length() > MAX_TEXT_CHARS || version.length() > MAX_TEXT_CHARS) {
            throw new IllegalArgumentException(
                    "host and version must have at most 64 characters, are \""
                            + host
                            + "\" and \""
                            + version
                            + "\"");
        }
    }

    /** Settings with a drawn number and the default interval. */
    public NodeSettings(String arena, String host, String version) {
        this(arena, 0, DEFAULT_INTERVAL_NANOS, host, version);
    }

    /** Settings of a node whose ports other nodes do not know. */
    public NodeSettings(String arena, int number, long intervalNanos, String host, String version) {
        this(arena, number, intervalNanos, host, version, Map.of());
    }
}

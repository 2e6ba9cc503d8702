package dev.wishdir.cluster.message;

import dev.wishdir.cluster.v1.GamePort;
import dev.wishdir.cluster.v1.Roster;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Report of another node about itself for operators and players.
 *
 * @param host empty if it is unknown
 * @param ports at the host, where clients of each game join
 * @param clockAheadMillis by how much its day's clock was ahead of this server's
 */
public record NodeProfile(
        String host, String version, Map<String, Integer> ports, OptionalLong clockAheadMillis) {
    public static final NodeProfile UNKNOWN =
            new NodeProfile("", "", Map.of(), OptionalLong.empty());

    private static final int MAX_TEXT_CHARS = 64;
    private static final int MAX_GAMES = 16;
    private static final int MAX_PORT = 65_535;

    public NodeProfile {
        ports = Map.copyOf(ports);
    }

    /**
     * Takes from a roster what may be shown; the rest stays empty.
     *
     * @param clockMillis the day's clock of this server; 0 if it has none
     */
    public static NodeProfile of(Roster roster, long clockMillis) {
        Map<String, Integer> ports = new LinkedHashMap<>();
        for (GamePort each : roster.getPortsList()) {
            if (ports.size() < MAX_GAMES
                    && MessageReader.isPrintable(each.getGame(), MAX_TEXT_CHARS)
                    && each.getPort() > 0
                    && each.getPort() <= MAX_PORT) {
                ports.put(each.getGame(), each.getPort());
            }
        }
        OptionalLong clockAhead =
                clockMillis > 0 && roster.getClockMs() > 0
                        ? OptionalLong.of(roster.getClockMs() - clockMillis)
                        : OptionalLong.empty();
        return new NodeProfile(
                text(roster.getHost()), text(roster.getVersion()), ports, clockAhead);
    }

    private static String text(String text) {
        return MessageReader.isPrintable(text, MAX_TEXT_CHARS) ? text : "";
    }
}

package dev.wishdir.cluster;

import dev.wishdir.cluster.v1.GamePort;
import dev.wishdir.cluster.v1.Roster;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What another node reports of itself for operators and players.
 *
 * @param host empty if it is unknown
 * @param ports at the host, where clients of each game join
 */
record NodeProfile(String host, String version, Map<String, Integer> ports) {
    static final NodeProfile UNKNOWN = new NodeProfile("", "", Map.of());

    private static final int MAX_TEXT_CHARS = 64;
    private static final int MAX_GAMES = 16;
    private static final int MAX_PORT = 65_535;

    NodeProfile {
        ports = Map.copyOf(ports);
    }

    /** Takes from a roster what may be shown; the rest stays empty. */
    static NodeProfile of(Roster roster) {
        Map<String, Integer> ports = new LinkedHashMap<>();
        for (GamePort each : roster.getPortsList()) {
            if (ports.size() < MAX_GAMES
                    && MessageReader.isPrintable(each.getGame(), MAX_TEXT_CHARS)
                    && each.getPort() > 0
                    && each.getPort() <= MAX_PORT) {
                ports.put(each.getGame(), each.getPort());
            }
        }
        return new NodeProfile(text(roster.getHost()), text(roster.getVersion()), ports);
    }

    private static String text(String text) {
        return MessageReader.isPrintable(text, MAX_TEXT_CHARS) ? text : "";
    }
}

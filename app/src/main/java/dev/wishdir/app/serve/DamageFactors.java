package dev.wishdir.app.serve;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The default factors of the damage that each game's weapons do.
 *
 * <p>With them, bots of the same skill take about the same time to kill each other in all pairs of
 * games; docs/match.md#damage describes how that is measured. A game that is not listed has 1.
 */
public final class DamageFactors {
    private static final double SAUERBRATEN = 0.35;
    private static final double QUAKE2 = 1.6;
    private static final double QUAKE3 = 0.8;
    private static final double BEDROCK = 1.1;

    /** By the name of the game. */
    public static final Map<String, Double> DEFAULT =
            Map.of(
                    "sauerbraten", SAUERBRATEN,
                    "quake2", QUAKE2,
                    "quake3", QUAKE3,
                    "bedrock", BEDROCK);

    /** The same, as the command line writes it. */
    static final String DEFAULT_TEXT =
            "sauerbraten="
                    + SAUERBRATEN
                    + ",quake2="
                    + QUAKE2
                    + ",quake3="
                    + QUAKE3
                    + ",bedrock="
                    + BEDROCK;

    private DamageFactors() {}

    /** The defaults, but for the games that are given. */
    public static Map<String, Double> with(Map<String, Double> given) {
        Map<String, Double> factors = new LinkedHashMap<>(DEFAULT);
        factors.putAll(given);
        return factors;
    }
}

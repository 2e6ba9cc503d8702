package dev.wishdir.quake2.server;

import java.util.List;
import java.util.Locale;

/**
 * What players of other games wear: skins that every client of the whole game has, one of its three
 * models a game. A client of the demo, which has fewer, shows others in their place.
 */
final class Skins {
    private static final List<String> MALE =
            List.of(
                    "cipher",
                    "claymore",
                    "flak",
                    "howitzer",
                    "major",
                    "nightops",
                    "pointman",
                    "psycho",
                    "rampage",
                    "razor",
                    "recon",
                    "scout",
                    "sniper",
                    "viper");

    private static final List<String> FEMALE =
            List.of(
                    "athena",
                    "brianna",
                    "cobalt",
                    "ensign",
                    "jezebel",
                    "jungle",
                    "lotus",
                    "stiletto",
                    "venus",
                    "voodoo");

    private static final List<String> CYBORG = List.of("oni911", "ps9000", "tyr574");

    private Skins() {}

    /** The model and skin of somebody who wishes for none; the same for a name at all times. */
    static String of(String game, String name) {
        return switch (game) {
            case "sauerbraten" -> "female/" + one(FEMALE, name);
            case "bedrock" -> "cyborg/" + one(CYBORG, name);
            default -> "male/" + one(MALE, name);
        };
    }

    private static String one(List<String> skins, String name) {
        return skins.get(Math.floorMod(name.toLowerCase(Locale.ROOT).hashCode(), skins.size()));
    }
}

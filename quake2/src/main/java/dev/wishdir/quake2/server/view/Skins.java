package dev.wishdir.quake2.server.view;

import dev.wishdir.arena.event.Team;
import dev.wishdir.quake2.protocol.TeamSkin;

import java.util.List;
import java.util.Locale;

/**
 * Skins of foreign players, from those that every client of the full game has: one of its three
 * models per game. The demo has fewer, and shows substitutes.
 */
public final class Skins {
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

    /** The model and skin of a player that sets none; always the same for a name. */
    public static String of(String game, String name) {
        return switch (game) {
            case "sauerbraten" -> "female/" + choose(FEMALE, name);
            case "bedrock" -> "cyborg/" + choose(CYBORG, name);
            default -> "male/" + choose(MALE, name);
        };
    }

    /** The skin of a team for the model of another skin. */
    public static String of(Team team, String other) {
        return other.substring(0, other.indexOf('/') + 1) + TeamSkin.of(team);
    }

    private static String choose(List<String> skins, String name) {
        return skins.get(Math.floorMod(name.toLowerCase(Locale.ROOT).hashCode(), skins.size()));
    }
}

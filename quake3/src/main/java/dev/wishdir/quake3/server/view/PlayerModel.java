package dev.wishdir.quake3.server.view;

import java.util.List;

/**
 * Model, skin and colour of a foreign player: the model depends on its name, skin and colour on its
 * game. Every client has these models.
 *
 * @param model with its skin; also used for the head
 * @param colour of both parts of the railgun's trail, 1..7
 */
record PlayerModel(String model, int colour) {
    /** In OpenArena 0.8.8's pak0, pak2-players and pak6-patch088, which every client has. */
    private static final List<String> OPENARENA =
            List.of(
                    "assassin",
                    "beret",
                    "gargoyle",
                    "kyonshi",
                    "liz",
                    "major",
                    "merman",
                    "neko",
                    "penguin",
                    "sarge",
                    "sergei",
                    "skelebot",
                    "smarine",
                    "tony");

    /** In pak0 of Quake III. */
    private static final List<String> QUAKE3 =
            List.of(
                    "anarki",
                    "biker",
                    "bitterman",
                    "bones",
                    "crash",
                    "doom",
                    "grunt",
                    "hunter",
                    "keel",
                    "klesk",
                    "lucy",
                    "major",
                    "mynx",
                    "orbb",
                    "ranger",
                    "razor",
                    "sarge",
                    "slash",
                    "sorlag",
                    "tankjr",
                    "uriel",
                    "visor",
                    "xaero");

    private static final List<String> SKINS = List.of("default", "blue", "red");

    private static final int COLOURS = 7;

    /**
     * The model of a foreign player.
     *
     * @param openArena whether for clients of OpenArena, rather than of Quake III
     */
    static PlayerModel of(String game, String name, boolean openArena) {
        return new PlayerModel(
                pick(openArena ? OPENARENA : QUAKE3, name) + "/" + pick(SKINS, game),
                1 + Math.floorMod(game.hashCode(), COLOURS));
    }

    private static String pick(List<String> all, String key) {
        return all.get(Math.floorMod(key.hashCode(), all.size()));
    }
}

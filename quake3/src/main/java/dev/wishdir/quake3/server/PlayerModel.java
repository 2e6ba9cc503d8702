package dev.wishdir.quake3.server;

import java.util.List;

/**
 * How a player looks who has not chosen it in this game: one of the models that every client has,
 * the same for a name always, and one skin and colour for all of a game.
 *
 * @param model with its skin; also of the head
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
     * The look of a player of any game.
     *
     * @param game the player's
     * @param openArena whether it is seen by clients of OpenArena, rather than of Quake III
     */
    static PlayerModel of(String game, String name, boolean openArena) {
        return new PlayerModel(
                pick(openArena ? OPENARENA : QUAKE3, name) + "/" + pick(SKINS, game),
                1 + Math.floorMod(game.hashCode(), COLOURS));
    }

    private static String pick(List<String> all, String by) {
        return all.get(Math.floorMod(by.hashCode(), all.size()));
    }
}

package dev.wishdir.arena.event;

import java.util.Map;

/**
 * The names of weapons, as the players of each game call them.
 *
 * @param byGame the names of a game's weapons, by the game's name
 */
public record WeaponNames(Map<String, Map<DamageMeans, String>> byGame) {
    /** Calls each weapon by its means. */
    public static final WeaponNames MEANS = new WeaponNames(Map.of());

    public WeaponNames {
        byGame = Map.copyOf(byGame);
    }

    /** The name of a game's weapon; the means if it has several of them, or is not known. */
    public String of(String game, DamageMeans means) {
        return byGame.getOrDefault(game, Map.of())
                .getOrDefault(means, means.toString().replace('-', ' '));
    }
}

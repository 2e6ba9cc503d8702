package dev.wishdir.app.analysis;

import dev.wishdir.arena.event.DamageMeans;
import dev.wishdir.game.Game;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The names of weapons, as each game calls them. */
final class WeaponNames {
    private final Map<String, Map<DamageMeans, String>> names = new HashMap<>();

    WeaponNames(List<Game> games) {
        games.forEach(game -> names.put(game.name(), game.weaponNames()));
    }

    /** The name of a game's weapon; the kind of the weapons if it has several. */
    String of(String game, DamageMeans means) {
        return names.getOrDefault(game, Map.of())
                .getOrDefault(means, means.toString().replace('-', ' '));
    }
}

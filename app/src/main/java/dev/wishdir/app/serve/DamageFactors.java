package dev.wishdir.app.serve;

import dev.wishdir.app.command.Games;
import dev.wishdir.game.Game;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The factors of the damage that each game's weapons do, by the name of the game. */
public final class DamageFactors {
    private DamageFactors() {}

    /** The factors of all games, as the command line writes them. */
    static final class Defaults implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Games.ALL.stream()
                    .map(game -> game.name() + "=" + game.damageFactor())
                    .iterator();
        }
    }

    /** The games' own factors. */
    public static Map<String, Double> of(List<Game> games) {
        Map<String, Double> factors = new LinkedHashMap<>();
        games.forEach(game -> factors.put(game.name(), game.damageFactor()));
        return factors;
    }

    /** The games' own factors, but for the games that are given. */
    public static Map<String, Double> with(List<Game> games, Map<String, Double> given) {
        Map<String, Double> factors = of(games);
        factors.putAll(given);
        return factors;
    }
}

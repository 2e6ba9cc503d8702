package dev.wishdir.app.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.app.bot.BotFight;
import dev.wishdir.app.bot.Duel;
import dev.wishdir.app.command.Games;
import dev.wishdir.blocks.arena.ArenaCatalog;
import dev.wishdir.game.Game;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

@Tag("slow")
class DamageFactorsTest {
    private static final int KILLS = 5;
    private static final int SEED = 1;

    /**
     * The ratio of these four pairs was 1.13, and 1.84 to 3.03 with a factor of any one game three
     * times as great or a third of it.
     */
    private static final double MAX_RATIO = 1.5;

    @Test
    void killTimesOfAllGamesAreSimilar() throws IOException {
        Duel duel =
                new Duel(
                        ArenaCatalog.FLAT,
                        BotFight.DEFAULT_SKILL,
                        DamageFactors.of(SimulatedServer.ALL));
        Map<String, Double> medians = new LinkedHashMap<>();
        List<Game> games = SimulatedServer.ALL;
        for (int i = 0; i < games.size(); i++) {
            Game attacker = games.get(i);
            Game victim = games.get((i + 1) % games.size());
            List<Double> seconds = duel.seconds(attacker, victim, KILLS, SEED);
            medians.put(attacker.name() + " kills " + victim.name(), Duel.quantile(seconds, 0.5));
        }
        double longest = medians.values().stream().max(Double::compare).orElseThrow();
        double shortest = medians.values().stream().min(Double::compare).orElseThrow();
        assertThat(longest / shortest).as("%s", medians).isLessThan(MAX_RATIO);
    }

    @Test
    void keepsDefaultsOfGamesThatAreNotGiven() {
        Map<String, Double> factors =
                DamageFactors.with(SimulatedServer.ALL, Map.of("quake3", 7.0));
        assertThat(factors).hasSize(SimulatedServer.ALL.size());
        for (Game game : SimulatedServer.ALL) {
            assertThat(factors)
                    .containsEntry(
                            game.name(), game.name().equals("quake3") ? 7.0 : game.damageFactor());
        }
    }

    @Test
    void listsEachGameAsTheOptionTakesIt() {
        assertThat(new DamageFactors.Defaults())
                .containsExactlyElementsOf(
                        Games.ALL.stream()
                                .map(game -> game.name() + "=" + game.damageFactor())
                                .toList());
    }
}

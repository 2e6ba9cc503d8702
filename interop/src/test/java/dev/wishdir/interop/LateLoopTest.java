package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.app.bot.BotFight;
import dev.wishdir.app.bot.FightingBot;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.arena.match.MatchRules;
import dev.wishdir.game.Game;
import dev.wishdir.net.loop.DutyCycle;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.net.simulation.SimulatedNetwork.Conditions;
import dev.wishdir.wire.TestEffort;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * Honest bots of all games join and fight on a busy machine, whose loops are late: no movement and
 * no shot is a cheat.
 */
@Tag("slow")
class LateLoopTest {
    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000 * MILLI;
    private static final int BOTS = 8;
    private static final int SECONDS = TestEffort.times(20);
    private static final Conditions LINK = new Conditions(0, 0, MILLI, MILLI);

    private final Random random = new Random(3);
    private final SimulatedNetwork network = new SimulatedNetwork(3);

    /**
     * @param server by how many milliseconds its loop is late at most
     * @param bots the same of the bots' loops
     */
    @ParameterizedTest
    @CsvSource({"300, 0", "300, 150", "800, 0", "800, 700"})
    @DisplayName("R6 a server whose loop is late blames no player for it")
    void blamesNoPlayer(int server, int bots) throws IOException {
        network.conditions(LINK);
        MatchRules rules =
                MatchRules.of(MatchMode.FFA)
                        .withTimes(Duration.ZERO, Duration.ZERO, MatchRules.DEFAULT_INTERMISSION);
        List<FightingBot> fighters = new ArrayList<>();
        List<DutyCycle> cycles = new ArrayList<>();
        try (FourGames games = new FourGames(network, random, BOTS + 8, rules)) {
            for (int i = 0; i < BOTS; i++) {
                Game game = FourGames.ALL.get(i % FourGames.ALL.size());
                cycles.add(network.cycle());
                fighters.add(
                        games.bot(
                                cycles.getLast(),
                                game,
                                "bot" + i,
                                BotFight.MAX_SKILL,
                                Optional.empty()));
            }
            for (int i = 0; fighters.stream().anyMatch(bot -> !bot.client().joined()); i++) {
                assertThat(i).isLessThan(300);
                holdUp(games, server, cycles, bots);
            }
            int[] kills = new int[1];
            games.arena()
                    .addListener(event -> kills[0] += event instanceof ArenaEvent.Died ? 1 : 0);
            long end = network.now() + SECONDS * SECOND;
            while (network.now() < end) {
                holdUp(games, server, cycles, bots);
            }
            assertThat(kills[0]).isPositive();
            assertThat(games.laws().verdicts()).isEmpty();
            assertThat(fighters)
                    .filteredOn(FightingBot::ended)
                    .extracting(it -> it.game().name() + ": " + it.reason())
                    .isEmpty();
        }
    }

    private void holdUp(FourGames games, int server, List<DutyCycle> cycles, int bots) {
        network.run(random.nextLong(50, 1_000) * MILLI);
        if (bots > 0) {
            cycles.forEach(cycle ->
                    cycle.execute(() -> network.holdUp(cycle, random.nextInt(bots) * MILLI)));
        }
        games.holdUp(random.nextLong(server) * MILLI);
    }
}

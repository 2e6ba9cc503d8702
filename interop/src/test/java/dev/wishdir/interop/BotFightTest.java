package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import static java.util.Objects.requireNonNull;

import dev.wishdir.app.bot.BotFight;
import dev.wishdir.app.bot.FightingBot;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.Score;
import dev.wishdir.arena.event.ViolationRule;
import dev.wishdir.arena.match.MatchRules;
import dev.wishdir.game.Client;
import dev.wishdir.game.Game;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.net.simulation.SimulatedNetwork.Conditions;
import dev.wishdir.wire.TestEffort;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/**
 * Bots of all games fight against each other over a bad network: afterwards the arena, the events
 * and each client's board agree.
 */
@Tag("slow")
class BotFightTest {
    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000 * MILLI;

    /** Bots of each game. */
    private static final int BOTS = 2;

    private static final int SECONDS = TestEffort.times(60);
    private static final int SEED = 5;

    /** The longest time that a dead player has to wait, and what the network delays. */
    private static final long SETTLE = 15 * SECOND;

    /** Health of one point on Bedrock's screen, which shows whole points, at least one. */
    private static final double BEDROCK_POINT = 5;

    /** Error of the shown damage: by whole points, and by health above 100 that wears off. */
    private static final double SHOWN_DAMAGE = 60;

    private final Random random = new Random(SEED);
    private final SimulatedNetwork network = new SimulatedNetwork(SEED);

    /** The names of the bots by the numbers of one of them. */
    private static Map<Long, String> names(FightingBot bot, List<FightingBot> bots) {
        Client client = bot.client();
        Map<Long, String> names = new HashMap<>(Map.of(client.id(), bot.name()));
        for (Client.RemotePlayer other : client.others()) {
            bots.stream()
                    .filter(each -> other.name().endsWith(each.name()))
                    .forEach(each -> names.put(other.id(), each.name()));
        }
        return names;
    }

    @ParameterizedTest
    @EnumSource(names = {"FFA", "INSTA"})
    void agreesOnScoresInAllGames(MatchMode mode) throws IOException {
        List<ArenaEvent> events = new ArrayList<>();
        Map<String, Set<Integer>> everScored = new HashMap<>();
        List<FightingBot> bots = new ArrayList<>();
        try (FourGames server =
                new FourGames(
                        network,
                        random,
                        4 * BOTS + 8,
                        MatchRules.of(mode)
                                .withTimes(
                                        Duration.ZERO,
                                        Duration.ZERO,
                                        MatchRules.DEFAULT_INTERMISSION))) {
            server.arena()
                    .addListener(event -> {
                        switch (event) {
                            case ArenaEvent.Died _, ArenaEvent.Hit _ -> events.add(event);
                            case ArenaEvent.Scored scored ->
                                    everScored
                                            .computeIfAbsent(
                                                    scored.player().name(), _ -> new HashSet<>())
                                            .add(scored.score().frags());
                            default -> {}
                        }
                    });
            for (int i = 0; i < 4 * BOTS; i++) {
                Game game = FourGames.ALL.get(i % FourGames.ALL.size());
                bots.add(
                        server.bot(
                                network.cycle(),
                                game,
                                "bot" + (100 + i),
                                BotFight.MAX_SKILL,
                                Optional.empty()));
                bots.getLast().stop();
                network.run(SECOND / 2);
            }
            server.awaitBots(bots);
            bots.forEach(FightingBot::resume);
            network.conditions(new Conditions(0.03, 0, 20 * MILLI, 100 * MILLI));
            network.run(SECONDS * SECOND);
            bots.forEach(FightingBot::stop);
            network.run(SETTLE);
            check(server, bots, events, everScored);
        }
    }

    private static void check(
            FourGames server,
            List<FightingBot> bots,
            List<ArenaEvent> events,
            Map<String, Set<Integer>> everScored) {
        Map<String, Integer> frags = new HashMap<>();
        Map<String, Integer> deaths = new HashMap<>();
        Set<String> killers = new HashSet<>();
        Set<String> victims = new HashSet<>();
        List<ArenaEvent.Died> all = new ArrayList<>();
        Map<String, Double> taken = new HashMap<>();
        for (ArenaEvent event : events) {
            if (event instanceof ArenaEvent.Hit hit) {
                boolean isWhole = hit.player().game().equals("bedrock");
                double beyond = isWhole ? Math.min(0, hit.vitals().health()) : 0;
                taken.merge(hit.player().name(), hit.damage() + beyond, Double::sum);
            }
            if (!(event instanceof ArenaEvent.Died death)) {
                continue;
            }
            all.add(death);
            boolean itself = death.killer().id().equals(death.id());
            frags.merge(death.killer().name(), itself ? -1 : 1, Integer::sum);
            deaths.merge(death.player().name(), 1, Integer::sum);
            victims.add(death.player().game());
            if (!itself) {
                killers.add(death.killer().game());
            }
        }
        System.out.printf("%d deaths; frags %s, deaths %s%n", all.size(), frags, deaths);
        assertThat(killers).as("games that killed").hasSameElementsAs(FourGames.GAMES);
        assertThat(victims).as("games that were killed").hasSameElementsAs(FourGames.GAMES);
        Map<String, Score> scores = new HashMap<>();
        for (Player player : server.arena().players()) {
            String name = player.name();
            scores.put(name, server.arena().match().score(player.id()));
            assertThat(scores.get(name))
                    .as(name)
                    .isEqualTo(
                            new Score(frags.getOrDefault(name, 0), deaths.getOrDefault(name, 0)));
        }
        for (FightingBot bot : bots) {
            assertThat(bot.ended()).as(bot.name()).isFalse();
            Player player = server.player(bot.name());
            assertThat(player.spawned())
                    .as("%s of %s is not dead", bot.name(), bot.game().name())
                    .isTrue();
            Map<Long, String> names = names(bot, bots);
            assertThat(names.values())
                    .as("bots that %s of %s sees", bot.name(), bot.game().name())
                    .containsExactlyInAnyOrderElementsOf(
                            bots.stream().map(FightingBot::name).toList());
            double health =
                    server.arena().player(player.id()).orElseThrow().combatant().vitals().health();
            boolean isWhole = bot.game().name().equals("bedrock");
            double shown = isWhole ? Math.ceil(health / BEDROCK_POINT) * BEDROCK_POINT : health;
            assertThat(bot.client().health().orElseThrow())
                    .as("health of %s of %s", bot.name(), bot.game().name())
                    .isBetween(shown - 2, shown + 2);
            checkBoard(bot, names, scores, everScored);
            assertThat(bot.damageTaken())
                    .as("damage that %s of %s was shown", bot.name(), bot.game().name())
                    .isCloseTo(taken.getOrDefault(bot.name(), 0.0), within(SHOWN_DAMAGE));
            // Of Quake II, in the order of the entities of a frame, and without killers.
            boolean isQuake2 = bot.game().name().equals("quake2");
            List<String> deathsShown =
                    bot.deaths().stream()
                            .map(it ->
                                    name(names, it.victim())
                                            + (isQuake2 ? "" : name(names, it.killer())))
                            .toList();
            var expected =
                    assertThat(all)
                            .extracting(
                                    it -> it.player().name() + (isQuake2 ? "" : it.killer().name()))
                            .as("deaths that %s of %s was shown", bot.name(), bot.game().name());
            if (isQuake2) {
                expected.containsExactlyInAnyOrderElementsOf(deathsShown);
            } else {
                expected.containsExactlyElementsOf(deathsShown);
            }
        }
        assertThat(server.laws().broken()).isEmpty();
        // A claim can meet a victim that has just moved on, or begun another life elsewhere.
        assertThat(server.laws().verdicts())
                .filteredOn(violation -> violation.rule() != ViolationRule.HIT_DISTANCE)
                .isEmpty();
    }

    private static String name(Map<Long, String> names, long id) {
        return names.getOrDefault(id, "nobody");
    }

    /** Each player of a board has its score; Quake II's board is of the time when it was shown. */
    private static void checkBoard(
            FightingBot bot,
            Map<Long, String> names,
            Map<String, Score> scores,
            Map<String, Set<Integer>> everScored) {
        boolean isLive = !bot.game().name().equals("quake2");
        bot.client()
                .frags()
                .forEach((id, frags) -> {
                    String name = names.get(id);
                    if (name == null) {
                        return;
                    }
                    if (isLive) {
                        assertThat(frags)
                                .as("frags of %s on the board of %s", name, bot.game().name())
                                .isEqualTo(requireNonNull(scores.get(name)).frags());
                    } else if (frags != 0) {
                        assertThat(everScored.get(name)).contains(frags);
                    }
                });
        if (isLive) {
            assertThat(bot.client().frags()).as("board of %s", bot.game().name()).isNotEmpty();
        }
    }
}

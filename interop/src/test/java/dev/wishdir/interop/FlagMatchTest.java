package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.app.bot.ArenaPaths;
import dev.wishdir.app.bot.BotFight;
import dev.wishdir.app.bot.FightingBot;
import dev.wishdir.app.command.Games;
import dev.wishdir.app.serve.DamageFactors;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.ArenaListener;
import dev.wishdir.arena.event.FlagChange;
import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.flag.Flag;
import dev.wishdir.arena.flag.FlagState;
import dev.wishdir.arena.match.Match;
import dev.wishdir.arena.match.MatchRules;
import dev.wishdir.blocks.arena.ArenaCatalog;
import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.blocks.reach.BodyReachability;
import dev.wishdir.blocks.reach.NavigationGraph;
import dev.wishdir.game.Game;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.net.simulation.SimulatedNetwork.Conditions;
import dev.wishdir.wire.TestEffort;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/**
 * Sixteen bots of four games in two teams play capture the flag: they take, drop, return and
 * capture, no flag is lost, and each flag has at most one carrier.
 */
@Tag("slow")
class FlagMatchTest {
    private static final long SECOND = 1_000_000_000L;
    private static final int BOTS = 16;
    private static final int MINUTES = TestEffort.times(1);
    private static final int LONG_MINUTES = 30;

    /** Captures of a match of half an hour. */
    private static final int MIN_CAPTURES = 10;

    private static final int MAX_CAPTURES = 60;

    /**
     * The share of a game in the captures of all arenas: in one of some 30 captures it is chance.
     */
    private static final double MIN_SHARE = 0.15;

    /** A flag that is away for longer is lost. */
    private static final double MAX_AWAY_SECONDS = 240;

    private static final Conditions LINK = new Conditions(0.03, 0, 15 * 1_000_000, 5 * 1_000_000);

    /** What happens to the flags. */
    private static final class Figures implements ArenaListener {
        final Map<FlagChange, Integer> changes = new TreeMap<>();
        final Map<String, Integer> captures = new TreeMap<>();
        final Map<String, Integer> takes = new TreeMap<>();
        final List<String> violations = new ArrayList<>();
        final Set<Vec3> unreachable = new HashSet<>();
        private final long[] homeAt = new long[2];
        double awaySeconds;
        int kills;

        Figures(long now) {
            Arrays.fill(homeAt, now);
        }

        @Override
        public void onEvent(ArenaEvent event) {
            switch (event) {
                case ArenaEvent.FlagChanged e -> {
                    changes.merge(e.change(), 1, Integer::sum);
                    String game = e.player().map(Player::game).orElse("none");
                    if (e.change() == FlagChange.CAPTURED) {
                        captures.merge(game, 1, Integer::sum);
                    } else if (e.change() == FlagChange.TAKEN) {
                        takes.merge(game, 1, Integer::sum);
                    }
                }
                case ArenaEvent.Died _ -> kills++;
                case ArenaEvent.MovementViolation e -> violations.add(e.toString());
                default -> {}
            }
        }

        int captures() {
            return changes.getOrDefault(FlagChange.CAPTURED, 0);
        }

        /** Checks that each flag has one place, and its carrier is of the other team. */
        void look(long now, Match match, List<Player> players, BodyReachability paths) {
            List<Flag> flags = match.flags().all();
            assertThat(flags).hasSize(2);
            for (Flag flag : flags) {
                switch (flag.state()) {
                    case FlagState.Home _ -> homeAt[flag.team().ordinal()] = now;
                    case FlagState.Carried(PlayerId by, _) -> {
                        assertThat(players)
                                .anyMatch(player -> player.id().equals(by) && player.spawned());
                        assertThat(match.team(by)).contains(flag.team().other());
                    }
                    case FlagState.Dropped(Vec3 at, long until) -> {
                        assertThat(until).isGreaterThanOrEqualTo(now);
                        if (!paths.isReached(at)) {
                            unreachable.add(at);
                        }
                    }
                }
                awaySeconds = Math.max(awaySeconds, (now - homeAt[flag.team().ordinal()]) / 1e9);
            }
        }

        @Override
        public String toString() {
            return "%s; captures %s, takes %s, %d deaths; away for %.0f s; lay at %s; %s"
                    .formatted(
                            changes, captures, takes, kills, awaySeconds, unreachable, violations);
        }
    }

    @Test
    void capturesFlagsOfOtherTeam() throws IOException {
        if (MINUTES < LONG_MINUTES) {
            Figures figures = play("hall");
            assertThat(figures.takes).as("%s", figures).hasSizeGreaterThan(1);
            return;
        }
        Map<String, Integer> captures = new TreeMap<>();
        for (String arena : List.of("hall", "hills", "forts")) {
            Figures figures = play(arena);
            assertThat(figures.captures() * LONG_MINUTES / MINUTES)
                    .as("%s", figures)
                    .isBetween(MIN_CAPTURES, MAX_CAPTURES);
            figures.captures.forEach((game, count) -> captures.merge(game, count, Integer::sum));
        }
        int all = captures.values().stream().mapToInt(Integer::intValue).sum();
        assertThat(FourGames.GAMES)
                .allSatisfy(game ->
                        assertThat(captures.getOrDefault(game, 0))
                                .as("captures of %s: %s", game, captures)
                                .isGreaterThanOrEqualTo((int) (MIN_SHARE * all)));
    }

    private static Figures play(String name) throws IOException {
        SimulatedNetwork network = new SimulatedNetwork(7);
        network.conditions(LINK);
        Random random = new Random(7);
        BlockArena arena = ArenaCatalog.shipped(name);
        BodyReachability reached = ArenaPaths.of(arena);
        Optional<NavigationGraph> paths = Optional.of(reached);
        Figures figures = new Figures(network.now());
        MatchRules rules =
                MatchRules.of(MatchMode.CTF)
                        .withTimes(Duration.ZERO, Duration.ZERO, MatchRules.DEFAULT_INTERMISSION)
                        .withScoreLimit(0)
                        .withDamageFactors(DamageFactors.of(Games.ALL));
        List<FightingBot> bots = new ArrayList<>();
        try (FourGames server = new FourGames(network, random, BOTS + 8, rules, arena)) {
            for (int i = 0; i < BOTS; i++) {
                // Both teams have two bots of each game.
                Game game = FourGames.ALL.get(i / 2 % FourGames.ALL.size());
                bots.add(
                        server.bot(
                                network.cycle(), game, "bot" + i, BotFight.DEFAULT_SKILL, paths));
                network.run(SECOND / 4);
            }
            server.awaitBots(bots);
            server.arena().addListener(figures);
            for (int half = 0; half < 2 * 60 * MINUTES; half++) {
                network.run(SECOND / 2);
                figures.look(
                        server.now(), server.arena().match(), server.arena().players(), reached);
            }
            assertThat(bots).noneMatch(FightingBot::ended);
        }
        System.out.println(name + ": " + figures);
        assertThat(figures.violations).isEmpty();
        assertThat(figures.awaySeconds).as("%s", figures).isLessThan(MAX_AWAY_SECONDS);
        return figures;
    }
}

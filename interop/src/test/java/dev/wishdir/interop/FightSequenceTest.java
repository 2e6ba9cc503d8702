package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.app.bot.BotFight;
import dev.wishdir.app.bot.FightingBot;
import dev.wishdir.arena.combat.Combatant;
import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.TeamScore;
import dev.wishdir.arena.item.Item;
import dev.wishdir.arena.match.Match;
import dev.wishdir.arena.match.MatchRules;
import dev.wishdir.blocks.arena.ArenaCatalog;
import dev.wishdir.blocks.arena.ItemKind;
import dev.wishdir.blocks.arena.PlacedItem;
import dev.wishdir.game.Client;
import dev.wishdir.game.Game;
import dev.wishdir.game.operator.OperatorConsole;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.simulation.SimulatedNetwork.Conditions;
import dev.wishdir.quake2.client.Quake2Client;
import dev.wishdir.quake3.client.Quake3Client;
import dev.wishdir.wire.TestEffort;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Bots of all games fight in a match while the misbehaving clients of {@link SequenceFuzzTest} are
 * among them, an operator kicks, pauses, restarts and changes the map, and the network delays and
 * loses. When it is quiet, the arena, the events and each bot agree on scores, on who is here and
 * alive, and on items. The seed gives the mode.
 */
@Tag("slow")
class FightSequenceTest {
    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000 * MILLI;
    private static final int STEPS = TestEffort.times(1_500);
    private static final int BOTS = 2;
    private static final List<MatchMode> MODES =
            List.of(MatchMode.FFA, MatchMode.TEAM, MatchMode.INSTA);
    private static final Conditions LOSSY = new Conditions(0.03, 0, 20 * MILLI, 100 * MILLI);

    private static final int ITEMS_PER_ROW = 7;
    private static final double ITEM_METRES = 4;
    private static final Duration RETURN = Duration.ofSeconds(3);

    /** Health of one point on Bedrock's screen, which shows whole points, at least one. */
    private static final double BEDROCK_POINT = 5;

    /** The board of a game has room for the best, at least as many. */
    private static final int BOARD_ROWS = 20;

    /** Steps between two quiet points, at most. */
    private static final int QUIET_STEPS = 20_000;

    /** The longest idle time-out: a kicked client that was not sent that it was ends by it. */
    private static final long LEAVE_NANOS = 65 * SECOND;

    /** In which a body appears that has just begun its life. */
    private static final long APPEAR_NANOS = 10 * SECOND;

    /** The longest time that a dead player has to wait, and what the network delays. */
    private static final long QUIET_NANOS = 8 * SECOND;

    @TestFactory
    Stream<DynamicTest> fights() {
        return TestEffort.given(LongStream.of(10))
                .mapToObj(seed ->
                        DynamicTest.dynamicTest(
                                mode(seed) + ", seed " + seed, () -> new Fight(seed).run(STEPS)));
    }

    private static MatchMode mode(long seed) {
        return MODES.get(Math.floorMod(seed, MODES.size()));
    }

    /** Short rounds, so that many begin and end. */
    private static MatchRules rules(long seed) {
        Random random = new Random(seed);
        return MatchRules.of(mode(seed))
                .withScoreLimit(random.nextBoolean() ? 15 : 0)
                .withTimes(
                        Duration.ofSeconds(5 + random.nextInt(30)),
                        Duration.ofSeconds(random.nextInt(3)),
                        Duration.ofSeconds(1 + random.nextInt(3)));
    }

    /** Items all over the middle, where bots walk into them. */
    private static List<PlacedItem> items() {
        List<ItemKind> kinds =
                List.of(
                        ItemKind.HEALTH,
                        ItemKind.ARMOUR_SHARD,
                        ItemKind.QUAD,
                        ItemKind.MEGA_HEALTH,
                        ItemKind.HEAVY_ARMOUR);
        return IntStream.range(0, ITEMS_PER_ROW * ITEMS_PER_ROW)
                .mapToObj(i ->
                        new PlacedItem(
                                kinds.get(i % kinds.size()),
                                new Vec3(
                                        ITEM_METRES * (i % ITEMS_PER_ROW - ITEMS_PER_ROW / 2),
                                        ITEM_METRES * (i / ITEMS_PER_ROW - ITEMS_PER_ROW / 2),
                                        0),
                                RETURN,
                                ""))
                .toList();
    }

    /** One run from its seed, with its bots. */
    private static final class Fight extends SequenceRun {
        private final ScoreSheet sheet = new ScoreSheet();
        private final List<FightingBot> bots = new ArrayList<>();

        Fight(long seed) throws IOException {
            super(
                    seed,
                    rules(seed),
                    BOTS * FourGames.ALL.size(),
                    ArenaCatalog.FLAT.withItems(items()),
                    ArenaCatalog.shipped("hall"));
            server.arena().addListener(sheet);
            for (int i = 0; i < BOTS * FourGames.ALL.size(); i++) {
                bots.add(bot(FourGames.ALL.get(i % FourGames.ALL.size()), "bot" + (100 + i)));
            }
            network.conditions(LOSSY);
        }

        private FightingBot bot(Game game, String name) throws IOException {
            return new FightingBot(
                    network.cycle(),
                    server.address(game.name()),
                    game,
                    name,
                    BotFight.MAX_SKILL,
                    random);
        }

        @Override
        Set<String> honest() {
            return bots.stream().map(FightingBot::name).collect(Collectors.toSet());
        }

        @Override
        void onStep(int step) throws IOException {
            if (random.nextInt(400) == 0) {
                command(
                        switch (random.nextInt(12)) {
                            case 0, 1, 2, 3 -> "kick " + anyName();
                            case 4 -> "map " + (random.nextBoolean() ? "flat" : "hall");
                            case 5 -> "restart";
                            case 6 -> "next";
                            case 7, 8 -> "pause";
                            default -> "match";
                        });
            }
            if (step % 500 == 0) {
                rejoin();
            }
            if (step % QUIET_STEPS == QUIET_STEPS - 1) {
                quieten();
                bots.forEach(FightingBot::resume);
                network.conditions(LOSSY);
            }
        }

        private String anyName() {
            List<Player> players = server.arena().players();
            return players.isEmpty()
                    ? "nobody"
                    : players.get(random.nextInt(players.size())).name();
        }

        private void command(String line) {
            server.execute(() -> {
                OperatorConsole console = server.operations();
                console.execute(server.now(), console.author("console"), line);
            });
        }

        /** Bots that were sent away come back under their names, and so with their scores. */
        private void rejoin() throws IOException {
            for (int i = 0; i < bots.size(); i++) {
                FightingBot bot = bots.get(i);
                if (bot.ended()) {
                    bots.set(i, bot(bot.game(), bot.name()));
                }
            }
        }

        @Override
        void settle() throws IOException {
            quieten();
            super.settle();
            System.out.println(sheet);
            assertThat(sheet.deaths()).as("deaths").isPositive();
        }

        /** The match is paused and no bot fights any more: all agree on what it is by then. */
        private void quieten() throws IOException {
            Match match = server.arena().match();
            network.conditions(Conditions.PERFECT);
            if (match.isPaused()) {
                command("pause");
            }
            assertThat(network.runUntil(this::pauseRound, QUIET_NANOS)).isTrue();
            bots.forEach(FightingBot::stop);
            network.runUntil(() -> bots.stream().allMatch(this::knowsWhetherItPlays), LEAVE_NANOS);
            rejoin();
            bots.forEach(FightingBot::stop);
            network.run(QUIET_NANOS);
            network.runUntil(() -> bots.stream().allMatch(this::seesAll), APPEAR_NANOS);
            // Both Quakes have a board when they ask for it.
            bots.forEach(bot -> {
                switch (bot.client()) {
                    case Quake2Client quake2 -> quake2.command("score");
                    case Quake3Client quake3 -> quake3.command("score");
                    default -> {}
                }
            });
            network.run(2 * SECOND);
            check();
            command("pause");
        }

        private boolean knowsWhetherItPlays(FightingBot bot) {
            return bot.ended()
                    || server.arena().players().stream()
                            .anyMatch(player -> player.name().equals(bot.name()));
        }

        private boolean seesAll(FightingBot bot) {
            long bodies = server.arena().players().stream().filter(Player::spawned).count();
            return bot.client().others().size() == bodies - 1;
        }

        /** Pauses the match if a round is played; an intermission has its own rules. */
        private boolean pauseRound() {
            Match match = server.arena().match();
            return match.phase() == Match.Phase.PLAYING && match.setPaused(server.now(), true);
        }

        private void check() {
            Match match = server.arena().match();
            assertThat(sheet.wrong()).isEmpty();
            assertThat(server.laws().broken()).isEmpty();
            for (Player player : server.arena().players()) {
                assertThat(match.score(player.id()))
                        .as("score of %s", player)
                        .isEqualTo(sheet.score(player.id()));
            }
            for (TeamScore team : match.teamScores()) {
                assertThat(team.frags()).isEqualTo(sheet.frags(team.team()));
            }
            for (Item item : match.items().of("bedrock")) {
                assertThat(item.isPresent() || sheet.isAway(item.placed(), server.now()))
                        .as("%s", item)
                        .isTrue();
            }
            bots.forEach(this::check);
        }

        private void check(FightingBot bot) {
            String game = bot.game().name();
            String who = bot.name() + " of " + game;
            assertThat(bot.ended()).as("%s was sent away: %s", who, bot.reason()).isFalse();
            Player player = server.player(bot.name());
            Combatant combatant = server.arena().player(player.id()).orElseThrow().combatant();
            assertThat(combatant.isAlive() && player.spawned()).as("%s is alive", who).isTrue();
            double health = combatant.vitals().health();
            double shown =
                    game.equals("bedrock")
                            ? Math.ceil(health / BEDROCK_POINT) * BEDROCK_POINT
                            : health;
            assertThat(bot.client().health().orElse(0))
                    .as("health of %s", who)
                    .isBetween(shown - 2, shown + 2);
            Map<String, Player> players =
                    server.arena().players().stream()
                            .filter(other -> !other.id().equals(player.id()))
                            .collect(
                                    Collectors.toMap(
                                            other -> SequenceFuzzTest.read(other, game),
                                            other -> other));
            Map<Long, Player> seen = new HashMap<>(Map.of(bot.client().id(), player));
            for (Client.RemotePlayer other : bot.client().others()) {
                String name = unshortened(other.name(), players.keySet());
                assertThat(players).as("seen by %s", who).containsKey(name);
                seen.put(other.id(), players.get(name));
            }
            assertThat(seen.values())
                    .as("bodies that %s sees", who)
                    .containsExactlyInAnyOrderElementsOf(
                            server.arena().players().stream().filter(Player::spawned).toList());
            checkBoard(bot, who, seen);
            assertThat(bot.client().items())
                    .as("items that %s sees", who)
                    .hasSize(
                            (int)
                                    server.arena().match().items().of(game).stream()
                                            .filter(Item::isPresent)
                                            .count());
        }

        /** Sauerbraten shortens a name in the middle if two are the same without their ends. */
        private static String unshortened(String seen, Set<String> names) {
            int cut = seen.indexOf('~');
            return cut < 0
                    ? seen
                    : names.stream()
                            .filter(name -> name.startsWith(seen.substring(0, cut)))
                            .findFirst()
                            .orElse(seen);
        }

        private void checkBoard(FightingBot bot, String who, Map<Long, Player> seen) {
            Match match = server.arena().match();
            Map<Long, Integer> frags = bot.client().frags();
            seen.forEach((id, player) -> {
                String what = "frags of %s on the board of %s".formatted(player, who);
                int score = match.score(player.id()).frags();
                if (frags.containsKey(id) || frags.size() < BOARD_ROWS) {
                    assertThat(frags).as(what).containsEntry(id, score);
                } else {
                    // Its own row has its place, whatever it has.
                    assertThat(frags.entrySet())
                            .as(what)
                            .filteredOn(row -> row.getKey() != bot.client().id())
                            .extracting(Map.Entry::getValue)
                            .allMatch(better -> better >= score);
                }
            });
        }
    }
}

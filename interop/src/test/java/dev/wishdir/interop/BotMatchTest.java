package dev.wishdir.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wishdir.app.bot.ArenaPaths;
import dev.wishdir.app.bot.BotFight;
import dev.wishdir.app.bot.FightingBot;
import dev.wishdir.app.command.Games;
import dev.wishdir.app.serve.DamageFactors;
import dev.wishdir.arena.event.ArenaEvent;
import dev.wishdir.arena.event.ArenaListener;
import dev.wishdir.arena.event.DamageMeans;
import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.match.MatchRules;
import dev.wishdir.blocks.arena.ArenaCatalog;
import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.blocks.reach.NavigationGraph;
import dev.wishdir.blocks.stock.StockMap;
import dev.wishdir.blocks.stock.StockMapConverter;
import dev.wishdir.game.Game;
import dev.wishdir.motion.Vec3;
import dev.wishdir.net.simulation.SimulatedNetwork;
import dev.wishdir.net.simulation.SimulatedNetwork.Conditions;
import dev.wishdir.quake3.Quake3Game;
import dev.wishdir.wire.TestEffort;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Eight bots of four games fight as players do: often, with many weapons, in all games alike, and
 * without standing about.
 */
@Tag("slow")
class BotMatchTest {
    private static final long SECOND = 1_000_000_000L;
    private static final int BOTS = 8;
    private static final int SECONDS = TestEffort.times(60);
    private static final int MIN_KILLS_PER_MINUTE = 10;
    private static final int MIN_WEAPONS = 5;
    private static final double MIN_SHARE = 0.15;

    /** Of the kills of a game, those with one weapon. */
    private static final double MAX_WEAPON_SHARE = 0.75;

    private static final double MAX_IDLE_SECONDS = 10;

    /** A bot that stays this near to a place, and does not hit a player, is idle. */
    private static final double IDLE_METRES = 1;

    private static final Conditions LINK = new Conditions(0, 0, 15 * 1_000_000, 5 * 1_000_000);

    /** What happens in a match. */
    private static final class Figures implements ArenaListener {
        final Map<DamageMeans, Integer> weapons = new EnumMap<>(DamageMeans.class);
        final Map<String, Integer> games = new TreeMap<>();
        final Map<String, Integer> weaponsOfGames = new TreeMap<>();
        final List<String> violations = new ArrayList<>();
        private final Map<PlayerId, Stay> stays = new HashMap<>();
        int kills;
        int selfKills;
        double idleSeconds;
        String idle = "";

        private record Stay(Vec3 at, long since) {}

        @Override
        public void onEvent(ArenaEvent event) {
            switch (event) {
                case ArenaEvent.Died e when e.killer().id().equals(e.id()) -> {
                    selfKills++;
                    stays.remove(e.id());
                }
                case ArenaEvent.Died e -> {
                    kills++;
                    weapons.merge(e.means(), 1, Integer::sum);
                    games.merge(e.killer().game(), 1, Integer::sum);
                    weaponsOfGames.merge(e.killer().game() + " " + e.means(), 1, Integer::sum);
                    stays.remove(e.id());
                }
                case ArenaEvent.Hit e -> stays.remove(e.attacker().id());
                case ArenaEvent.MovementViolation e -> violations.add(e.toString());
                default -> {}
            }
        }

        /** Sees which players have stayed where they were. */
        void look(long now, List<Player> players) {
            if (players.stream().filter(Player::spawned).count() < 2) {
                stays.clear();
                return;
            }
            for (Player player : players) {
                Vec3 at = player.movement().position();
                Stay stay = stays.get(player.id());
                if (!player.spawned()) {
                    stays.remove(player.id());
                } else if (stay == null || stay.at.distance(at) > IDLE_METRES) {
                    stays.put(player.id(), new Stay(at, now));
                } else if ((now - stay.since) / 1e9 > idleSeconds) {
                    idleSeconds = (now - stay.since) / 1e9;
                    idle = player.name() + " of " + player.game() + " at " + at;
                }
            }
        }

        @Override
        public String toString() {
            return "%d kills, %d of themselves, %s, %s, %s; idle for %.1f s: %s; %s"
                    .formatted(
                            kills,
                            selfKills,
                            games,
                            weapons,
                            weaponsOfGames,
                            idleSeconds,
                            idle,
                            violations);
        }
    }

    private static BlockArena arena(String name) throws IOException {
        if (!name.startsWith("map:")) {
            return ArenaCatalog.shipped(name);
        }
        Peer.need("openarena-data", Path.of("/usr/share/games/openarena/baseoa/pak1-maps.pk3"));
        Game quake3 = new Quake3Game();
        String map = name.substring("map:".length());
        StockMap stock = quake3.map(map, quake3.mapFile(map, Map.of()).orElseThrow()).orElseThrow();
        return StockMapConverter.of(stock)
                .withOriginal(new BlockArena.Original(stock.game(), stock.name()));
    }

    @Test
    void fightAsPlayersDo() throws IOException {
        List<Figures> all = new ArrayList<>();
        for (String arena : List.of("hall", "hills", "map:oa_dm1", "map:aggressor")) {
            all.add(fight(arena));
        }
        // A minute has some 40 kills: the share of a game in one arena is chance.
        for (List<Figures> some : List.of(all, all.subList(0, 2))) {
            Map<String, Integer> ofGames = sum(some, each -> each.games);
            int kills = ofGames.values().stream().mapToInt(Integer::intValue).sum();
            for (String game : FourGames.GAMES) {
                assertThat(ofGames.getOrDefault(game, 0))
                        .as("kills of %s: %s", game, ofGames)
                        .isGreaterThanOrEqualTo((int) (MIN_SHARE * kills));
            }
        }
        Map<String, Integer> games = sum(all, each -> each.games);
        Map<String, Integer> weapons = sum(all, each -> each.weaponsOfGames);
        weapons.remove("bedrock " + DamageMeans.PISTOL); // Its bow and its crossbow.
        weapons.forEach((weapon, count) -> {
            int ofGame = games.getOrDefault(weapon.substring(0, weapon.indexOf(' ')), 0);
            assertThat(count)
                    .as("kills with %s: %s", weapon, weapons)
                    .isLessThanOrEqualTo((int) Math.ceil(MAX_WEAPON_SHARE * ofGame));
        });
    }

    private static Map<String, Integer> sum(
            List<Figures> all, Function<Figures, Map<String, Integer>> of) {
        Map<String, Integer> sum = new TreeMap<>();
        all.forEach(each -> of.apply(each).forEach((key, n) -> sum.merge(key, n, Integer::sum)));
        return sum;
    }

    private static Figures fight(String name) throws IOException {
        SimulatedNetwork network = new SimulatedNetwork(7);
        network.conditions(LINK);
        Random random = new Random(7);
        BlockArena arena = arena(name);
        Optional<NavigationGraph> paths = Optional.of(ArenaPaths.of(arena));
        Figures figures = new Figures();
        MatchRules rules =
                MatchRules.of(MatchMode.FFA)
                        .withTimes(Duration.ZERO, Duration.ZERO, MatchRules.DEFAULT_INTERMISSION)
                        .withDamageFactors(DamageFactors.of(Games.ALL));
        List<FightingBot> bots = new ArrayList<>();
        try (FourGames server = new FourGames(network, random, BOTS + 8, rules, arena)) {
            for (int i = 0; i < BOTS; i++) {
                Game game = FourGames.ALL.get(i % FourGames.ALL.size());
                bots.add(
                        server.bot(
                                network.cycle(), game, "bot" + i, BotFight.DEFAULT_SKILL, paths));
            }
            server.awaitBots(bots);
            server.arena().addListener(figures);
            for (int half = 0; half < 2 * SECONDS; half++) {
                network.run(SECOND / 2);
                figures.look(server.now(), server.arena().players());
            }
        }
        System.out.println(name + ": " + figures);
        assertThat(figures.kills)
                .as("kills: %s", figures)
                .isGreaterThanOrEqualTo(MIN_KILLS_PER_MINUTE * SECONDS / 60);
        assertThat(figures.weapons).as("%s", figures).hasSizeGreaterThanOrEqualTo(MIN_WEAPONS);
        assertThat(figures.idleSeconds).as("%s", figures).isLessThan(MAX_IDLE_SECONDS);
        assertThat(figures.violations).isEmpty();
        return figures;
    }
}

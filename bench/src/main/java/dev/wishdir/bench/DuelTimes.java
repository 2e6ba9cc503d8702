package dev.wishdir.bench;

import dev.wishdir.app.bot.BotFight;
import dev.wishdir.app.bot.Duel;
import dev.wishdir.app.serve.DamageFactors;
import dev.wishdir.app.serve.SimulatedServer;
import dev.wishdir.blocks.arena.ArenaCatalog;
import dev.wishdir.game.Game;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Time that a bot of one game takes to kill a bot of the same skill of another game, for all pairs
 * of games, in virtual time. Prints a table in Markdown: the median of the seconds, the quartiles
 * and the number of kills. {@link Duel} says what is measured.
 *
 * <p>Usage, after {@code mvn verify -DskipTests}: {@code java -cp bench/target/benchmarks.jar
 * dev.wishdir.bench.DuelTimes [KILLS] [SEEDS] [SKILL] [ARENA] [GAME=FACTOR,...]}; games that are
 * not listed have their default factor.
 */
public final class DuelTimes {
    private DuelTimes() {}

    public static void main(String[] arguments) throws IOException {
        int kills = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 10;
        int seeds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 3;
        int skill = arguments.length > 2 ? Integer.parseInt(arguments[2]) : BotFight.DEFAULT_SKILL;
        String arena = arguments.length > 3 ? arguments[3] : "flat";
        Map<String, Double> given = new HashMap<>();
        for (int i = 4; i < arguments.length; i++) {
            for (String each : arguments[i].split(",")) {
                String[] parts = each.split("=", 2);
                given.put(parts[0], Double.valueOf(parts[1]));
            }
        }
        Duel duel =
                new Duel(
                        ArenaCatalog.shipped(arena),
                        skill,
                        DamageFactors.with(SimulatedServer.ALL, given));
        System.out.println("| killer | " + String.join(" | ", SimulatedServer.GAMES) + " |");
        System.out.println("|---" + "|---".repeat(SimulatedServer.GAMES.size()) + "|");
        List<Double> medians = new ArrayList<>();
        for (Game killer : SimulatedServer.ALL) {
            StringBuilder row = new StringBuilder("| " + killer.name() + " |");
            for (Game victim : SimulatedServer.ALL) {
                List<Double> seconds = new ArrayList<>();
                for (int seed = 1; seed <= seeds; seed++) {
                    seconds.addAll(duel.seconds(killer, victim, kills, seed));
                }
                medians.add(Duel.quantile(seconds, 0.5));
                row.append(cell(seconds));
            }
            System.out.println(row);
        }
        double most = medians.stream().mapToDouble(each -> each).max().orElseThrow();
        double least = medians.stream().mapToDouble(each -> each).min().orElseThrow();
        System.out.printf(
                Locale.ROOT,
                "%nfactors %s; longest median to shortest: %.2f%n",
                duel.damageFactors(),
                most / least);
    }

    private static String cell(List<Double> seconds) {
        return String.format(
                Locale.ROOT,
                " %.1f (%.1f to %.1f, %d) |",
                Duel.quantile(seconds, 0.5),
                Duel.quantile(seconds, 0.25),
                Duel.quantile(seconds, 0.75),
                seconds.size());
    }
}

package dev.wishdir.app.command;

import dev.wishdir.game.Game;

import java.util.List;
import java.util.Locale;

/** Limits of how many clients of a command join at once, and advice about those that cannot. */
public final class JoinLimits {
    /**
     * Maximum number of clients that join at the same time. An original Quake II server drops
     * clients whose reliable message overflows with news of further joins.
     */
    public static final int MAX_JOINING = 2;

    /**
     * Maximum time without a join. An original Quake III server accepts ten clients of one address
     * at once, then one per second.
     */
    public static final long TIMEOUT_SECONDS = 30;

    private JoinLimits() {}

    /** The server's reasons, grouped, with advice about limits per address. */
    public static String reasons(Game game, List<String> problems) {
        if (problems.isEmpty()) {
            return "";
        }
        List<CountedReason> grouped = CountedReason.group(problems);
        return ": "
                + String.join(
                        "; ",
                        grouped.stream()
                                .map(each -> each.count() > 1 ? each.toString() : each.reason())
                                .toList())
                + advice(game, problems);
    }

    /**
     * Advice that lifts the limits which a game's servers named in their own words; empty for none.
     */
    public static String advice(Game game, List<String> problems) {
        String all = String.join("\n", problems).toLowerCase(Locale.ROOT);
        if (all.contains("address")) {
            return " (--from 127.0.1.0/24 uses several source addresses; on a Wishdir server,"
                    + " --trust ADDRESS lifts the limit)";
        }
        return game.refusalAdvice(all).map(advice -> " (" + advice + ")").orElse("");
    }
}

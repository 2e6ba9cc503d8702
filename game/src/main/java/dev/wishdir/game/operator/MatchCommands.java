package dev.wishdir.game.operator;

import dev.wishdir.arena.event.Player;
import dev.wishdir.arena.event.Score;
import dev.wishdir.arena.event.Team;
import dev.wishdir.arena.flag.Flags;
import dev.wishdir.arena.match.Match;
import dev.wishdir.arena.race.Race;
import dev.wishdir.arena.race.RaceTimes;
import dev.wishdir.wire.Quantity;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.StringJoiner;

/** The commands for the match, its rounds and its flags. */
final class MatchCommands {
    private static final int MAX_STANDINGS = 32;

    private MatchCommands() {}

    /** Whether there is a round to begin again or to end. */
    private static boolean hasRound(Match match) {
        return match.isOn() && match.phase() != Match.Phase.IDLE;
    }

    private static String status(Match match, long now) {
        return match.isOn()
                ? match.status(now)
                : "There is no match: start the server with --match ffa or --match race.";
    }

    static final class MatchCommand extends OperatorCommand {
        MatchCommand() {
            super("match", "", "show the match: what goes on, time, scores");
        }

        @Override
        String refusal(String given) {
            return super.refusal(given) + " The mode is set when the server starts: --match.";
        }

        @Override
        String execute(Context context) {
            Match match = context.arena().match();
            StringJoiner lines = new StringJoiner("\n");
            lines.add(status(match, context.now()));
            List<Match.PlayerScore> standings = match.isOn() ? match.standings() : List.of();
            standings.stream().limit(MAX_STANDINGS).forEach(it -> lines.add(line(match, it)));
            if (standings.size() > MAX_STANDINGS) {
                int others = standings.size() - MAX_STANDINGS;
                lines.add("(" + others + " more players: see status)");
            }
            if (match.isRace()) {
                for (RaceTimes.Time best : match.race().bestTimes(Race.LISTED_TIMES)) {
                    String time = RaceTimes.text(best.millis());
                    lines.add(time + " best time of " + best.name() + " (" + best.game() + ")");
                }
            }
            return lines.toString();
        }

        private static String line(Match match, Match.PlayerScore standing) {
            Player player = standing.player();
            Score score = standing.score();
            if (match.isRace()) {
                Optional<String> time = match.race().millis(player.id()).map(RaceTimes::text);
                return String.format(
                        Locale.ROOT,
                        "%2d points, %s: %s",
                        score.frags(),
                        time.orElse("no time"),
                        player);
            }
            return String.format(
                    Locale.ROOT,
                    "%4d %s, %s%s: %s%s",
                    score.frags(),
                    match.rules().mode().scoreName(score.frags()),
                    match.rules().mode().hasFlags()
                            ? Quantity.of(match.captures(player.id()), "capture") + ", "
                            : "",
                    Quantity.of(score.deaths(), "death"),
                    player,
                    match.team(player.id()).map(team -> ", " + team).orElse(""));
        }
    }

    static final class RestartCommand extends OperatorCommand {
        RestartCommand() {
            super("restart", "", "begin the round of the match again");
        }

        @Override
        String execute(Context context) {
            Match match = context.arena().match();
            if (hasRound(match)) {
                context.report("restarted the match");
                match.begin(context.now());
            }
            return status(match, context.now());
        }
    }

    static final class NextCommand extends OperatorCommand {
        NextCommand() {
            super("next", "", "end the round of the match, and go to the next arena");
        }

        @Override
        String execute(Context context) {
            Match match = context.arena().match();
            if (hasRound(match)) {
                context.report("ended the round");
                match.skipRound(context.now());
            }
            return status(match, context.now());
        }
    }

    static final class PauseCommand extends OperatorCommand {
        PauseCommand() {
            super(
                    "pause",
                    "",
                    "pause the match, or let it go on: its time stands still, no player is hit");
        }

        @Override
        String execute(Context context) {
            Match match = context.arena().match();
            boolean paused = !match.isPaused();
            if (match.isOn() && match.setPaused(context.now(), paused)) {
                context.report(paused ? "paused the match" : "continued the match");
                context.arena()
                        .announce(
                                context.now(),
                                paused ? "The match is paused." : "The match goes on.");
            }
            return status(match, context.now());
        }
    }

    static final class FlagCommand extends OperatorCommand {
        FlagCommand() {
            super(
                    "flag",
                    "[return [red|blue]]",
                    "show the flags of the match, or bring one or both home");
        }

        @Override
        String execute(Context context) {
            Flags flags = context.arena().match().flags();
            if (flags.all().isEmpty()) {
                return "The match has no flags: it is set when the server starts, --match ctf.";
            }
            if (context.reader().isEmpty()) {
                return flags.text(context.now());
            }
            String action = CommandReader.lower(context.reader().word());
            String word = context.reader().text();
            Optional<Team> named = Team.of(word);
            if (!action.equals("return")) {
                return description();
            }
            if (!word.isEmpty() && named.isEmpty()) {
                return "Nothing done: there is no flag '" + word + "'. " + description() + ".";
            }
            for (Team team : named.map(List::of).orElse(List.of(Team.values()))) {
                if (flags.returnHome(context.now(), team)) {
                    context.report("returned the " + team + " flag");
                }
            }
            return flags.text(context.now());
        }
    }
}

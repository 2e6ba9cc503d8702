package dev.wishdir.app.serve;

import dev.wishdir.app.command.CommandFailedException;
import dev.wishdir.app.event.EventOptions;
import dev.wishdir.arena.MatchMode;
import dev.wishdir.arena.MatchRules;
import dev.wishdir.arena.Race;
import dev.wishdir.game.Game;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import picocli.CommandLine;
import picocli.CommandLine.Option;

import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The options about the match that all games of a server play. */
final class MatchOptions {
    private static final Logger LOG = LoggerFactory.getLogger(MatchOptions.class);

    @Option(
            names = "--match",
            paramLabel = "none|ffa|team|insta|race",
            description =
                    "The match of all players: none, in which shots have no effect; ffa, free for"
                            + " all; team, red against blue; insta, free for all in which each"
                            + " hit kills; or race, on the course of the arena. docs/match.md"
                            + " describes rounds and rules (default ${DEFAULT-VALUE}).",
            defaultValue = "none")
    private MatchMode mode = MatchMode.NONE;

    @Option(
            names = "--time-limit",
            paramLabel = "TIME",
            converter = EventOptions.Age.class,
            description =
                    "Length of a round of the match, such as 10m, or 0 for no limit (default"
                            + " ${DEFAULT-VALUE}).",
            defaultValue = "10m")
    private Duration timeLimit = MatchRules.DEFAULT_TIME_LIMIT;

    @Option(
            names = "--score-limit",
            paramLabel = "FRAGS",
            description =
                    "Frags of a player, or of a team, that end a round, or 0 for no limit (default"
                            + " ${DEFAULT-VALUE}).",
            defaultValue = "0")
    private int scoreLimit;

    @Option(
            names = "--warm-up",
            paramLabel = "TIME",
            converter = EventOptions.Age.class,
            description =
                    "Time before a round in which players fight without scores, such as 30s"
                            + " (default ${DEFAULT-VALUE}).",
            defaultValue = "0")
    private Duration warmUp = Duration.ZERO;

    @Option(
            names = "--intermission",
            paramLabel = "TIME",
            converter = EventOptions.Age.class,
            description =
                    "Time after a round in which players see the scores. The next arena of --arena"
                            + " follows (default ${DEFAULT-VALUE}).",
            defaultValue = "10s")
    private Duration intermission = MatchRules.DEFAULT_INTERMISSION;

    @Option(
            names = "--damage",
            paramLabel = "GAME=FACTOR",
            split = ",",
            description =
                    "What the damage of a game's weapons is multiplied by. A game that is not"
                            + " listed has its default, with which bots of all games take"
                            + " about the same time to kill each other (default "
                            + DamageFactors.DEFAULT_TEXT
                            + ").")
    private Map<String, Double> damage = new LinkedHashMap<>();

    @Option(
            names = "--rewind",
            paramLabel = "MILLIS",
            description =
                    "How far back, 0 to 400 ms, the server puts the victims of a shot at most, to"
                            + " where its shooter saw them. For games whose server decides hits"
                            + " (default ${DEFAULT-VALUE}).",
            defaultValue = "200")
    private int rewindMillis;

    @Option(
            names = "--friendly-fire",
            description = "Players hurt others of their own team, too, and lose a frag for a kill.")
    private boolean friendlyFire;

    @Option(
            names = "--items",
            paramLabel = "on|off",
            description =
                    "Whether the items of arenas and maps lie there in a match (default"
                            + " ${DEFAULT-VALUE}).",
            defaultValue = "on")
    private RecordOptions.Switch items = RecordOptions.Switch.ON;

    @Option(
            names = "--race-ghost",
            paramLabel = "on|off",
            description =
                    "Whether the best run of a race walks among the players as a ghost (default"
                            + " ${DEFAULT-VALUE}).",
            defaultValue = "on")
    private RecordOptions.Switch raceGhost = RecordOptions.Switch.ON;

    @Option(
            names = "--race-times",
            paramLabel = "FILE",
            description =
                    "File for the best times of races. Without it, the server forgets them when it"
                            + " stops.")
    private @Nullable Path raceTimes;

    /** Opens the file of best times; null if they are not stored. */
    @Nullable RaceTimesFile openRaceTimes() throws CommandFailedException {
        return raceTimes == null
                ? null
                : new RaceTimesFile(raceTimes, FileOperations.REAL, LOG::error);
    }

    /** Whether the match is a race. */
    boolean isRace() {
        return mode == MatchMode.RACE;
    }

    /** Sets the ghost of a race, and its best times. */
    void apply(Race race, @Nullable RaceTimesFile times) {
        race.setGhost(raceGhost == RecordOptions.Switch.ON);
        if (times != null) {
            times.keep(race.times());
        }
    }

    /**
     * The rules of the match.
     *
     * @throws CommandLine.ParameterException if a value is out of range, or a game does not exist
     */
    MatchRules rules(CommandLine line, List<Game> games) {
        List<String> names = games.stream().map(Game::name).toList();
        for (String game : damage.keySet()) {
            if (!names.contains(game)) {
                throw new CommandLine.ParameterException(
                        line,
                        "--damage: '" + game + "' is not a game: use " + String.join(", ", names));
            }
        }
        try {
            return new MatchRules(
                    mode,
                    timeLimit,
                    scoreLimit,
                    warmUp,
                    intermission,
                    DamageFactors.with(damage),
                    Duration.ofMillis(rewindMillis),
                    friendlyFire,
                    items == RecordOptions.Switch.ON);
        } catch (IllegalArgumentException e) {
            throw new CommandLine.ParameterException(line, "match options: " + e.getMessage(), e);
        }
    }
}

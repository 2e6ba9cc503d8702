package dev.wishdir.app.serve;

import dev.wishdir.app.command.CommandFailedException;
import dev.wishdir.app.event.EventOptions;
import dev.wishdir.app.serve.file.FileOperations;
import dev.wishdir.app.serve.file.RaceTimesFile;
import dev.wishdir.app.serve.file.StateFile;
import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.arena.flag.FlagRules;
import dev.wishdir.arena.match.MatchRules;
import dev.wishdir.arena.race.Race;
import dev.wishdir.arena.race.RaceTimes;
import dev.wishdir.blocks.arena.ArenaCatalog;
import dev.wishdir.blocks.arena.BlockArena;
import dev.wishdir.game.Game;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import picocli.CommandLine;
import picocli.CommandLine.Option;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** The options about the match that all games of a server play. */
public final class MatchOptions {
    private static final Logger LOG = LoggerFactory.getLogger(MatchOptions.class);

    @Option(
            names = "--match",
            paramLabel = "none|ffa|team|insta|race|ctf|ctf-insta|ctf-effic",
            converter = Mode.class,
            description =
                    "The match of all players: none, in which shots have no effect; ffa, free for"
                            + " all; team, red against blue; insta, free for all in which each"
                            + " hit kills; race, on the course of the arena; ctf, capture the"
                            + " flag, also ctf-insta, in which each hit kills, and ctf-effic, with"
                            + " all weapons and without items. docs/match.md describes rounds and"
                            + " rules (default ${DEFAULT-VALUE}).",
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
            paramLabel = "SCORE",
            description =
                    "Frags of a player, or of a team, that end a round, captures of a team in"
                            + " capture the flag, or 0 for no limit (default 0; capture the flag: "
                            + MatchRules.DEFAULT_CAPTURE_LIMIT
                            + ").")
    private @Nullable Integer scoreLimit;

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
            completionCandidates = DamageFactors.Defaults.class,
            description =
                    "What the damage of a game's weapons is multiplied by. A game that is not"
                            + " listed has its default, with which bots of all games take"
                            + " about the same time to kill each other (default"
                            + " ${COMPLETION-CANDIDATES}).")
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
            names = "--flag-return",
            paramLabel = "TIME",
            converter = EventOptions.Age.class,
            description =
                    "How long a dropped flag lies before it comes home, 0 to 120 s (default"
                            + " ${DEFAULT-VALUE}).",
            defaultValue = "20s")
    private Duration flagReturn = FlagRules.DEFAULT.returnTime();

    @Option(
            names = "--flag-home-needed",
            paramLabel = "on|off",
            description =
                    "Whether players capture a flag only while their own is at home (default"
                            + " ${DEFAULT-VALUE}).",
            defaultValue = "on")
    private RecordOptions.Switch flagHomeNeeded = RecordOptions.Switch.ON;

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

    /** Parses the name of a mode; those of the games that no server here plays have a reason. */
    static final class Mode implements CommandLine.ITypeConverter<MatchMode> {
        private static final String UNSUPPORTED = "(insta-?|effic-?)?(protect|hold)";

        @Override
        public MatchMode convert(String text) {
            for (MatchMode mode : MatchMode.values()) {
                if (mode.toString().equalsIgnoreCase(text)) {
                    return mode;
                }
            }
            String all =
                    Arrays.stream(MatchMode.values())
                            .map(MatchMode::toString)
                            .collect(Collectors.joining(", "));
            throw new CommandLine.TypeConversionException(
                    text.toLowerCase(Locale.ROOT).matches(UNSUPPORTED)
                            ? "'"
                                    + text
                                    + "' is not played here, as only one game has its rules: use"
                                    + " ctf, ctf-insta or ctf-effic"
                            : "'" + text + "' is not one of " + all);
        }
    }

    /** Opens the file of best times; null if they are not stored. */
    @Nullable StateFile<List<RaceTimes.Time>> openRaceTimes() throws CommandFailedException {
        Path file = raceTimes;
        if (file == null) {
            return null;
        }
        EventOptions.checkWritable("--race-times: cannot write ", file);
        return new StateFile<>(
                "--race-times",
                "best times",
                file,
                FileOperations.REAL,
                new RaceTimesFile(),
                LOG::error);
    }

    /** The file of the best times; null if they are not stored. */
    @Nullable Path raceTimes() {
        return raceTimes;
    }

    /** Whether players fight in the match. */
    boolean isFight() {
        return mode != MatchMode.NONE && !isRace();
    }

    /** Whether the match is a race. */
    boolean isRace() {
        return mode == MatchMode.RACE;
    }

    /**
     * Checks that the match can be played in an arena.
     *
     * @throws CommandFailedException if it has no course of a race, or no flags
     */
    void check(BlockArena arena) throws CommandFailedException {
        if (!isPlayable(arena)) {
            throw new CommandFailedException(
                    "--match "
                            + mode
                            + ": the arena "
                            + arena.name()
                            + (isRace()
                                    ? " has no race course (start and finish lines)"
                                    : " has no flags (lines flag red and flag blue)")
                            + "; use --arena "
                            + arenas().getFirst()
                            + ", or remove it from --arena");
        }
    }

    /** Whether the arena has what the match needs. */
    boolean isPlayable(BlockArena arena) {
        return !(isRace() && arena.course().isEmpty())
                && !(mode.hasFlags() && arena.bases().isEmpty());
    }

    /** The shipped arenas that are made for the match; the first is the default. */
    List<String> arenas() {
        return isRace()
                ? ArenaCatalog.RACE
                : mode.hasFlags() ? ArenaCatalog.FLAGS : ArenaCatalog.FIGHT;
    }

    /** Sets the ghost of a race, and its best times. */
    public void apply(Race race, @Nullable StateFile<List<RaceTimes.Time>> times) {
        race.setGhost(raceGhost == RecordOptions.Switch.ON);
        if (times != null) {
            race.times().load(times.initial());
            race.times().onChange(times.writer());
        }
    }

    /** Checks each value of the rules. */
    void check(CommandLine line, List<Game> games, SettingProblems problems) {
        MatchRules plain = MatchRules.of(mode);
        Duration none = Duration.ZERO;
        check(problems, line, "--time-limit", () -> plain.withTimes(timeLimit, none, none));
        check(problems, line, "--warm-up", () -> plain.withTimes(none, warmUp, none));
        check(problems, line, "--intermission", () -> plain.withTimes(none, none, intermission));
        check(problems, line, "--score-limit", () -> plain.withScoreLimit(scoreLimit()));
        check(problems, line, "--flag-return", () -> plain.withFlags(flagRules()));
        List<String> names = games.stream().map(Game::name).toList();
        damage.forEach((game, factor) ->
                check(
                        problems,
                        line,
                        "--damage",
                        () -> {
                            if (!names.contains(game)) {
                                throw new IllegalArgumentException(
                                        "'"
                                                + game
                                                + "' is not a game: use "
                                                + String.join(", ", names));
                            }
                            return plain.withDamageFactors(Map.of(game, factor));
                        }));
        check(problems, line, "--rewind", () -> plain.withRewind(Duration.ofMillis(rewindMillis)));
    }

    private static void check(
            SettingProblems problems, CommandLine line, String option, Supplier<MatchRules> made) {
        problems.check(() -> {
            try {
                MatchRules _ = made.get();
            } catch (IllegalArgumentException e) {
                throw new CommandLine.ParameterException(line, option + ": " + e.getMessage(), e);
            }
        });
    }

    /** The rules of the games' match; {@link #check} has found nothing wrong. */
    MatchRules rules(List<Game> games) {
        return new MatchRules(
                mode,
                timeLimit,
                scoreLimit(),
                warmUp,
                intermission,
                DamageFactors.with(games, damage),
                Duration.ofMillis(rewindMillis),
                friendlyFire,
                items == RecordOptions.Switch.ON,
                flagRules());
    }

    private int scoreLimit() {
        return scoreLimit == null ? MatchRules.of(mode).scoreLimit() : scoreLimit;
    }

    private FlagRules flagRules() {
        return new FlagRules(flagReturn, flagHomeNeeded == RecordOptions.Switch.ON);
    }
}

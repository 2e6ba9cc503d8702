package dev.wishdir.app.inspect;

import dev.wishdir.app.command.CommandFailedException;
import dev.wishdir.app.command.Games;
import dev.wishdir.app.command.TargetOptions;
import dev.wishdir.game.Game;
import dev.wishdir.inspect.Inspector;
import dev.wishdir.wire.ExceptionMessage;
import dev.wishdir.wire.dissect.DissectedMessage;
import dev.wishdir.wire.dissect.Dissector;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/** The options that select the dissectors of a capture. */
final class DissectorOptions {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = "--game",
            paramLabel = "GAME",
            description =
                    "Use only this game. Sessions on its usual port are decoded even if the capture"
                            + " lacks their beginning.")
    private @Nullable Game game;

    @Option(
            names = "--port",
            paramLabel = "GAME=PORT",
            split = ",",
            description =
                    "Traffic on this port belongs to that game, even if the capture lacks its"
                            + " beginning. Can be repeated.")
    private List<Games.Port> ports = List.of();

    @Option(
            names = "--version",
            paramLabel = "VERSION",
            description =
                    "With --game: the version of the game, for sessions whose beginning the capture"
                            + " lacks.",
            defaultValue = "")
    private String version = "";

    @Option(
            names = "--key-log",
            paramLabel = "FILE",
            description = "The keys of encrypted sessions, as JSON lines from serve --key-log.")
    private @Nullable Path keyLog;

    /**
     * A factory of inspectors, each with its own dissectors, as these keep the state of one
     * capture.
     *
     * @param explain whether its lines have traces
     * @throws CommandFailedException if the keys cannot be read
     */
    Function<Consumer<DissectedMessage>, Inspector> inspector(List<Game> games, boolean explain)
            throws CommandFailedException {
        Map<String, Dissector> dissectors = new HashMap<>();
        List<Dissector> selected = new ArrayList<>();
        for (Game each : selected(games)) {
            Dissector dissector = dissector(each, explain);
            dissectors.put(each.name(), dissector);
            selected.add(dissector);
        }
        Map<Integer, Dissector> known = new HashMap<>();
        if (game != null) {
            known.put(game.port(), selected.getFirst());
        }
        for (Games.Port each : ports) {
            Dissector dissector = dissectors.get(each.game().name());
            if (dissector == null) {
                throw misused("--port " + each.game().name() + ": --game selects another game");
            }
            Dissector before = known.put(each.port(), dissector);
            if (before != null && !before.equals(dissector)) {
                throw misused("--port: two games have port " + each.port());
            }
        }
        return lines -> Inspector.of(selected, known, lines);
    }

    private List<Game> selected(List<Game> games) {
        if (game != null) {
            return List.of(TargetOptions.inVersion(spec, game, version));
        }
        if (!version.isEmpty()) {
            throw misused("--version needs --game: each game has its own versions");
        }
        return games;
    }

    private Dissector dissector(Game of, boolean explain) throws CommandFailedException {
        try {
            return of.dissector(explain, Optional.ofNullable(keyLog));
        } catch (IOException e) {
            throw keyLog == null
                    ? new CommandFailedException(ExceptionMessage.of(e), e)
                    : unreadable(keyLog, e);
        }
    }

    private CommandLine.ParameterException misused(String problem) {
        return new CommandLine.ParameterException(spec.commandLine(), problem);
    }

    /** A failure to read a file: messages of the system's exceptions are only the file's name. */
    static CommandFailedException unreadable(Path path, IOException e) {
        String why =
                switch (e) {
                    case NoSuchFileException _ -> "there is no such file";
                    case AccessDeniedException _ -> "access is denied";
                    default -> ExceptionMessage.of(e);
                };
        return new CommandFailedException("cannot read " + path + ": " + why, e);
    }
}

package dev.wishdir.app;

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

/** By whom a capture is explained. */
final class DissectorOptions {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = "--game",
            paramLabel = "GAME",
            description =
                    "Use only this game. Sessions on its usual port are explained even if the"
                            + " capture lacks their beginning.")
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
     * What makes an inspector with dissectors of its own: what they remember is of one capture.
     *
     * @param explain whether its lines have traces
     * @throws CommandFailedException if the keys can't be read
     */
    Function<Consumer<DissectedMessage>, Inspector> inspector(List<Game> games, boolean explain)
            throws CommandFailedException {
        Map<String, Dissector> dissectors = new HashMap<>();
        List<Dissector> asked = new ArrayList<>();
        for (Game each : asked(games)) {
            Dissector dissector = dissector(each, explain);
            dissectors.put(each.name(), dissector);
            asked.add(dissector);
        }
        Map<Integer, Dissector> known = new HashMap<>();
        if (game != null) {
            known.put(game.port(), asked.getFirst());
        }
        for (Games.Port each : ports) {
            Dissector dissector = dissectors.get(each.game().name());
            if (dissector == null) {
                throw misused("--port " + each.game().name() + ": another game is asked alone");
            }
            Dissector before = known.put(each.port(), dissector);
            if (before != null && !before.equals(dissector)) {
                throw misused("--port: two games are on " + each.port());
            }
        }
        return lines -> Inspector.of(asked, known, lines);
    }

    private List<Game> asked(List<Game> games) {
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

    /** The system's own exceptions say no more than the name of the file. */
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

package dev.wishdir.app.analysis;

import dev.wishdir.app.arena.RecordedArena;
import dev.wishdir.app.command.CommandFailedException;
import dev.wishdir.app.command.GeneratedFile;
import dev.wishdir.game.Game;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;

/** {@code report}: shows recordings as one HTML file. */
@Command(
        name = "report",
        sortOptions = false,
        description =
                "Write one HTML file about recordings, which needs no network: rounds, scores and"
                        + " weapons of a match, heat map and tracks over the arena, speeds, jumps,"
                        + " players near each other, pings, violations.")
public final class ReportCommand implements Callable<Integer> {
    private static final String HTML_START = "<!doctype html>";

    private final List<Game> games;

    @Spec private CommandSpec spec;

    @Mixin private RecordingInput input = new RecordingInput();

    @Option(
            names = "--html",
            paramLabel = "FILE",
            required = true,
            description = "The page to write; an HTML file is replaced, no other file.")
    private Path html = Path.of("");

    /**
     * @param games name their weapons
     */
    public ReportCommand(List<Game> games) {
        this.games = games;
    }

    @Override
    public Integer call() throws CommandFailedException {
        try {
            GeneratedFile.check(html, HTML_START);
        } catch (IOException e) {
            throw new CommandFailedException(String.valueOf(e.getMessage()), e);
        }
        ReportData data = new ReportData(games);
        PrintWriter err = spec.commandLine().getErr();
        input.read(
                err,
                (name, recording, events) -> {
                    RecordedArena played = RecordedArena.of(recording);
                    if (played.arena().isEmpty()) {
                        err.println(name + ": the page has no picture: " + played.problem());
                    }
                    data.read(name, recording, events, played.arena());
                });
        try {
            GeneratedFile.write(html, data.html());
        } catch (IOException e) {
            throw new CommandFailedException("cannot write " + html + ": " + e.getMessage(), e);
        }
        spec.commandLine().getOut().println(html);
        spec.commandLine().getOut().flush();
        return CommandLine.ExitCode.OK;
    }
}

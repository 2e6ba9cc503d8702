package dev.wishdir.app.analysis;

import dev.wishdir.app.command.CommandFailedException;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;

/** {@code report}: shows recordings as one HTML file. */
@Command(
        name = "report",
        sortOptions = false,
        description =
                "Write one HTML file about recordings, which needs no network: heat map and tracks"
                    + " over the arena, speeds, jumps, players near each other, pings, violations.")
public final class ReportCommand implements Callable<Integer> {
    @Spec private CommandSpec spec;

    @Mixin private RecordingInput input = new RecordingInput();

    @Option(
            names = "--html",
            paramLabel = "FILE",
            required = true,
            description = "The file to write; replaced if it exists.")
    private Path html = Path.of("");

    @Override
    public Integer call() throws CommandFailedException {
        ReportData data = new ReportData();
        input.read(spec.commandLine().getErr(), data::read);
        try {
            Files.writeString(html, data.html());
        } catch (IOException e) {
            throw new CommandFailedException("cannot write " + html + ": " + e.getMessage(), e);
        }
        spec.commandLine().getOut().println(html);
        spec.commandLine().getOut().flush();
        return CommandLine.ExitCode.OK;
    }
}

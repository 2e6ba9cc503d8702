package dev.wishdir.app.inspect;

import dev.wishdir.app.command.CommandFailedException;
import dev.wishdir.app.command.DistinctFiles;
import dev.wishdir.app.command.Games;
import dev.wishdir.app.command.SeekableFile;
import dev.wishdir.app.command.ShutdownSignal;
import dev.wishdir.app.command.Web;
import dev.wishdir.app.terminal.Progress;
import dev.wishdir.app.terminal.Terminal;
import dev.wishdir.game.Game;
import dev.wishdir.inspect.Inspector;
import dev.wishdir.inspect.capture.CaptureReader;
import dev.wishdir.web.WebServer;
import dev.wishdir.web.explore.CaptureIndex;
import dev.wishdir.web.explore.Explorer;
import dev.wishdir.wire.ExceptionMessage;
import dev.wishdir.wire.Quantity;
import dev.wishdir.wire.dissect.DissectedMessage;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;

/** {@code explore}: shows captures in a browser. */
@Command(
        name = "explore",
        sortOptions = false,
        description =
                "Browse captures (pcap, pcapng) or demo files: messages with fields and bytes,"
                        + " connections, and movements on a map.")
public final class ExploreCommand implements Callable<Integer> {
    private final List<Game> games;
    private final ShutdownSignal shutdown;
    private final Terminal terminal;

    @Spec private CommandSpec spec;

    @Parameters(
            paramLabel = "FILE",
            arity = "1..16",
            description = "Captures or recordings, at most 16.")
    private List<Path> files = List.of();

    @Option(
            names = "--web",
            paramLabel = "ADDR",
            description =
                    "Address of the page: PORT (on 127.0.0.1), ADDR or ADDR:PORT (default"
                            + " ${DEFAULT-VALUE}).",
            defaultValue = "127.0.0.1:8261")
    private String web = "";

    @Mixin private DissectorOptions dissectors = new DissectorOptions();

    public ExploreCommand(List<Game> games, ShutdownSignal shutdown, Terminal terminal) {
        this.games = games;
        this.shutdown = shutdown;
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws CommandFailedException {
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        shutdown.listen();
        try (CaptureIndex index = open();
                WebServer server = Web.start(web, List.of(), List.of(new Explorer(index)))) {
            if (server == null) {
                throw new CommandLine.ParameterException(
                        spec.commandLine(), "--web must be an address: explore needs its page");
            }
            err.println("Reading; the page shows the progress: " + server.url() + "explore/");
            err.flush();
            read(index);
            index.problems().forEach(err::println);
            if (index.omittedLines() > 0) {
                err.println("too many lines: omitted " + Quantity.of(index.omittedLines(), "line"));
            }
            err.flush();
            out.println(Quantity.of(index.lines(), "line") + ": " + server.url() + "explore/");
            out.println("Press Ctrl-C to stop.");
            out.flush();
            while (!shutdown.await(1, TimeUnit.HOURS)) {
                // Until the signal.
            }
        }
        return CommandLine.ExitCode.OK;
    }

    private CaptureIndex open() throws CommandFailedException {
        try {
            return CaptureIndex.open(Games.movements(games));
        } catch (IOException e) {
            throw new CommandFailedException(
                    "cannot create a temporary file for the decoded messages: " + e.getMessage(),
                    e);
        }
    }

    private void read(CaptureIndex index) throws CommandFailedException {
        int broken = 0;
        try (Progress progress = Progress.on(spec.commandLine().getErr(), terminal)) {
            List<Path> distinct = DistinctFiles.inputs(files, spec.commandLine().getErr());
            for (Path file : CaptureReader.inOrder(distinct)) {
                String name = file.toString();
                Function<Consumer<DissectedMessage>, Inspector> inspectors =
                        dissectors.inspector(games, true);
                try {
                    index.read(
                            SeekableFile.of(file),
                            inspectors,
                            (done, size) -> {
                                progress.update(name, done, size);
                                return !shutdown.isRequested();
                            });
                } catch (IOException e) {
                    CommandFailedException failure = DissectorOptions.unreadable(file, e);
                    if (++broken == distinct.size()) {
                        throw failure;
                    }
                    index.addProblem(ExceptionMessage.of(failure) + "; the file is omitted");
                }
            }
            index.finish();
        } catch (IOException e) {
            throw new CommandFailedException(
                    "cannot store the decoded messages: " + ExceptionMessage.of(e), e);
        }
    }
}

package dev.wishdir.app;

import dev.wishdir.game.Game;
import dev.wishdir.inspect.Inspector;
import dev.wishdir.web.CaptureIndex;
import dev.wishdir.web.Explorer;
import dev.wishdir.web.WebServer;
import dev.wishdir.wire.Dissector;
import dev.wishdir.wire.Line;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;

/** {@code explore}: captures in a browser. */
@Command(
        name = "explore",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Show captures (pcap, pcapng) or games' own recordings in a browser: messages, their",
            "fields and bytes, what each connection carried, and where the players went."
        })
final class ExploreCommand implements Callable<Integer> {
    private final List<Game> games;
    private final Interrupt interrupt;

    @Spec private CommandSpec spec;

    @Parameters(
            paramLabel = "FILE",
            arity = "1..16",
            description = "Captures or recordings, at most 16.")
    private List<Path> files = List.of();

    @Option(
            names = "--web",
            paramLabel = "ADDR",
            description = "Where the page is (default ${DEFAULT-VALUE}).",
            defaultValue = "127.0.0.1:8261")
    private String web = "";

    @Option(
            names = "--game",
            paramLabel = "GAME",
            description =
                    "Ask this game alone; it then also explains what is on its usual port without"
                            + " having seen it begin.")
    private @Nullable Game game;

    @Option(
            names = "--keys",
            paramLabel = "FILE",
            description = "The keys of encrypted sessions, JSON lines.")
    private @Nullable Path keys;

    ExploreCommand(List<Game> games, Interrupt interrupt) {
        this.games = games;
        this.interrupt = interrupt;
    }

    @Override
    public Integer call() throws Failure {
        PrintWriter out = spec.commandLine().getOut();
        CaptureIndex index = read();
        try (WebServer server = Web.start(web, List.of(), List.of(new Explorer(index)))) {
            if (server == null) {
                throw new CommandLine.ParameterException(
                        spec.commandLine(), "--web must be an address: the page is all there is");
            }
            index.problems().forEach(spec.commandLine().getErr()::println);
            if (index.leftOut() > 0) {
                spec.commandLine()
                        .getErr()
                        .println(index.leftOut() + " lines were too many and are left out");
            }
            spec.commandLine().getErr().flush();
            interrupt.listen();
            out.println(index.lines() + " lines: " + server.url() + "explore/");
            out.println("Ctrl-C ends it.");
            out.flush();
            while (!interrupt.await(1, TimeUnit.HOURS)) {
                // Until the signal.
            }
        } finally {
            index.close();
        }
        return CommandLine.ExitCode.OK;
    }

    private CaptureIndex read() throws Failure {
        Path current = files.getFirst();
        try {
            CaptureIndex index = CaptureIndex.open();
            try {
                for (Path file : files) {
                    current = file;
                    index.read(file, inspectors());
                }
                index.finish();
            } catch (IOException | Failure | RuntimeException e) {
                index.close();
                throw e;
            }
            return index;
        } catch (IOException e) {
            throw InspectCommand.unreadable(current, e);
        }
    }

    /** Each file has dissectors of its own: what they remember is of one capture. */
    private Function<Consumer<Line>, Inspector> inspectors() throws Failure {
        List<Dissector> dissectors = new ArrayList<>();
        for (Game each : game == null ? games : List.of(game)) {
            try {
                dissectors.add(each.dissector(true, Optional.ofNullable(keys)));
            } catch (IOException e) {
                throw keys == null
                        ? new Failure(String.valueOf(e.getMessage()), e)
                        : InspectCommand.unreadable(keys, e);
            }
        }
        Game alone = game;
        return alone == null
                ? lines -> Inspector.of(dissectors, lines)
                : lines -> Inspector.of(dissectors.getFirst(), alone.port(), lines);
    }
}

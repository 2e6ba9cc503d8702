package dev.wishdir.app;

import dev.wishdir.game.Game;
import dev.wishdir.inspect.CaptureException;
import dev.wishdir.inspect.CaptureReader;
import dev.wishdir.inspect.Inspector;
import dev.wishdir.inspect.JsonLines;
import dev.wishdir.inspect.Listing;
import dev.wishdir.wire.Dissector;
import dev.wishdir.wire.Line;
import dev.wishdir.wire.MalformedPacketException;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Consumer;

/** {@code inspect}: what a capture or a recording holds, message by message. */
@Command(
        name = "inspect",
        sortOptions = false,
        description = {
            "Explain a capture (pcap, pcapng) or a game's own recording, packet by packet.",
            "Each UDP flow is explained by the game that recognises it."
        })
final class InspectCommand implements Callable<Integer> {
    /** Packets between two looks whether anybody still reads the output. */
    private static final int LOOK_UP = 256;

    private final List<Game> games;

    @Spec private CommandSpec spec;

    @Parameters(paramLabel = "FILE", description = "The capture or recording.")
    private Path file;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help message and exit.")
    boolean help;

    @Option(
            names = "--game",
            paramLabel = "GAME",
            description =
                    "Ask this game alone; it then also explains what is on its usual port without"
                            + " having seen it begin.")
    private @Nullable Game game;

    @Option(
            names = "--version",
            paramLabel = "VERSION",
            description =
                    "With --game: the game's version, for sessions whose beginning the capture"
                            + " lacks.",
            defaultValue = "")
    private String version = "";

    @Option(
            names = "--message",
            paramLabel = "NAME",
            split = ",",
            description = "Print these alone: messages and transport commands by their names.")
    private Set<String> names = Set.of();

    @Option(
            names = "--explain",
            description = "Show every field with its place, its bytes and its meaning.")
    private boolean explain;

    @Option(names = "--json", description = "Print one JSON object a line.")
    private boolean json;

    @Option(
            names = "--keys",
            paramLabel = "FILE",
            description = "The keys of encrypted sessions, JSON lines.")
    private @Nullable Path keys;

    private long printed;

    InspectCommand(List<Game> games) {
        this.games = games;
    }

    @Override
    public Integer call() throws Failure {
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        Consumer<Line> print = json ? new JsonLines(out) : new Listing(out);
        Inspector inspector =
                inspector(line -> {
                    if (names.isEmpty() || names.contains(line.name())) {
                        printed++;
                        print.accept(line);
                    }
                });
        try {
            if (CaptureReader.recognises(file)) {
                capture(inspector, out, err);
            } else if (!inspector.recording(file)) {
                throw new Failure(
                        file + " is neither a capture (pcap, pcapng) nor a recording of a game");
            }
            if (printed == 0) {
                err.println(
                        names.isEmpty()
                                ? file + " holds nothing of a game that is known"
                                : file + " holds none of " + String.join(", ", names));
            }
        } catch (CaptureException | MalformedPacketException e) {
            throw new Failure(file + ": " + e.getMessage(), e);
        } catch (IOException e) {
            throw unreadable(file, e);
        } catch (RuntimeException | StackOverflowError | OutOfMemoryError e) {
            throw new Failure(
                    file + ": this program's own defect, please report it with the file: " + e, e);
        } finally {
            out.flush();
        }
        return CommandLine.ExitCode.OK;
    }

    private void capture(Inspector inspector, PrintWriter out, PrintWriter err) throws IOException {
        try (CaptureReader capture = CaptureReader.open(file)) {
            try {
                for (var next = capture.next(); next.isPresent(); next = capture.next()) {
                    inspector.datagram(next.get());
                    if (capture.frames() % LOOK_UP == 0 && out.checkError()) {
                        return;
                    }
                }
            } finally {
                out.flush();
                leftOut(inspector, capture).ifPresent(err::println);
            }
        }
    }

    /** What of a capture is not in the output, in one line. */
    private static Optional<String> leftOut(Inspector inspector, CaptureReader capture) {
        List<String> parts = new ArrayList<>();
        if (inspector.unclaimed() > 0) {
            parts.add(inspector.unclaimed() + " datagrams of no known game");
        }
        capture.skipped().forEach((why, count) -> parts.add(count + " packets " + why.label()));
        return parts.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        "of "
                                + capture.frames()
                                + " packets left out: "
                                + String.join(", ", parts));
    }

    private Inspector inspector(Consumer<Line> lines) throws Failure {
        if (game != null) {
            Game versioned = Target.inVersion(spec, game, version);
            return Inspector.of(dissector(versioned), game.port(), lines);
        }
        if (!version.isEmpty()) {
            throw new CommandLine.ParameterException(
                    spec.commandLine(), "--version needs --game: each game has its own versions");
        }
        List<Dissector> dissectors = new ArrayList<>();
        for (Game each : games) {
            dissectors.add(dissector(each));
        }
        return Inspector.of(dissectors, lines);
    }

    private Dissector dissector(Game of) throws Failure {
        try {
            return of.dissector(explain, Optional.ofNullable(keys));
        } catch (IOException e) {
            throw keys == null
                    ? new Failure(String.valueOf(e.getMessage()), e)
                    : unreadable(keys, e);
        }
    }

    /** The system's own exceptions say no more than the name of the file. */
    static Failure unreadable(Path path, IOException e) {
        String why =
                switch (e) {
                    case NoSuchFileException _ -> "there is no such file";
                    case AccessDeniedException _ -> "access is denied";
                    default -> String.valueOf(e.getMessage());
                };
        return new Failure("cannot read " + path + ": " + why, e);
    }
}

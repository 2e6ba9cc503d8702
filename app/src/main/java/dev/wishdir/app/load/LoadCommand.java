package dev.wishdir.app.load;

import com.google.gson.FieldNamingPolicy;
import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;

import dev.wishdir.app.bot.BotFight;
import dev.wishdir.app.command.CommandFailedException;
import dev.wishdir.app.command.FaultOptions;
import dev.wishdir.app.command.GeneratedFile;
import dev.wishdir.app.command.HostPort;
import dev.wishdir.app.command.ShutdownSignal;
import dev.wishdir.app.command.TargetOptions;
import dev.wishdir.app.terminal.Progress;
import dev.wishdir.app.terminal.Terminal;
import dev.wishdir.game.Game;
import dev.wishdir.wire.ExceptionMessage;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;

/** {@code load}: measures the movement relay of any server of a game. */
@Command(
        name = "load",
        sortOptions = false,
        description = "Measure how a server relays movement: latency, loss and rates.",
        footer = {
            "",
            "Exit status: 0 if all clients stayed connected and saw each other move; 1 if some did"
                    + " not (reasons follow the figures of the others); 2 for wrong usage."
        })
public final class LoadCommand implements Callable<Integer> {
    private static final Gson GSON =
            new GsonBuilder()
                    .setFieldNamingPolicy(FieldNamingPolicy.LOWER_CASE_WITH_UNDERSCORES)
                    .disableHtmlEscaping()
                    .create();

    private final ShutdownSignal shutdown;
    private final Terminal terminal;

    private static final String HTML_START = "<!doctype html>";

    @Spec private CommandSpec spec;

    @Mixin private final TargetOptions target;

    @Option(
            names = "--clients",
            paramLabel = "N",
            description = "Number of clients (default ${DEFAULT-VALUE}).",
            defaultValue = "16")
    private int clients;

    @Option(
            names = "--fighters",
            paramLabel = "N",
            description =
                    "Number of clients besides these that hunt and shoot, where the server has a"
                            + " match; the figures are those of --clients (default"
                            + " ${DEFAULT-VALUE}).",
            defaultValue = "0")
    private int fighters;

    @Option(
            names = "--skill",
            paramLabel = "N",
            description =
                    "How well the fighters aim, and how fast they react, 0 to 5 (default"
                            + " ${DEFAULT-VALUE}).",
            defaultValue = "2")
    private int skill;

    @Option(
            names = "--seconds",
            paramLabel = "S",
            description =
                    "Duration of the measurement after all clients have joined, in seconds (default"
                            + " ${DEFAULT-VALUE}).",
            defaultValue = "10")
    private int seconds;

    @Option(
            names = "--warm-up",
            paramLabel = "S",
            description =
                    "Duration of walking before the measurement, in seconds, so that the server has"
                            + " compiled its code (default ${DEFAULT-VALUE}).",
            defaultValue = "2")
    private int warmUp;

    @Option(
            names = "--compare",
            paramLabel = "HOST[:PORT]",
            description =
                    "A second server of the same game. Both are measured in turns, A B A B, each"
                        + " for --seconds with clients that join for the turn, and the ratios of"
                        + " their figures are printed.")
    private @Nullable HostPort other;

    @Option(
            names = "--turns",
            paramLabel = "N",
            description =
                    "Number of turns of each server with --compare (default ${DEFAULT-VALUE}).",
            defaultValue = "3")
    private int turns;

    @Option(
            names = "--html",
            paramLabel = "FILE",
            description =
                    "Write a self-contained report with plots to this file: latency over time, its"
                            + " distribution, each client, and CPU time (of the server too if its"
                            + " process runs on this machine).")
    private @Nullable Path html;

    @Mixin private final FaultOptions faults = new FaultOptions();

    @Option(names = "--json", description = "Print the result as one JSON object.")
    private boolean json;

    private LoadCommand(ShutdownSignal shutdown, Terminal terminal, TargetOptions target) {
        this.shutdown = shutdown;
        this.terminal = terminal;
        this.target = target;
    }

    /** The command, with the options that clients of these games have. */
    public static CommandLine commandLine(
            List<Game> games, ShutdownSignal shutdown, Terminal terminal) {
        TargetOptions target = new TargetOptions(games);
        CommandLine line = new CommandLine(new LoadCommand(shutdown, terminal, target));
        target.addTo(line);
        return line;
    }

    @Override
    public Integer call() throws CommandFailedException {
        if (clients < 2 || clients > 4000 || seconds < 1 || warmUp < 0 || turns < 1) {
            throw new CommandLine.ParameterException(
                    spec.commandLine(),
                    "--clients must be from 2 to 4000, --seconds and --turns at least 1 and"
                            + " --warm-up at least 0");
        }
        if (fighters < 0 || fighters > 4000 || skill < 0 || skill > BotFight.MAX_SKILL) {
            throw new CommandLine.ParameterException(
                    spec.commandLine(),
                    "--fighters must be from 0 to 4000 and --skill from 0 to "
                            + BotFight.MAX_SKILL
                            + ", are "
                            + fighters
                            + " and "
                            + skill);
        }
        InetSocketAddress server = target.resolve();
        HostPort with = other;
        Optional<InetSocketAddress> second =
                with == null ? Optional.empty() : Optional.of(target.resolve(with));
        checkWritable();
        shutdown.listen();
        List<String> failures =
                second.isPresent() ? compare(server, second.get()) : measure(server);
        if (!failures.isEmpty()) {
            throw new CommandFailedException(String.join("; ", failures));
        }
        return CommandLine.ExitCode.OK;
    }

    /** Fails before the measurement if the report cannot be written. */
    private void checkWritable() throws CommandFailedException {
        if (html != null) {
            write("", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        }
    }

    private List<String> measure(InetSocketAddress server) throws CommandFailedException {
        LoadRound.Measured measured = turn(server, "");
        LoadSide side = new LoadSide(List.of(measured));
        print(json(measured), LoadText.of(measured, columns()));
        report(LoadPage.of(side));
        return measured.failures();
    }

    private List<String> compare(InetSocketAddress a, InetSocketAddress b)
            throws CommandFailedException {
        List<LoadRound.Measured> first = new ArrayList<>();
        List<LoadRound.Measured> second = new ArrayList<>();
        List<String> failures = new ArrayList<>();
        try {
            for (int turn = 1; turn <= turns && !shutdown.isRequested(); turn++) {
                String round = " " + turn + " of " + turns;
                LoadRound.Measured ofA = turn(a, "A" + round);
                if (shutdown.isRequested()) {
                    break;
                }
                LoadRound.Measured ofB = turn(b, "B" + round);
                first.add(ofA);
                second.add(ofB);
                ofA.failures().forEach(it -> failures.add("A" + round + ": " + it));
                ofB.failures().forEach(it -> failures.add("B" + round + ": " + it));
            }
        } catch (CommandFailedException e) {
            failures.add(e.getMessage());
        }
        if (!first.isEmpty()) {
            LoadComparison comparison =
                    new LoadComparison(new LoadSide(first), new LoadSide(second));
            print(json(comparison), LoadText.of(comparison, columns()));
            report(LoadPage.of(comparison));
        }
        return failures;
    }

    private LoadRound.Measured turn(InetSocketAddress server, String label)
            throws CommandFailedException {
        Progress progress = Progress.on(spec.commandLine().getErr(), terminal);
        LoadRound.Plan plan =
                new LoadRound.Plan(clients, fighters, skill, warmUp, seconds, faults.links());
        try {
            return new LoadRound(target, server, plan, shutdown, progress, label).run();
        } catch (CommandFailedException e) {
            throw label.isEmpty()
                    ? e
                    : new CommandFailedException(label + ": " + e.getMessage(), e);
        }
    }

    private int columns() {
        return terminal.size().columns();
    }

    private void print(JsonObject object, List<String> text) {
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(GSON.toJson(object));
        } else {
            text.forEach(out::println);
        }
        out.flush();
    }

    private static JsonObject json(LoadRound.Measured measured) {
        JsonObject line = GSON.toJsonTree(measured.result()).getAsJsonObject();
        measured.serverCpu().ifPresent(percent -> line.addProperty("server_cpu", percent));
        measured.ownCpu().ifPresent(percent -> line.addProperty("generator_cpu", percent));
        return line;
    }

    private static JsonObject json(LoadComparison comparison) {
        JsonArray turns = new JsonArray();
        for (int i = 0; i < comparison.first().turns().size(); i++) {
            turns.add(json(comparison.first().turns().get(i)));
            turns.add(json(comparison.second().turns().get(i)));
        }
        JsonObject ratios = new JsonObject();
        for (LoadComparison.Row row : comparison.rows()) {
            String name = row.figure().name().toLowerCase(Locale.ROOT);
            row.ratio().ifPresent(ratio -> ratios.addProperty(name, ratio));
        }
        JsonObject line = new JsonObject();
        line.add("turns", turns);
        line.add("ratios", ratios);
        return line;
    }

    private void report(LoadPage page) throws CommandFailedException {
        if (html != null) {
            write(
                    page.html(),
                    StandardOpenOption.CREATE,
                    StandardOpenOption.TRUNCATE_EXISTING,
                    StandardOpenOption.WRITE);
        }
    }

    private void write(String text, OpenOption... how) throws CommandFailedException {
        Path file = html;
        try {
            if (file != null) {
                GeneratedFile.check(file, HTML_START);
                Files.writeString(file, text, how);
            }
        } catch (IOException e) {
            throw new CommandFailedException(
                    "cannot write the report to " + file + ": " + ExceptionMessage.of(e), e);
        }
    }
}

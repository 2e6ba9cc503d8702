package dev.wishdir.app.doctor;

import com.google.gson.GsonBuilder;

import dev.wishdir.app.cluster.ClusterOptions;
import dev.wishdir.app.cluster.ClusterSettings;
import dev.wishdir.app.doctor.Doctor.Finding;
import dev.wishdir.app.doctor.Doctor.State;
import dev.wishdir.app.machine.Machine;
import dev.wishdir.app.serve.ServePlan;
import dev.wishdir.app.serve.ServePlan.ServedGame;
import dev.wishdir.game.Game;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

/** {@code doctor}: checks this machine for problems that would keep players from joining. */
@Command(
        name = "doctor",
        sortOptions = false,
        description = {
            "Check this machine for common problems, and print how to join.",
            "Exit status 0 if a server can run, 1 if something that it needs does not work."
        })
public final class DoctorCommand implements Callable<Integer> {
    private static final String CONFIG = "--config";
    private static final String WEB = "--web";

    private final List<Game> games;
    private final Machine machine;

    @Spec private CommandSpec spec;

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    @Option(
            names = "--data",
            paramLabel = "GAME=DIR",
            description = "A folder with maps of a game, as serve's --GAME-data. Can be repeated.")
    private Map<String, String> data = new LinkedHashMap<>();

    @Option(
            names = "--arena",
            paramLabel = "FILE",
            description = "An arena file to check. Can be repeated.")
    private List<Path> arenas = new ArrayList<>();

    @Option(
            names = "--public",
            description =
                    "Also check whether master servers can list a server on this machine, as far as"
                            + " that can be known here.")
    private boolean listed;

    @Mixin private ClusterOptions cluster = new ClusterOptions();

    private DoctorCommand(List<Game> games, Machine machine) {
        this.games = games;
        this.machine = machine;
    }

    /** The command with the options of {@code serve} for a file of settings and for ports. */
    public static CommandLine commandLine(List<Game> games, Machine machine) {
        CommandLine line = new CommandLine(new DoctorCommand(games, machine));
        addOption(line, CONFIG, "FILE", "Check the settings, ports and folders of this file");
        games.forEach(it -> addOption(line, "--" + it.name(), "ADDR|off", "Check this port"));
        addOption(line, WEB, "ADDR|off", "Also check the port of the live map");
        return line;
    }

    private static void addOption(CommandLine line, String name, String label, String help) {
        line.getCommandSpec()
                .addOption(
                        OptionSpec.builder(name)
                                .paramLabel(label)
                                .type(String.class)
                                .description(help + ", as serve's " + name + ".")
                                .build());
    }

    /** The sockets that serve would open with the options that both have. */
    private ServePlan plan() {
        return ServePlan.of(
                games,
                Stream.concat(Stream.of(CONFIG, WEB), games.stream().map(it -> "--" + it.name()))
                        .map(spec::findOption)
                        .filter(spec.commandLine().getParseResult()::hasMatchedOption)
                        .map(option -> option.longestName() + "=" + option.getValue())
                        .toArray(String[]::new));
    }

    @Override
    public Integer call() {
        ServePlan plan = plan();
        Doctor doctor =
                new Doctor(machine, plan.games().stream().map(this::withData).toList(), plan.web());
        List<Finding> findings = new ArrayList<>();
        plan.problems().forEach(it -> findings.add(new Finding("settings", State.BAD, it)));
        findings.addAll(doctor.checkAll());
        arenas.forEach(file -> findings.add(doctor.arena(file)));
        if (listed) {
            findings.add(doctor.publicAddress());
        }
        Optional<ClusterSettings> settings = cluster.settings().or(plan::cluster);
        if (settings.isPresent()) {
            findings.addAll(Doctor.cluster(settings.get()));
        }
        boolean bad = findings.stream().anyMatch(each -> each.state() == State.BAD);
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            Map<String, Object> all = new LinkedHashMap<>();
            all.put("well", !bad);
            doctor.server().ifPresent(server -> all.put("server", server.pid()));
            all.put("found", findings.stream().map(DoctorCommand::object).toList());
            all.put("join", doctor.joinInstructions().stream().map(Finding::text).toList());
            out.println(new GsonBuilder().setPrettyPrinting().create().toJson(all));
        } else {
            findings.forEach(each ->
                    out.printf(
                            Locale.ROOT,
                            "%-7s  %-8s  %s%n",
                            each.state(),
                            each.check(),
                            each.text()));
            out.println();
            out.println(
                    bad
                            ? "A server cannot run until the problems above are solved."
                            : doctor.server()
                                    .map(server ->
                                            "A server of Wishdir runs already, "
                                                    + server
                                                    + "; another needs other ports. To join it:")
                                    .orElse("A server can run. To join it:"));
            if (!bad) {
                doctor.joinInstructions().forEach(each -> out.println("  " + each.text()));
            }
        }
        out.flush();
        return bad ? CommandLine.ExitCode.SOFTWARE : CommandLine.ExitCode.OK;
    }

    private ServedGame withData(ServedGame served) {
        Map<String, String> options = new HashMap<>(served.options());
        Optional.ofNullable(data.get(served.game().name()))
                .ifPresent(folder -> options.put("data", folder));
        return new ServedGame(served.game(), served.address(), options);
    }

    private static Map<String, String> object(Finding finding) {
        Map<String, String> object = new LinkedHashMap<>();
        object.put("check", finding.check());
        object.put("state", finding.state().toString());
        object.put("text", finding.text());
        return object;
    }
}

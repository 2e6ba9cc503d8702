package dev.wishdir.app;

import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The layout of each command's help: a short synopsis if there are many options, the options of
 * {@code serve} in groups, and examples at the end.
 */
final class CommandUsage {
    /** The synopsis lists the options only if there are at most this many. */
    private static final int MAX_SYNOPSIS_OPTIONS = 8;

    private static final String GAMES = "Games";

    /** The options of {@code serve} by group, the most needed first. */
    private static final Map<String, List<String>> GROUPS = groups();

    /** By the words of the command. */
    private static final Map<String, List<String>> EXAMPLES =
            Map.ofEntries(
                    Map.entry(
                            "demo", List.of("wishdir demo", "wishdir demo --arena hills --public")),
                    Map.entry(
                            "serve",
                            List.of(
                                    "wishdir serve --web 8260",
                                    "wishdir serve --sauerbraten 28785 --quake3 27960",
                                    "wishdir serve --config server.conf --check")),
                    Map.entry(
                            "config",
                            List.of(
                                    "wishdir config > server.conf",
                                    "wishdir config --config server.conf")),
                    Map.entry(
                            "bot", List.of("wishdir bot quake3 localhost --count 4 --path random")),
                    Map.entry(
                            "load",
                            List.of(
                                    "wishdir load sauerbraten localhost --clients 8",
                                    "wishdir load quake3 localhost:27960 --compare"
                                            + " localhost:27961")),
                    Map.entry(
                            "inspect",
                            List.of(
                                    "wishdir inspect capture.pcap --explain",
                                    "wishdir inspect capture.pcap --message N_POS --player anna",
                                    "tcpdump -U -w - udp | wishdir inspect -")),
                    Map.entry(
                            "proxy",
                            List.of(
                                    "wishdir proxy quake3 --to localhost:27961 --print",
                                    "wishdir proxy sauerbraten --to localhost:28795 --message N_POS"
                                            + " --loss 5",
                                    "wishdir proxy quake2 --to localhost:27911 --pcap match.pcap"
                                            + " --up delay=40")),
                    Map.entry("extcap", List.of("wishdir extcap --install")),
                    Map.entry("explore", List.of("wishdir explore capture.pcap")),
                    Map.entry(
                            "replay",
                            List.of(
                                    "wishdir replay match.mcap --open",
                                    "wishdir replay match.mcap --from 1:30 --to 2:00 --clip"
                                            + " best.mcap")),
                    Map.entry(
                            "record",
                            List.of(
                                    "wishdir record quake2 localhost --out recordings/",
                                    "wishdir record --from match.pcap --out match.mcap")),
                    Map.entry(
                            "export",
                            List.of(
                                    "wishdir export match.mcap --csv tables",
                                    "wishdir export match.pcap --jsonl tables --player anna")),
                    Map.entry("report", List.of("wishdir report match.mcap --html match.html")),
                    Map.entry("judge", List.of("wishdir judge recordings/*.mcap")),
                    Map.entry("rcon", List.of("wishdir rcon localhost status")),
                    Map.entry(
                            "arena check",
                            List.of(
                                    "wishdir arena check hall",
                                    "wishdir arena check my-arena.txt")),
                    Map.entry("arena export", List.of("wishdir arena export hall --out hall")),
                    Map.entry(
                            "arena from-bsp",
                            List.of("wishdir arena from-bsp q2dm1.bsp --out q2dm1.txt")),
                    Map.entry(
                            "completion",
                            List.of(
                                    "source <(wishdir completion bash)",
                                    "wishdir completion fish >"
                                            + " ~/.config/fish/completions/wishdir.fish")));

    private CommandUsage() {}

    private static Map<String, List<String>> groups() {
        Map<String, List<String>> groups = new LinkedHashMap<>();
        groups.put("Start", List.of("--config", "--check", "--seconds"));
        groups.put("Arena", List.of("--arena", "--map", "--name"));
        groups.put(
                "Players",
                List.of(
                        "--max-players",
                        "--max-players-per-address",
                        "--trust",
                        "--password",
                        "--admin-password",
                        "--bans",
                        "--on-cheat",
                        "--max-visible-players",
                        "--max-loop-percent"));
        groups.put(
                "Match",
                List.of(
                        "--match",
                        "--time-limit",
                        "--score-limit",
                        "--warm-up",
                        "--intermission",
                        "--damage",
                        "--rewind"));
        groups.put(GAMES, List.of());
        groups.put("Web port", List.of("--web", "--web-allowed-host", "--download-url"));
        groups.put(
                "Log and events",
                List.of(
                        "--log",
                        "--log-file",
                        "--hide-addresses",
                        "--events",
                        "--event-kinds",
                        "--event-file-size",
                        "--event-file-age",
                        "--event-files",
                        "--key-log",
                        "--health-file"));
        return groups;
    }

    /** Sets the layout of a command and, recursively, of its subcommands. */
    static void addTo(CommandLine line) {
        CommandSpec spec = line.getCommandSpec();
        UsageMessageSpec usage = spec.usageMessage();
        if (spec.options().size() > MAX_SYNOPSIS_OPTIONS) {
            usage.abbreviateSynopsis(true);
        }
        if (spec.name().equals("serve")) {
            line.getHelpSectionMap()
                    .put(UsageMessageSpec.SECTION_KEY_OPTION_LIST, CommandUsage::grouped);
        }
        String words = spec.qualifiedName(" ").replaceFirst("^wishdir ?", "");
        List<String> examples = EXAMPLES.getOrDefault(words, List.of());
        if (!examples.isEmpty()) {
            List<String> footer = new ArrayList<>(List.of(usage.footer()));
            footer.add("");
            footer.add(examples.size() == 1 ? "Example:" : "Examples:");
            examples.forEach(example -> footer.add("  " + example));
            usage.footer(footer.toArray(String[]::new));
        }
        line.getSubcommands().values().forEach(CommandUsage::addTo);
    }

    private static String grouped(Help help) {
        Map<String, List<OptionSpec>> options = new LinkedHashMap<>();
        GROUPS.keySet().forEach(group -> options.put(group, new ArrayList<>()));
        List<OptionSpec> others = new ArrayList<>();
        for (OptionSpec option : help.commandSpec().options()) {
            options.getOrDefault(group(option), others).add(option);
        }
        options.put("Other", others);
        StringBuilder text = new StringBuilder();
        options.forEach((group, members) -> {
            Help.Layout layout = help.createDefaultLayout();
            layout.addOptions(members, help.parameterLabelRenderer());
            text.append(String.format(Locale.ROOT, "%n%s:%n", group)).append(layout);
        });
        return text.toString();
    }

    /** The group of an option. Options of games are those that no field of the command declares. */
    private static String group(OptionSpec option) {
        String name = option.longestName();
        for (Map.Entry<String, List<String>> group : GROUPS.entrySet()) {
            if (group.getValue().contains(name)) {
                return group.getKey();
            }
        }
        boolean declared = option.userObject() != null;
        return declared || option.usageHelp() || option.versionHelp() ? "" : GAMES;
    }
}

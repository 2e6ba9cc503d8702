package dev.wishdir.app;

import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.util.Locale;

/** {@code completion}: prints a script that completes commands and options in a shell. */
@Command(name = "completion", description = "Print a completion script for a shell.")
final class CompletionCommand implements Runnable {
    private enum ShellName {
        BASH,
        ZSH,
        FISH
    }

    @Spec private CommandSpec spec;

    @Parameters(paramLabel = "SHELL", description = "bash, zsh or fish.")
    private ShellName shell = ShellName.BASH;

    @Override
    public void run() {
        CommandLine main = spec.root().commandLine();
        String script =
                switch (shell) {
                    // The script for bash loads bashcompinit in zsh.
                    case BASH, ZSH -> AutoComplete.bash("wishdir", main);
                    case FISH -> fish(main);
                };
        spec.commandLine().getOut().print(script);
        spec.commandLine().getOut().flush();
    }

    private static String fish(CommandLine main) {
        StringBuilder script = new StringBuilder("complete -c wishdir -f\n");
        addCompletions(script, main, "__fish_use_subcommand", "");
        return script.toString();
    }

    /**
     * Adds the lines of a command and its subcommands.
     *
     * @param when fish's condition that this command was typed
     * @param path the words of the command
     */
    private static void addCompletions(
            StringBuilder script, CommandLine line, String when, String path) {
        line.getSubcommands()
                .forEach((name, sub) -> {
                    script.append(
                            String.format(
                                    Locale.ROOT,
                                    "complete -c wishdir -n %s -a %s -d %s%n",
                                    quoted(when),
                                    name,
                                    quoted(
                                            firstSentence(
                                                    sub.getCommandSpec()
                                                            .usageMessage()
                                                            .description()))));
                    String words = (path + " " + name).strip();
                    String seen =
                            "__fish_seen_subcommand_from "
                                    + name
                                    + (path.isEmpty()
                                            ? ""
                                            : "; and __fish_seen_subcommand_from " + path);
                    String before =
                            sub.getSubcommands().isEmpty()
                                    ? seen
                                    : seen
                                            + "; and not __fish_seen_subcommand_from "
                                            + String.join(" ", sub.getSubcommands().keySet());
                    addCompletions(script, sub, before, words);
                });
        for (OptionSpec option : line.getCommandSpec().options()) {
            if (option.hidden()) {
                continue;
            }
            script.append("complete -c wishdir -n ").append(quoted(when));
            for (String name : option.names()) {
                script.append(name.startsWith("--") ? " -l " : " -s ")
                        .append(name.replaceFirst("^--?", ""));
            }
            if (option.arity().max() > 0) {
                script.append(option.paramLabel().contains("FILE") ? " -r -F" : " -x");
            }
            script.append(" -d ").append(quoted(firstSentence(option.description()))).append("\n");
        }
    }

    private static String firstSentence(String[] description) {
        return description.length == 0 ? "" : description[0].split("(?<=\\.) ")[0];
    }

    private static String quoted(String text) {
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
    }
}

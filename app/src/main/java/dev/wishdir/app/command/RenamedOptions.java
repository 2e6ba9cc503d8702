package dev.wishdir.app.command;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;

import java.util.List;
import java.util.Map;
import java.util.Stack;
import java.util.function.Consumer;

/**
 * The names that options had before 0.2. Until 0.3 commands accept them, and report the new name.
 */
public final class RenamedOptions implements IParameterPreprocessor {
    /** New names by old names, as keys of the configuration file: without the leading dashes. */
    public static final Map<String, String> NEW_NAMES =
            Map.of(
                    "shown", "max-visible-players",
                    "per-address", "max-players-per-address",
                    "loop-share", "max-loop-percent",
                    "keys", "key-log",
                    "alive", "health-file",
                    "web-host", "web-allowed-host",
                    "sauerbraten-relays", "sauerbraten-max-position-rate",
                    "quake2-frames", "quake2-max-frame-rate");

    /** Replaces old names of a command's options before picocli parses them. */
    @Override
    public boolean preprocess(
            Stack<String> arguments,
            CommandSpec command,
            @Nullable ArgSpec option,
            Map<String, Object> info) {
        arguments.replaceAll(argument -> {
            String[] parts = argument.split("=", 2);
            String renamed = renamed(parts[0]);
            if (command.findOption(renamed) == null) {
                return argument;
            }
            return parts.length == 1 ? renamed : renamed + "=" + parts[1];
        });
        return false;
    }

    private static String renamed(String option) {
        String renamed = option.startsWith("--") ? NEW_NAMES.get(option.substring(2)) : null;
        return renamed == null ? option : "--" + renamed;
    }

    /** A sentence for each old name in a command line. */
    public static List<String> notices(List<String> arguments) {
        return arguments.stream()
                .map(argument -> argument.split("=", 2)[0])
                .filter(option -> !renamed(option).equals(option))
                .map(option -> notice(option, renamed(option)))
                .distinct()
                .toList();
    }

    public static String notice(String before, String now) {
        return before + " is now " + now + "; the old name will be removed in 0.3";
    }

    /**
     * The value of an environment variable that also has an old name.
     *
     * @param notices receives a sentence if only the old one is set
     * @return empty if neither is set
     */
    public static String variable(
            Map<String, String> environment, String now, String before, Consumer<String> notices) {
        String value = environment.getOrDefault(now, "");
        if (value.isEmpty() && environment.containsKey(before)) {
            notices.accept(notice(before, now));
            return environment.get(before);
        }
        return value;
    }
}

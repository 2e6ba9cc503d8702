package dev.wishdir.app.serve;

import dev.wishdir.app.command.CommandFailedException;

import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.StringJoiner;

/**
 * Applies changed settings to a running server. Some take effect at once; for the others, the
 * result names those that need a restart.
 *
 * @param <C> the command whose options are the settings
 */
final class SettingsReload<C> {
    /** Applies the value of a setting to a running server. */
    @FunctionalInterface
    interface Setter<C> {
        /**
         * @param fresh the command with all of its values
         */
        void apply(C fresh) throws CommandFailedException;
    }

    private final Map<String, Object> running = new HashMap<>();
    private final Map<String, Setter<C>> changeable;

    /**
     * @param started the settings that the server runs with
     * @param changeable settings that take effect at once, by option name
     */
    SettingsReload(CommandLine started, Map<String, Setter<C>> changeable) {
        this.changeable = Map.copyOf(changeable);
        for (OptionSpec option : started.getCommandSpec().options()) {
            running.put(option.longestName(), value(option));
        }
    }

    private static Object value(OptionSpec option) {
        return Objects.requireNonNullElse(option.<Object>getValue(), "");
    }

    /**
     * Applies the settings that have changed and can take effect at once.
     *
     * @return which changed and which need a restart, for the operator
     * @throws CommandFailedException if a value is not allowed; earlier changes stay applied
     */
    String apply(CommandLine fresh) throws CommandFailedException {
        List<String> changed = new ArrayList<>();
        List<String> restart = new ArrayList<>();
        for (OptionSpec option : fresh.getCommandSpec().options()) {
            String name = option.longestName();
            if (value(option).equals(running.get(name))) {
                continue;
            }
            Setter<C> setter = changeable.get(name);
            String key = name.substring(2);
            if (setter == null) {
                restart.add(key);
            } else {
                setter.apply(fresh.getCommand());
                running.put(name, value(option));
                changed.add(key);
            }
        }
        StringJoiner text = new StringJoiner("; ");
        text.add(
                changed.isEmpty() ? "no setting changed" : "changed " + String.join(", ", changed));
        if (!restart.isEmpty()) {
            text.add("needs a restart: " + String.join(", ", restart));
        }
        return text.toString();
    }
}

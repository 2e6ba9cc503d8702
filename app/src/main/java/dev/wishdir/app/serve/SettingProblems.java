package dev.wishdir.app.serve;

import dev.wishdir.app.command.CommandFailedException;
import dev.wishdir.app.command.UsageErrors;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The problems that the checks of a server's settings find, to report all of them at once. */
final class SettingProblems {
    /** A check of one setting. */
    @FunctionalInterface
    interface Check {
        /**
         * @throws CommandFailedException if the setting is wrong
         */
        void run() throws CommandFailedException;
    }

    /** Opens what a setting names. */
    @FunctionalInterface
    interface Open<T> {
        /**
         * @return null if the setting names nothing
         * @throws CommandFailedException if it cannot be opened
         */
        @Nullable T open() throws CommandFailedException;
    }

    private final Set<String> texts = new LinkedHashSet<>();
    private boolean misuseOnly = true;

    /** Adds problems that are known already. */
    void addAll(List<String> problems) {
        texts.addAll(problems);
        misuseOnly &= problems.isEmpty();
    }

    /** Adds the errors of a command line that collects them; each misspelt option is one. */
    void addParseErrors(CommandLine line) {
        for (Exception error : line.getParseResult().errors()) {
            List<String> misspelt =
                    error instanceof CommandLine.UnmatchedArgumentException e
                            ? e.getUnmatched().stream().filter(it -> it.startsWith("--")).toList()
                            : List.of();
            for (String option : misspelt) {
                check(() -> {
                    throw new CommandLine.UnmatchedArgumentException(line, List.of(option));
                });
            }
            if (misspelt.isEmpty()) {
                check(() -> {
                    throw error instanceof CommandLine.ParameterException misused
                            ? misused
                            : new CommandLine.ParameterException(
                                    line, String.valueOf(error.getMessage()), error);
                });
            }
        }
    }

    /** Runs a check, and keeps its problem. */
    void check(Check check) {
        try {
            check.run();
        } catch (CommandLine.ParameterException e) {
            texts.add(UsageErrors.text(e));
        } catch (CommandFailedException e) {
            addAll(List.of(String.valueOf(e.getMessage())));
        }
    }

    /** Opens something; null if that is a problem. */
    <T> @Nullable T open(Open<T> opening) {
        List<T> opened = new ArrayList<>(1);
        check(() -> {
            T it = opening.open();
            if (it != null) {
                opened.add(it);
            }
        });
        return opened.isEmpty() ? null : opened.getFirst();
    }

    /** The problems, in the order in which they were found. */
    List<String> texts() {
        return List.copyOf(texts);
    }

    boolean isEmpty() {
        return texts.isEmpty();
    }

    /**
     * Reports the problems, one a line.
     *
     * @throws CommandLine.ParameterException if only values are wrong
     * @throws CommandFailedException if there are others, such as files that cannot be read
     */
    void throwIfAny(CommandLine line) throws CommandFailedException {
        if (texts.isEmpty()) {
            return;
        }
        String all = String.join("\n", texts);
        if (misuseOnly) {
            throw new CommandLine.ParameterException(line, all);
        }
        throw new CommandFailedException(all);
    }
}

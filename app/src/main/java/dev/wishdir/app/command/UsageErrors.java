package dev.wishdir.app.command;

import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.stream.Collectors;

/** Messages about wrong usage, without the parser's terms of picocli's messages. */
public final class UsageErrors {
    private UsageErrors() {}

    /** Registers converters of numbers whose errors say what is allowed. */
    public static void registerNumbers(CommandLine line) {
        number(line, int.class, Integer.class, Integer::valueOf, "a whole number");
        number(line, long.class, Long.class, Long::valueOf, "a whole number");
        number(line, double.class, Double.class, Double::valueOf, "a number");
    }

    private static <T> void number(
            CommandLine line,
            Class<T> primitive,
            Class<T> boxed,
            Function<String, T> parse,
            String kind) {
        ITypeConverter<T> converter =
                text -> {
                    try {
                        return parse.apply(text);
                    } catch (NumberFormatException e) {
                        throw new TypeConversionException(
                                "'"
                                        + text
                                        + "' is not "
                                        + kind
                                        + (text.matches("[+-]?\\d{10,}")
                                                ? " of this size: at most " + Integer.MAX_VALUE
                                                : ""));
                    }
                };
        line.registerConverter(primitive, converter);
        line.registerConverter(boxed, converter);
    }

    /** The error in a command line, in one line. */
    public static String text(ParameterException e) {
        String message = String.valueOf(e.getMessage());
        if (e instanceof UnmatchedArgumentException unmatched) {
            return unmatched(unmatched);
        }
        if (e instanceof MissingParameterException missing && !missing.getMissing().isEmpty()) {
            return missing(missing);
        }
        ArgSpec argument = e.getArgSpec();
        if (argument == null) {
            return message;
        }
        Class<?> type = argument.isMultiValue() ? argument.auxiliaryTypes()[0] : argument.type();
        if (type.isEnum() && e.getValue() != null && message.contains(": expected one of ")) {
            return name(argument)
                    + ": '"
                    + e.getValue()
                    + "' is not one of "
                    + Arrays.stream(type.getEnumConstants())
                            .map(constant -> constant.toString().toLowerCase(Locale.ROOT))
                            .collect(Collectors.joining(", "));
        }
        return message.replaceFirst(
                "^Invalid value for (option|positional parameter)[^:]*: ",
                Matcher.quoteReplacement(name(argument) + ": "));
    }

    /** Names what is missing, with the description of a single argument. */
    private static String missing(MissingParameterException e) {
        List<ArgSpec> all = e.getMissing();
        if (all.size() == 1 && all.getFirst().description().length > 0) {
            String first = all.getFirst().description()[0].split("[.;] |[.]$", 2)[0];
            return "missing " + name(all.getFirst()) + ": " + first;
        }
        return "missing " + all.stream().map(UsageErrors::name).collect(Collectors.joining(", "));
    }

    private static String name(ArgSpec argument) {
        return argument instanceof OptionSpec option ? option.longestName() : argument.paramLabel();
    }

    private static String unmatched(UnmatchedArgumentException e) {
        CommandLine line = e.getCommandLine();
        String first = e.getUnmatched().getFirst();
        if (first.startsWith("-") && first.length() > 1) {
            String typed = first.split("=", 2)[0];
            return "there is no option '" + typed + "'" + Suggestion.hint(typed, options(line), "");
        }
        if (!line.getSubcommands().isEmpty()) {
            return unknownCommand(line, first);
        }
        return "argument '" + first + "' is unexpected" + valueHint(e, first);
    }

    /**
     * A hint if the argument follows an option without a value, for which it was probably meant.
     */
    private static String valueHint(UnmatchedArgumentException e, String first) {
        List<String> all = e.getCommandLine().getParseResult().originalArgs();
        int at = all.indexOf(first);
        OptionSpec before =
                at < 1
                        ? null
                        : e.getCommandLine().getCommandSpec().optionsMap().get(all.get(at - 1));
        return before != null && before.arity().max() == 0
                ? ": " + before.longestName() + " takes no value"
                : "";
    }

    private static Collection<String> options(CommandLine line) {
        return line.getCommandSpec().optionsMap().keySet().stream()
                .filter(name -> name.startsWith("--"))
                .toList();
    }

    /** The message about a command that does not exist. */
    public static String unknownCommand(CommandLine parent, String typed) {
        Collection<String> known = parent.getSubcommands().keySet();
        return "there is no command '"
                + typed
                + "'"
                + Suggestion.hint(typed, known, "; there are " + String.join(", ", known));
    }

    /** Whether a command line, which may have errors, requests the help. */
    public static boolean asksForHelp(String... arguments) {
        return Arrays.stream(arguments)
                .takeWhile(argument -> !argument.equals("--"))
                .anyMatch(argument -> argument.equals("--help") || argument.equals("-h"));
    }
}

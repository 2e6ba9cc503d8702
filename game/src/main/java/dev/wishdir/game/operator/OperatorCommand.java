package dev.wishdir.game.operator;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.event.Player;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** An operator command, the same in all games and on the console. */
public abstract class OperatorCommand {
    private final String word;
    private final String arguments;
    private final String help;

    OperatorCommand(String word, String arguments, String help) {
        this.word = word;
        this.arguments = arguments;
        this.help = help;
    }

    /** One execution of a command: the arguments as its author typed them, and what it acts on. */
    record Context(
            OperatorConsole console, long now, OperatorConsole.Author by, CommandReader reader) {
        Arena arena() {
            return console.arena;
        }

        /** Reports an effect of the command, in the past tense. */
        void report(String what) {
            console.reportAction(now, by, what);
        }

        /** The answer of an action on the player at the front of the arguments, or of none. */
        String select(Function<Player, String> action) {
            return console.selector.select(reader, action);
        }
    }

    /** All commands, in the order of the command {@code help}. */
    public static List<OperatorCommand> values() {
        return OperatorConsole.COMMANDS;
    }

    /** The command with this name, in any case. */
    public static Optional<OperatorCommand> of(String word) {
        return values().stream().filter(it -> it.word.equalsIgnoreCase(word)).findFirst();
    }

    /** All command names in one line. */
    static String list() {
        return values().stream().map(OperatorCommand::word).collect(Collectors.joining(", "));
    }

    /** The answer to a word that is not a command. */
    static String unknown(String word) {
        return "There is no command '" + word + "'. Commands: " + list();
    }

    /** As typed: {@code kick}. */
    public final String word() {
        return word;
    }

    /** Arguments, optional ones in brackets: {@code PLAYER [REASON]}. */
    public final String arguments() {
        return arguments;
    }

    /** Command with arguments: {@code kick PLAYER [REASON]}. */
    public final String usage() {
        return arguments.isEmpty() ? word : word + " " + arguments;
    }

    /** Its effect in a few words. */
    public final String help() {
        return help;
    }

    /** Usage and help, as the answer to wrong arguments. */
    final String description() {
        return usage() + ": " + help;
    }

    /** The answer to arguments, if it takes none. */
    String refusal(String given) {
        return "Nothing done: "
                + word
                + " takes no argument, and was given '"
                + given
                + "'. "
                + description()
                + ".";
    }

    /**
     * Executes it, unless arguments are missing or too many.
     *
     * @return the answer for the operator
     */
    final String run(Context context) {
        CommandReader reader = context.reader;
        if (arguments.isEmpty() && !reader.isEmpty()) {
            return refusal(reader.text());
        }
        boolean isMissing = reader.isEmpty() && !arguments.isEmpty() && !arguments.startsWith("[");
        return isMissing ? description() : execute(context);
    }

    /** Executes it, with arguments where it needs them; the answer for the operator. */
    abstract String execute(Context context);
}

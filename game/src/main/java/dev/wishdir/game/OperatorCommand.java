package dev.wishdir.game;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** What an operator can say: the one list of all games and of the console. */
public enum OperatorCommand {
    STATUS("", "who is here: number, ping, game, address, name"),
    SAY("TEXT", "say something to all"),
    KICK("PLAYER [REASON]", "send somebody away"),
    BAN(
            "PLAYER|ADDRESS|RANGE [TIME] [REASON]",
            "keep somebody out, for a time such as 30m, 4h, 7d or 2w, or for good"),
    UNBAN("NUMBER|ADDRESS|RANGE|ACCOUNT|NAME", "let somebody in again"),
    BANS("", "who is kept out, with numbers for unban"),
    MAP("NAME", "play another arena, in all games"),
    NAME("PLAYER NAME", "call a player otherwise"),
    PASSWORD("[TEXT]", "what players must give from now on; \"\" for nothing"),
    QUIT("", "end the server"),
    HELP("", "this list");

    private final String arguments;
    private final String help;

    OperatorCommand(String arguments, String help) {
        this.arguments = arguments;
        this.help = help;
    }

    /** As it is typed: {@code kick}. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** What follows it, optional parts in brackets: {@code PLAYER [REASON]}. */
    public String arguments() {
        return arguments;
    }

    /** With what follows it: {@code kick PLAYER [REASON]}. */
    public String usage() {
        return arguments.isEmpty() ? word() : word() + " " + arguments;
    }

    /** What it does, in a few words. */
    public String help() {
        return help;
    }

    /** The verb of a word, in whichever case. */
    public static Optional<OperatorCommand> of(String word) {
        return Arrays.stream(values())
                .filter(command -> command.word().equalsIgnoreCase(word))
                .findFirst();
    }

    /** All words in one line. */
    static String list() {
        return Arrays.stream(values()).map(OperatorCommand::word).collect(Collectors.joining(", "));
    }

    /** All usages, one a line. */
    static String page() {
        return Arrays.stream(values())
                .map(command -> command.usage() + " - " + command.help())
                .collect(Collectors.joining("\n"));
    }
}

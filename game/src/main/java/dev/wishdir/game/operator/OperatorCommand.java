package dev.wishdir.game.operator;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** The operator commands, the same in all games and on the console. */
public enum OperatorCommand {
    STATUS("", "list the players: number, ping, game, address, name"),
    SAY("TEXT", "send a message to all players"),
    KICK("PLAYER [REASON]", "kick a player"),
    BAN(
            "PLAYER|ADDRESS|RANGE [TIME] [REASON]",
            "ban a player or addresses, for a time such as 30m, 4h, 7d or 2w, or for good"),
    UNBAN("NUMBER|ADDRESS|RANGE|ACCOUNT|NAME", "remove a ban"),
    BANS("", "list the bans, with numbers for unban"),
    MAP("NAME", "play another arena, in all games"),
    NAME("PLAYER NAME", "rename a player"),
    PASSWORD("[TEXT]", "show or set the password to join; \"\" for none"),
    REPLAY(
            "[pause|play|seek T|speed X]",
            "show or control the replayed recording; T in seconds from its start or as 1:30"),
    MATCH("", "show the match: what goes on, time, scores"),
    RESTART("", "begin the round of the match again"),
    NEXT("", "end the round of the match, and go to the next arena"),
    PAUSE("", "pause the match, or let it go on: its time stands still, no player is hit"),
    FLAG("[return [red|blue]]", "show the flags of the match, or bring one or both home"),
    QUIT("", "shut the server down"),
    HELP("", "show this list");

    private final String arguments;
    private final String help;

    OperatorCommand(String arguments, String help) {
        this.arguments = arguments;
        this.help = help;
    }

    /** As typed: {@code kick}. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Arguments, optional ones in brackets: {@code PLAYER [REASON]}. */
    public String arguments() {
        return arguments;
    }

    /** Command with arguments: {@code kick PLAYER [REASON]}. */
    public String usage() {
        return arguments.isEmpty() ? word() : word() + " " + arguments;
    }

    /** Its effect in a few words. */
    public String help() {
        return help;
    }

    /** The command with this name, in any case. */
    public static Optional<OperatorCommand> of(String word) {
        return Arrays.stream(values())
                .filter(command -> command.word().equalsIgnoreCase(word))
                .findFirst();
    }

    /** All command names in one line. */
    static String list() {
        return Arrays.stream(values()).map(OperatorCommand::word).collect(Collectors.joining(", "));
    }

    /** All usages, one per line. */
    static String page() {
        return Arrays.stream(values())
                .map(command -> command.usage() + " - " + command.help())
                .collect(Collectors.joining("\n"));
    }
}

package dev.wishdir.bedrock.server.chat;

import dev.wishdir.arena.event.MatchMode;
import dev.wishdir.bedrock.message.AvailableCommands;
import dev.wishdir.bedrock.message.AvailableCommands.Command;
import dev.wishdir.bedrock.message.AvailableCommands.Overload;
import dev.wishdir.bedrock.message.AvailableCommands.Parameter;
import dev.wishdir.game.operator.OperatorCommand;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The commands that are sent to clients for completion. */
final class CommandCatalog {
    private static final Command LIST = command("list", "", "who is here");
    private static final Command TELL = command("tell", "PLAYER TEXT", "whisper to a player");
    private static final Command TEAM = command("team", "RED|BLUE", "change your team");
    private static final Command DROP = command("drop", "", "drop the flag that you carry");
    private static final Command ADMIN =
            command("admin", "PASSWORD", "become an operator of this server");

    private CommandCatalog() {}

    /**
     * The commands of all players.
     *
     * @param admin whether there is an admin password
     * @param mode of the match
     */
    static AvailableCommands anyones(boolean admin, MatchMode mode) {
        List<Command> commands = ofAll(mode);
        if (admin) {
            commands.add(ADMIN);
        }
        return AvailableCommands.of(commands);
    }

    private static List<Command> ofAll(MatchMode mode) {
        List<Command> commands = new ArrayList<>(List.of(LIST, TELL));
        if (mode.hasTeams()) {
            commands.add(TEAM);
        }
        if (mode.hasFlags()) {
            commands.add(DROP);
        }
        return commands;
    }

    /**
     * The commands of operators.
     *
     * @param mode of the match
     */
    static AvailableCommands operators(MatchMode mode) {
        List<Command> commands = ofAll(mode);
        for (OperatorCommand command : OperatorCommand.values()) {
            commands.add(command(command.word(), command.arguments(), command.help()));
        }
        return AvailableCommands.of(commands);
    }

    private static Command command(String name, String arguments, String description) {
        return new Command(
                name,
                description,
                0,
                Command.ANY,
                Command.NO_ALIASES,
                List.of(),
                overloads(arguments));
    }

    /**
     * The lists of parameters. A player as the first one has an alternative of free text: a number,
     * a part of a name or an address, which clients do not accept as a player.
     */
    private static List<Overload> overloads(String arguments) {
        if (arguments.isEmpty()) {
            return List.of(new Overload(false, List.of()));
        }
        Overload line = new Overload(false, List.of(text(arguments)));
        if (!arguments.startsWith("PLAYER")) {
            return List.of(line);
        }
        List<Parameter> parameters = new ArrayList<>();
        parameters.add(new Parameter("player", Parameter.TARGET, false, 0));
        int blank = arguments.indexOf(' ');
        if (blank >= 0) {
            parameters.add(text(arguments.substring(blank + 1)));
        }
        return List.of(new Overload(false, List.copyOf(parameters)), line);
    }

    private static Parameter text(String arguments) {
        return new Parameter(
                arguments.replaceAll("[\\[\\]]", "").toLowerCase(Locale.ROOT),
                Parameter.TEXT,
                arguments.startsWith("["),
                0);
    }
}

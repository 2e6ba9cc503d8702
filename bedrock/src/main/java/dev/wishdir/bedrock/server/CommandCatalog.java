package dev.wishdir.bedrock.server;

import dev.wishdir.bedrock.message.AvailableCommands;
import dev.wishdir.bedrock.message.AvailableCommands.Command;
import dev.wishdir.bedrock.message.AvailableCommands.Overload;
import dev.wishdir.bedrock.message.AvailableCommands.Parameter;
import dev.wishdir.game.OperatorCommand;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The commands that are sent to clients, so that these complete what is typed after a slash. */
final class CommandCatalog {
    private static final Command LIST = command("list", "", "who is here");
    private static final Command TELL = command("tell", "PLAYER TEXT", "whisper to a player");
    private static final Command ADMIN =
            command("admin", "PASSWORD", "become an operator of this server");

    private CommandCatalog() {}

    /**
     * What anybody may.
     *
     * @param admin whether there is a password for operators
     */
    static AvailableCommands anyones(boolean admin) {
        return AvailableCommands.of(admin ? List.of(LIST, TELL, ADMIN) : List.of(LIST, TELL));
    }

    /** What operators may. */
    static AvailableCommands operators() {
        List<Command> commands = new ArrayList<>(List.of(LIST, TELL));
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
     * Where a player comes first, there is one more way, as it may be a number, a part of a name or
     * an address as well, which no client takes for a player.
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

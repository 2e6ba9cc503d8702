package dev.wishdir.game.operator;

import java.util.stream.Collectors;

/** The list of all commands, one per line. */
final class HelpCommand extends OperatorCommand {
    HelpCommand() {
        super("help", "", "show this list");
    }

    @Override
    String execute(Context context) {
        return values().stream()
                .map(command -> command.usage() + " - " + command.help())
                .collect(Collectors.joining("\n"));
    }
}

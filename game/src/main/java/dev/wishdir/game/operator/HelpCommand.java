package dev.wishdir.game.operator;

import java.util.stream.Collectors;

/** The description of one command, or the list of all commands, one per line. */
final class HelpCommand extends OperatorCommand {
    HelpCommand() {
        super("help", "[COMMAND]", "show this list, or what one command does");
    }

    @Override
    String execute(Context context) {
        String word = context.reader().word();
        return word.isEmpty()
                ? values().stream()
                        .map(command -> command.usage() + " - " + command.help())
                        .collect(Collectors.joining("\n"))
                : of(word).map(OperatorCommand::description).orElseGet(() -> unknown(word));
    }
}

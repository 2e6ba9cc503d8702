package dev.wishdir.sauerbraten.server;

import dev.wishdir.game.OperatorCommand;
import dev.wishdir.game.OperatorConsole;
import dev.wishdir.sauerbraten.message.CubeText;

/**
 * Operator commands of admins, for which the game has no messages: {@code /servcmd COMMAND …}, or
 * {@code #COMMAND …} in chat, which other players do not see.
 */
final class AdminChatCommands {
    private static final int MAX_LINES = 200;

    private final Privileges privileges;
    private final ClientRegistry registry;
    private final OperatorConsole console;

    AdminChatCommands(Privileges privileges, ClientRegistry registry, OperatorConsole console) {
        this.privileges = privileges;
        this.registry = registry;
        this.console = console;
    }

    /**
     * Runs a chat line if it is a command.
     *
     * @return whether it was one, and must not be sent to others
     */
    boolean said(long now, SauerbratenSession from, String line) {
        if (!line.startsWith("#")
                || OperatorCommand.of(line.substring(1).split(" ", 2)[0]).isEmpty()) {
            return false;
        }
        ordered(now, from, line.substring(1));
        return true;
    }

    void ordered(long now, SauerbratenSession from, String line) {
        if (!from.answers.tryAcquire(now) || from.viewer.isCongested()) {
            return;
        }
        if (from.privilege() < Privileges.ADMIN) {
            registry.tell(from, "Only an admin can do that: /setmaster PASSWORD");
        } else {
            console.execute(now, privileges.by(from), line)
                    .lines()
                    .limit(MAX_LINES)
                    .forEach(answer -> from.viewer.tell(CubeText.chat(answer)));
        }
    }
}

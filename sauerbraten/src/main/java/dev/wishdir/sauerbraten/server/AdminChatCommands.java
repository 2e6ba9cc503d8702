package dev.wishdir.sauerbraten.server;

import dev.wishdir.game.OperatorCommand;
import dev.wishdir.game.OperatorConsole;
import dev.wishdir.sauerbraten.message.CubeText;

/**
 * The operator commands of admins: {@code /servcmd VERB …}, or {@code #VERB …} as a line of chat,
 * which other players do not receive.
 */
final class AdminChatCommands {
    private static final int MAX_LINES = 200;

    private final Privileges privileges;
    private final OperatorConsole console;

    AdminChatCommands(Privileges privileges, OperatorConsole console) {
        this.privileges = privileges;
        this.console = console;
    }

    /**
     * Executes a line of chat, if it is an operator command.
     *
     * @return whether it was one, and must not reach other players
     */
    boolean onChat(long now, SauerbratenSession from, String line) {
        if (!line.startsWith("#")
                || OperatorCommand.of(line.substring(1).split(" ", 2)[0]).isEmpty()) {
            return false;
        }
        execute(now, from, line.substring(1));
        return true;
    }

    void execute(long now, SauerbratenSession from, String line) {
        if (!from.connection.answers.tryAcquire(now) || from.viewer.isCongested()) {
            return;
        }
        if (!from.isAdmin()) {
            from.sendText(now, "Only an admin can do that: /setmaster PASSWORD");
        } else {
            console.execute(now, privileges.author(from), line)
                    .lines()
                    .limit(MAX_LINES)
                    .forEach(answer -> from.viewer.sendText(CubeText.chat(answer)));
        }
    }
}

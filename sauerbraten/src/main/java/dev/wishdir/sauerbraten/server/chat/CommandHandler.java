package dev.wishdir.sauerbraten.server.chat;

import dev.wishdir.game.operator.AnswerLines;
import dev.wishdir.game.operator.OperatorCommand;
import dev.wishdir.game.operator.OperatorConsole;
import dev.wishdir.sauerbraten.message.CubeText;
import dev.wishdir.sauerbraten.server.session.SauerbratenSession;

/**
 * The operator commands of admins: {@code /servcmd VERB …}, or {@code #VERB …} as a line of chat,
 * which other players do not receive.
 */
public final class CommandHandler {
    private static final int MAX_LINES = 200;

    private final Privileges privileges;
    private final OperatorConsole console;

    public CommandHandler(Privileges privileges, OperatorConsole console) {
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
            AnswerLines.first(console.execute(now, privileges.author(from), line), MAX_LINES)
                    .forEach(answer -> from.viewer.sendText(CubeText.chat(answer)));
        }
    }
}

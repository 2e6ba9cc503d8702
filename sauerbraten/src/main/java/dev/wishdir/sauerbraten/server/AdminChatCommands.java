package dev.wishdir.sauerbraten.server;

import dev.wishdir.game.OperatorCommand;
import dev.wishdir.game.OperatorConsole;
import dev.wishdir.sauerbraten.message.CubeText;

/**
 * The orders of admins that the game has no messages for: {@code /servcmd VERB …}, or {@code #VERB
 * …} as a line of chat, which the others do not read.
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
     * Takes a line of chat, if it is an order.
     *
     * @return whether it was one, and so is nobody else's to read
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
            registry.tell(from, "only an admin may do that: /setmaster PASSWORD");
        } else {
            console.execute(now, privileges.by(from), line)
                    .lines()
                    .limit(MAX_LINES)
                    .forEach(answer -> from.viewer.tell(CubeText.chat(answer)));
        }
    }
}

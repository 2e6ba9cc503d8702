package dev.wishdir.sauerbraten.server;

import dev.wishdir.game.Operations;
import dev.wishdir.game.Verb;
import dev.wishdir.sauerbraten.message.CubeText;

/**
 * The orders of admins that the game has no messages for: {@code /servcmd VERB …}, or {@code #VERB
 * …} as a line of chat, which the others do not read.
 */
final class SauerbratenOrders {
    private static final int MOST_LINES = 200;

    private final SauerbratenMasters masters;
    private final SauerbratenRoom room;
    private final Operations operations;

    SauerbratenOrders(SauerbratenMasters masters, SauerbratenRoom room, Operations operations) {
        this.masters = masters;
        this.room = room;
        this.operations = operations;
    }

    /**
     * Takes a line of chat, if it is an order.
     *
     * @return whether it was one, and so is nobody else's to read
     */
    boolean said(long now, SauerbratenSession from, String line) {
        if (!line.startsWith("#") || Verb.of(line.substring(1).split(" ", 2)[0]).isEmpty()) {
            return false;
        }
        ordered(now, from, line.substring(1));
        return true;
    }

    void ordered(long now, SauerbratenSession from, String line) {
        if (!from.answers.take(now) || from.line.isBehind()) {
            return;
        }
        if (from.privilege() < SauerbratenMasters.ADMIN) {
            room.tell(from, "only an admin may do that: /setmaster PASSWORD");
        } else {
            operations
                    .execute(now, masters.by(from), line)
                    .lines()
                    .limit(MOST_LINES)
                    .forEach(answer -> from.line.tell(CubeText.chat(answer)));
        }
    }
}

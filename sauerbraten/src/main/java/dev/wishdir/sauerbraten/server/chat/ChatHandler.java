package dev.wishdir.sauerbraten.server.chat;

import dev.wishdir.arena.event.RateLimitedAction;
import dev.wishdir.sauerbraten.combat.FlagMark;
import dev.wishdir.sauerbraten.message.ChatMessage;
import dev.wishdir.sauerbraten.message.CubeText;
import dev.wishdir.sauerbraten.protocol.DisconnectReason;
import dev.wishdir.sauerbraten.server.session.Broadcaster;
import dev.wishdir.sauerbraten.server.session.CurrentMatch;
import dev.wishdir.sauerbraten.server.session.SauerbratenSession;

/** Handles chat lines, to all and to the team, and the operator commands of admins in them. */
public final class ChatHandler {
    private final Broadcaster broadcaster;
    private final CurrentMatch match;
    private final CommandHandler adminCommands;

    public ChatHandler(Broadcaster broadcaster, CurrentMatch match, CommandHandler adminCommands) {
        this.broadcaster = broadcaster;
        this.match = match;
        this.adminCommands = adminCommands;
    }

    public void handle(long now, SauerbratenSession from, ChatMessage message) {
        switch (message) {
            case ChatMessage.Text text -> {
                String clean = CubeText.chat(text.text()).strip();
                if (clean.equals(FlagMark.DROP_LINE) && match.hasFlags()) {
                    dropFlag(now, from);
                } else if (!clean.isEmpty() && !adminCommands.onChat(now, from, clean)) {
                    from.player().say(now, clean);
                }
            }
            case ChatMessage.ClientSayTeam text -> {
                String clean = CubeText.chat(text.text()).strip();
                if (!clean.isEmpty() && from.player().allows(now, RateLimitedAction.CHAT, 1)) {
                    broadcaster.send(
                            new ChatMessage.SayTeam(from.cn, clean),
                            other -> other != from && isSameTeam(from, other));
                }
            }
            case ChatMessage.SayTeam _, ChatMessage.ServMsg _ ->
                    from.connection.disconnect(DisconnectReason.MESSAGE_ERROR);
        }
    }

    private static void dropFlag(long now, SauerbratenSession from) {
        if (!from.player().combatant().dropFlag(now)) {
            from.sendText(now, "You have no flag.");
        }
    }

    private boolean isSameTeam(SauerbratenSession one, SauerbratenSession other) {
        boolean spectates = one.life.isSpectator();
        boolean areTeams = match.hasArenaTeams() || match.mode().teams();
        return spectates == other.life.isSpectator()
                && (spectates
                        || !areTeams
                        || one.ownAppearance().team().equals(other.ownAppearance().team()));
    }

    /** Executes an operator command of an admin. */
    public void onCommand(long now, SauerbratenSession from, String line) {
        adminCommands.execute(now, from, CubeText.chat(line).strip());
    }
}

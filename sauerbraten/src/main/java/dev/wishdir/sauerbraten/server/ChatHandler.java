package dev.wishdir.sauerbraten.server;

import dev.wishdir.arena.RateLimitedAction;
import dev.wishdir.sauerbraten.message.ChatMessage;
import dev.wishdir.sauerbraten.message.CubeText;
import dev.wishdir.sauerbraten.protocol.DisconnectReason;

/** Handles chat lines, to all and to the team, and the operator commands of admins in them. */
final class ChatHandler {
    private final Broadcaster broadcaster;
    private final CurrentMatch match;
    private final AdminChatCommands adminCommands;

    ChatHandler(Broadcaster broadcaster, CurrentMatch match, AdminChatCommands adminCommands) {
        this.broadcaster = broadcaster;
        this.match = match;
        this.adminCommands = adminCommands;
    }

    void handle(long now, SauerbratenSession from, ChatMessage message) {
        switch (message) {
            case ChatMessage.Text text -> {
                String clean = CubeText.chat(text.text()).strip();
                if (!clean.isEmpty() && !adminCommands.onChat(now, from, clean)) {
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

    private boolean isSameTeam(SauerbratenSession one, SauerbratenSession other) {
        boolean spectates = one.life.isSpectator();
        boolean areTeams = match.hasArenaTeams() || match.mode().teams();
        return spectates == other.life.isSpectator()
                && (spectates
                        || !areTeams
                        || one.ownAppearance().team().equals(other.ownAppearance().team()));
    }

    /** Executes an operator command of an admin. */
    void onCommand(long now, SauerbratenSession from, String line) {
        adminCommands.execute(now, from, CubeText.chat(line).strip());
    }
}

package dev.wishdir.sauerbraten.server;

import dev.wishdir.sauerbraten.message.ActionMessage;
import dev.wishdir.sauerbraten.message.AdminMessage;
import dev.wishdir.sauerbraten.message.AuthMessage;
import dev.wishdir.sauerbraten.message.BotMessage;
import dev.wishdir.sauerbraten.message.CaptureMessage;
import dev.wishdir.sauerbraten.message.ChatMessage;
import dev.wishdir.sauerbraten.message.DemoMessage;
import dev.wishdir.sauerbraten.message.EditMessage;
import dev.wishdir.sauerbraten.message.FlagMessage;
import dev.wishdir.sauerbraten.message.ItemMessage;
import dev.wishdir.sauerbraten.message.LifeMessage;
import dev.wishdir.sauerbraten.message.MatchMessage;
import dev.wishdir.sauerbraten.message.MovementMessage;
import dev.wishdir.sauerbraten.message.RelayMessage;
import dev.wishdir.sauerbraten.message.RosterMessage;
import dev.wishdir.sauerbraten.message.SauerbratenMessage;
import dev.wishdir.sauerbraten.message.SessionMessage;
import dev.wishdir.sauerbraten.message.TokenMessage;
import dev.wishdir.sauerbraten.protocol.DisconnectReason;
import dev.wishdir.sauerbraten.server.chat.ChatHandler;
import dev.wishdir.sauerbraten.server.combat.ActionHandler;
import dev.wishdir.sauerbraten.server.combat.LifeHandler;
import dev.wishdir.sauerbraten.server.join.AuthHandler;
import dev.wishdir.sauerbraten.server.match.EditHandler;
import dev.wishdir.sauerbraten.server.match.FlagHandler;
import dev.wishdir.sauerbraten.server.match.MatchHandler;
import dev.wishdir.sauerbraten.server.match.RosterHandler;
import dev.wishdir.sauerbraten.server.session.SauerbratenPings;
import dev.wishdir.sauerbraten.server.session.SauerbratenSession;

import java.util.List;

/** Hands the messages of joined clients to the handler of their kind. */
final class MessageHandler {
    private final SauerbratenPings pings;
    private final ChatHandler chat;
    private final LifeHandler lives;
    private final ActionHandler actions;
    private final RosterHandler roster;
    private final MatchHandler match;
    private final AuthHandler admins;
    private final EditHandler edits;
    private final FlagHandler flags;

    MessageHandler(
            SauerbratenPings pings,
            ChatHandler chat,
            LifeHandler lives,
            ActionHandler actions,
            RosterHandler roster,
            MatchHandler match,
            AuthHandler admins,
            EditHandler edits,
            FlagHandler flags) {
        this.pings = pings;
        this.chat = chat;
        this.lives = lives;
        this.actions = actions;
        this.roster = roster;
        this.match = match;
        this.admins = admins;
        this.edits = edits;
        this.flags = flags;
    }

    /**
     * Handles a message, as far as its sender may send it.
     *
     * @param length of the message, bytes
     */
    void handle(long now, SauerbratenSession from, SauerbratenMessage message, int length) {
        switch (message) {
            case SessionMessage.Ping ping -> pings.onPing(now, from, ping.millis());
            case SessionMessage.ClientPing ping -> pings.onClientPing(from, ping.ping());
            case SessionMessage.ServCmd command -> chat.onCommand(now, from, command.text());
            case ChatMessage it -> chat.handle(now, from, it);
            case LifeMessage it -> lives.handle(now, from, it);
            case ActionMessage it -> actions.handle(now, from, it);
            case RosterMessage it -> roster.handle(now, from, it);
            case MatchMessage it -> match.handle(now, from, it);
            case ItemMessage it -> match.handle(now, from, it);
            case AdminMessage it -> admins.handle(now, from, it);
            case EditMessage it -> edits.handle(now, from, it, length);
            case AuthMessage it -> admins.handle(now, from, it);
            case BotMessage _ -> from.sendText(now, "This server has no bots.");
            case DemoMessage.ListDemos _ ->
                    from.answer(now, new DemoMessage.SendDemoList(List.of()));
            case DemoMessage _ -> from.sendText(now, "This server does not record demos.");
            case FlagMessage it -> flags.handle(now, from, it);
            // Bases and tokens: no mode with them is played.
            case CaptureMessage _, TokenMessage _, RelayMessage _ -> {}
            // A second login, or a message that only a server sends.
            case SessionMessage _, MovementMessage _ ->
                    from.connection.disconnect(DisconnectReason.MESSAGE_ERROR);
        }
    }
}

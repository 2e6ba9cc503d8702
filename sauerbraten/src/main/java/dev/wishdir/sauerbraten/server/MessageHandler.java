package dev.wishdir.sauerbraten.server;

import dev.wishdir.arena.Arena;
import dev.wishdir.arena.PlayerAction;
import dev.wishdir.arena.PlayerId;
import dev.wishdir.arena.RateLimitedAction;
import dev.wishdir.sauerbraten.message.ActionMessage;
import dev.wishdir.sauerbraten.message.AdminMessage;
import dev.wishdir.sauerbraten.message.AuthMessage;
import dev.wishdir.sauerbraten.message.BotMessage;
import dev.wishdir.sauerbraten.message.CaptureMessage;
import dev.wishdir.sauerbraten.message.ChatMessage;
import dev.wishdir.sauerbraten.message.CubeText;
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
import dev.wishdir.sauerbraten.server.SauerbratenSession.Presence;

import java.util.List;

/** Handles the messages of joined clients. */
final class MessageHandler {
    private static final int MAX_MODEL = 5;
    private static final int SWITCHED = 0;
    private static final int FORCED = 1;

    private final ClientRegistry registry;
    private final SauerbratenMatch match;
    private final Privileges privileges;
    private final AdminChatCommands adminCommands;
    private final SauerbratenPings pings;
    private final SauerbratenEdits edits;

    MessageHandler(
            ClientRegistry registry,
            SauerbratenMatch match,
            Privileges privileges,
            AdminChatCommands adminCommands,
            SauerbratenPings pings,
            SauerbratenEdits edits) {
        this.registry = registry;
        this.match = match;
        this.privileges = privileges;
        this.adminCommands = adminCommands;
        this.pings = pings;
        this.edits = edits;
    }

    /**
     * Handles a message, as far as its sender may send it.
     *
     * @param length of the message, bytes
     */
    void received(long now, SauerbratenSession from, SauerbratenMessage message, int length) {
        switch (message) {
            case SessionMessage.Ping ping -> pings.onPing(from, ping.millis());
            case SessionMessage.ClientPing ping -> pings.onClientPing(from, ping.ping());
            case SessionMessage.ServCmd order ->
                    adminCommands.execute(now, from, CubeText.chat(order.text()).strip());
            case ChatMessage chat -> handleChat(now, from, chat);
            case LifeMessage life -> handleLife(now, from, life);
            case ActionMessage action -> handleAction(now, from, action);
            case RosterMessage roster -> handleRoster(now, from, roster);
            case MatchMessage choice -> match.received(now, from, choice, privileges::isVoteForced);
            case ItemMessage item -> match.received(now, from, item);
            case AdminMessage admin -> privileges.received(now, from, admin);
            case EditMessage edit -> edits.received(now, from, edit, length);
            case AuthMessage _ ->
                    registry.sendText(from, "This server supports no authentication keys.");
            case BotMessage _ -> registry.sendText(from, "This server has no bots.");
            case DemoMessage demo -> demo(from, demo);
            // Flags, bases and tokens: no mode with them is played.
            case FlagMessage _, CaptureMessage _, TokenMessage _, RelayMessage _ -> {}
            // A second login, or a message that only a server sends.
            case SessionMessage _, MovementMessage _ ->
                    registry.disconnect(from, DisconnectReason.MESSAGE_ERROR);
        }
    }

    private boolean may(long now, SauerbratenSession from, RateLimitedAction kind, int amount) {
        PlayerId player = from.player();
        return player != null && registry.arena().allows(now, player, kind, amount);
    }

    private void handleChat(long now, SauerbratenSession from, ChatMessage chat) {
        PlayerId player = from.player();
        switch (chat) {
            case ChatMessage.Text text -> {
                String clean = CubeText.chat(text.text()).strip();
                if (player != null && !clean.isEmpty() && !adminCommands.onChat(now, from, clean)) {
                    registry.arena().say(now, player, clean);
                }
            }
            case ChatMessage.ClientSayTeam text -> {
                String clean = CubeText.chat(text.text()).strip();
                if (!clean.isEmpty() && may(now, from, RateLimitedAction.CHAT, 1)) {
                    registry.broadcast(
                            new ChatMessage.SayTeam(from.cn, clean), other -> isMate(from, other));
                }
            }
            case ChatMessage.SayTeam _, ChatMessage.ServMsg _ ->
                    registry.disconnect(from, DisconnectReason.MESSAGE_ERROR);
        }
    }

    private boolean isMate(SauerbratenSession one, SauerbratenSession other) {
        return one != other && sameSide(one, other);
    }

    private boolean sameSide(SauerbratenSession one, SauerbratenSession other) {
        boolean watching = one.presence() == Presence.SPECTATOR;
        return watching == (other.presence() == Presence.SPECTATOR)
                && (watching || !match.mode().teams() || one.team().equals(other.team()));
    }

    private void handleLife(long now, SauerbratenSession from, LifeMessage life) {
        switch (life) {
            case LifeMessage.TrySpawn _ -> {
                if (from.presence() == Presence.DEAD && from.answers.tryAcquire(now)) {
                    match.sendSpawn(now, from);
                }
            }
            case LifeMessage.ClientSpawn spawn -> {
                // Other clients see the body from its first position on.
                if (from.presence() == Presence.DEAD && spawn.lifeseq() == from.lifeseq()) {
                    from.spawn();
                    from.viewer.refresh(from.cn);
                }
            }
            case LifeMessage.Suicide _ -> {
                if (from.embodied() && may(now, from, RateLimitedAction.LIFE, 1)) {
                    die(now, from);
                }
            }
            default -> registry.disconnect(from, DisconnectReason.MESSAGE_ERROR);
        }
    }

    /** Ends the life of a client, if it has one. */
    private void die(long now, SauerbratenSession session) {
        PlayerId player = session.player();
        if (session.embodied() && player != null) {
            session.die();
            registry.arena().despawn(now, player);
            registry.refresh(session.cn);
        }
    }

    private void handleAction(long now, SauerbratenSession from, ActionMessage action) {
        if (action instanceof ActionMessage.ShotFx || action instanceof ActionMessage.ExplodeFx) {
            registry.disconnect(from, DisconnectReason.MESSAGE_ERROR);
            return;
        }
        // A projectile may explode after the death of its player.
        boolean able =
                action instanceof ActionMessage.Explode
                        ? from.presence() != Presence.SPECTATOR
                        : from.embodied();
        if (!able || !may(now, from, RateLimitedAction.ACT, 1)) {
            return;
        }
        if (action instanceof ActionMessage.Shoot || action instanceof ActionMessage.Explode) {
            from.validator.allowImpulse(registry.peerTime(now));
        }
        switch (action) {
            case ActionMessage.Shoot shot -> {
                registry.broadcast(
                        new ActionMessage.ShotFx(
                                from.cn, shot.gun(), shot.id(), shot.from(), shot.to()),
                        viewer -> viewer.viewer.showsBody(from));
                performAction(now, from, PlayerAction.ATTACK);
            }
            case ActionMessage.Taunt taunt -> {
                registry.relay(from, taunt);
                performAction(now, from, PlayerAction.TAUNT);
            }
            case ActionMessage.Explode explosion ->
                    registry.broadcast(
                            from.cn,
                            new ActionMessage.ExplodeFx(from.cn, explosion.gun(), explosion.id()));
            default -> registry.relay(from, action);
        }
    }

    /** Shows an action to players of other games, too. */
    private void performAction(long now, SauerbratenSession from, PlayerAction act) {
        PlayerId player = from.player();
        if (player != null) {
            registry.arena().performAction(now, player, act);
        }
    }

    private void handleRoster(long now, SauerbratenSession from, RosterMessage roster) {
        PlayerId player = from.player();
        if (player == null) {
            return;
        }
        switch (roster) {
            case RosterMessage.SwitchName change ->
                    registry.arena().rename(now, player, CubeText.playerName(change.name()));
            case RosterMessage.SwitchModel change -> {
                int model = Math.clamp(change.model(), 0, MAX_MODEL);
                if (model != from.model()) {
                    from.setModel(model);
                    registry.arena().appearanceChanged(now, player);
                }
            }
            case RosterMessage.SwitchTeam change -> {
                if (maySwitch(change.team())) {
                    change(now, from, "team", time -> setTeam(time, from, change.team(), SWITCHED));
                }
            }
            case RosterMessage.ClientSetTeam change ->
                    registry.session(change.cn())
                            .filter(victim -> victim.joined() && privileges.outranks(from, victim))
                            .ifPresent(victim ->
                                    change(
                                            now,
                                            from,
                                            List.of("team", change.cn()),
                                            time -> setTeam(time, victim, change.team(), FORCED)));
            case RosterMessage.Spectator change ->
                    registry.session(change.cn())
                            .filter(target ->
                                    target.joined() && maySpectate(from, target, change.val()))
                            .ifPresent(target ->
                                    change(
                                            now,
                                            from,
                                            List.of("spectator", change.cn()),
                                            time -> spectate(time, target, change.val())));
            default -> registry.disconnect(from, DisconnectReason.MESSAGE_ERROR);
        }
    }

    private void change(long now, SauerbratenSession from, Object kind, Arena.Change change) {
        PlayerId player = from.player();
        if (player != null) {
            registry.arena().change(now, player, kind, change);
        }
    }

    private boolean maySwitch(String team) {
        String clean = CubeText.team(team);
        return match.mode().teams() && !clean.isEmpty();
    }

    private void setTeam(long now, SauerbratenSession target, String team, int reason) {
        String clean = CubeText.team(team);
        if (target.joined() && maySwitch(clean) && !clean.equals(target.team())) {
            die(now, target);
            target.setTeam(clean, reason);
            registry.refresh(target.cn);
        }
    }

    private boolean maySpectate(SauerbratenSession from, SauerbratenSession target, boolean val) {
        return privileges.isMaster(from) || (from == target && (val || !privileges.locked()));
    }

    private void spectate(long now, SauerbratenSession target, boolean val) {
        if (target.joined() && val != (target.presence() == Presence.SPECTATOR)) {
            die(now, target);
            target.setSpectating(val);
            registry.refresh(target.cn);
        }
    }

    private void demo(SauerbratenSession from, DemoMessage demo) {
        switch (demo) {
            case DemoMessage.ListDemos _ ->
                    registry.answer(from, new DemoMessage.SendDemoList(List.of()));
            default -> registry.sendText(from, "This server does not record demos.");
        }
    }
}

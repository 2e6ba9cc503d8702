package dev.wishdir.sauerbraten.server;

import dev.wishdir.arena.Act;
import dev.wishdir.arena.Arena;
import dev.wishdir.arena.Deed;
import dev.wishdir.arena.PlayerId;
import dev.wishdir.sauerbraten.message.Action;
import dev.wishdir.sauerbraten.message.Admin;
import dev.wishdir.sauerbraten.message.Auth;
import dev.wishdir.sauerbraten.message.Bot;
import dev.wishdir.sauerbraten.message.Capture;
import dev.wishdir.sauerbraten.message.Chat;
import dev.wishdir.sauerbraten.message.CubeText;
import dev.wishdir.sauerbraten.message.Demo;
import dev.wishdir.sauerbraten.message.Edit;
import dev.wishdir.sauerbraten.message.Flag;
import dev.wishdir.sauerbraten.message.Item;
import dev.wishdir.sauerbraten.message.Life;
import dev.wishdir.sauerbraten.message.Match;
import dev.wishdir.sauerbraten.message.Relay;
import dev.wishdir.sauerbraten.message.Roster;
import dev.wishdir.sauerbraten.message.SauerbratenMessage;
import dev.wishdir.sauerbraten.message.Session;
import dev.wishdir.sauerbraten.message.Token;
import dev.wishdir.sauerbraten.message.Travel;
import dev.wishdir.sauerbraten.protocol.DisconnectReason;
import dev.wishdir.sauerbraten.server.SauerbratenSession.Presence;

import java.util.List;

/** What the messages of joined clients do. */
final class SauerbratenPlay {
    private static final int MOST_MODELS = 5;
    private static final int SWITCHED = 0;
    private static final int FORCED = 1;

    private final SauerbratenRoom room;
    private final SauerbratenMatch match;
    private final SauerbratenMasters masters;
    private final SauerbratenOrders orders;
    private final SauerbratenPings pings;
    private final SauerbratenEdits edits;

    SauerbratenPlay(
            SauerbratenRoom room,
            SauerbratenMatch match,
            SauerbratenMasters masters,
            SauerbratenOrders orders,
            SauerbratenPings pings,
            SauerbratenEdits edits) {
        this.room = room;
        this.match = match;
        this.masters = masters;
        this.orders = orders;
        this.pings = pings;
        this.edits = edits;
    }

    /**
     * Does what a message asks for, as far as its sender may.
     *
     * @param length of the message, bytes
     */
    void received(long now, SauerbratenSession from, SauerbratenMessage message, int length) {
        switch (message) {
            case Session.Ping ping -> pings.pong(from, ping.millis());
            case Session.ClientPing ping -> pings.pinged(from, ping.ping());
            case Session.ServCmd order ->
                    orders.ordered(now, from, CubeText.chat(order.text()).strip());
            case Chat chat -> said(now, from, chat);
            case Life life -> lived(now, from, life);
            case Action action -> acted(now, from, action);
            case Roster roster -> changed(now, from, roster);
            case Match choice -> match.received(now, from, choice, masters::forces);
            case Item item -> match.received(now, from, item);
            case Admin admin -> masters.received(now, from, admin);
            case Edit edit -> edits.received(now, from, edit, length);
            case Auth _ -> room.tell(from, "this server has no keys to check");
            case Bot _ -> room.tell(from, "this server has no bots of its own to add");
            case Demo demo -> demo(from, demo);
            // Flags, bases and tokens: no mode with them is played.
            case Flag _, Capture _, Token _, Relay _ -> {}
            // Joining twice, or anything that only a server says.
            case Session _, Travel _ -> room.dismiss(from, DisconnectReason.MESSAGE_ERROR);
        }
    }

    private boolean may(long now, SauerbratenSession from, Deed deed, int amount) {
        PlayerId player = from.player();
        return player != null && room.arena().allows(now, player, deed, amount);
    }

    private void said(long now, SauerbratenSession from, Chat chat) {
        PlayerId player = from.player();
        switch (chat) {
            case Chat.Text text -> {
                String clean = CubeText.chat(text.text()).strip();
                if (player != null && !clean.isEmpty() && !orders.said(now, from, clean)) {
                    room.arena().say(now, player, clean);
                }
            }
            case Chat.ClientSayTeam text -> {
                String clean = CubeText.chat(text.text()).strip();
                if (!clean.isEmpty() && may(now, from, Deed.CHAT, 1)) {
                    room.deed(new Chat.SayTeam(from.cn, clean), other -> isMate(from, other));
                }
            }
            case Chat.SayTeam _, Chat.ServMsg _ ->
                    room.dismiss(from, DisconnectReason.MESSAGE_ERROR);
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

    private void lived(long now, SauerbratenSession from, Life life) {
        switch (life) {
            case Life.TrySpawn _ -> {
                if (from.presence() == Presence.DEAD && from.answers.take(now)) {
                    match.sendSpawn(from);
                }
            }
            case Life.ClientSpawn spawn -> {
                // The others are shown the body at its first position, which is where it is.
                if (from.presence() == Presence.DEAD && spawn.lifeseq() == from.lifeseq()) {
                    from.spawn();
                    from.line.refresh(from.cn);
                }
            }
            case Life.Suicide _ -> {
                if (from.embodied() && may(now, from, Deed.LIFE, 1)) {
                    die(now, from);
                }
            }
            default -> room.dismiss(from, DisconnectReason.MESSAGE_ERROR);
        }
    }

    /** Ends a life, where there is one. */
    private void die(long now, SauerbratenSession session) {
        PlayerId player = session.player();
        if (session.embodied() && player != null) {
            session.die();
            room.arena().despawn(now, player);
            room.refresh(session.cn);
        }
    }

    private void acted(long now, SauerbratenSession from, Action action) {
        if (action instanceof Action.ShotFx || action instanceof Action.ExplodeFx) {
            room.dismiss(from, DisconnectReason.MESSAGE_ERROR);
            return;
        }
        // What somebody fired before it died may explode later.
        boolean able =
                action instanceof Action.Explode
                        ? from.presence() != Presence.SPECTATOR
                        : from.embodied();
        if (!able || !may(now, from, Deed.ACT, 1)) {
            return;
        }
        if (action instanceof Action.Shoot || action instanceof Action.Explode) {
            from.plausibility.pushed(room.peerTime(now));
        }
        switch (action) {
            case Action.Shoot shot -> {
                room.deed(
                        new Action.ShotFx(from.cn, shot.gun(), shot.id(), shot.from(), shot.to()),
                        viewer -> viewer.line.showsBody(from));
                shown(now, from, Act.ATTACK);
            }
            case Action.Taunt taunt -> {
                room.relay(from, taunt);
                shown(now, from, Act.TAUNT);
            }
            case Action.Explode explosion ->
                    room.deed(
                            from.cn,
                            new Action.ExplodeFx(from.cn, explosion.gun(), explosion.id()));
            default -> room.relay(from, action);
        }
    }

    /** The players of other games see it, too. */
    private void shown(long now, SauerbratenSession from, Act act) {
        PlayerId player = from.player();
        if (player != null) {
            room.arena().act(now, player, act);
        }
    }

    private void changed(long now, SauerbratenSession from, Roster roster) {
        PlayerId player = from.player();
        if (player == null) {
            return;
        }
        switch (roster) {
            case Roster.SwitchName change ->
                    room.arena().rename(now, player, CubeText.playerName(change.name()));
            case Roster.SwitchModel change -> {
                int model = Math.clamp(change.model(), 0, MOST_MODELS);
                if (model != from.model()) {
                    from.setModel(model);
                    room.arena().restyle(now, player);
                }
            }
            case Roster.SwitchTeam change -> {
                if (maySwitch(change.team())) {
                    change(now, from, "team", time -> setTeam(time, from, change.team(), SWITCHED));
                }
            }
            case Roster.ClientSetTeam change ->
                    room.session(change.cn())
                            .filter(victim -> victim.joined() && masters.outranks(from, victim))
                            .ifPresent(victim ->
                                    change(
                                            now,
                                            from,
                                            List.of("team", change.cn()),
                                            time -> setTeam(time, victim, change.team(), FORCED)));
            case Roster.Spectator change ->
                    room.session(change.cn())
                            .filter(who -> who.joined() && maySpectate(from, who, change.val()))
                            .ifPresent(who ->
                                    change(
                                            now,
                                            from,
                                            List.of("spectator", change.cn()),
                                            time -> spectate(time, who, change.val())));
            default -> room.dismiss(from, DisconnectReason.MESSAGE_ERROR);
        }
    }

    private void change(long now, SauerbratenSession from, Object kind, Arena.Change change) {
        PlayerId player = from.player();
        if (player != null) {
            room.arena().change(now, player, kind, change);
        }
    }

    private boolean maySwitch(String team) {
        String clean = CubeText.team(team);
        return match.mode().teams() && !clean.isEmpty();
    }

    private void setTeam(long now, SauerbratenSession who, String team, int reason) {
        String clean = CubeText.team(team);
        if (who.joined() && maySwitch(clean) && !clean.equals(who.team())) {
            die(now, who);
            who.setTeam(clean, reason);
            room.refresh(who.cn);
        }
    }

    private boolean maySpectate(SauerbratenSession from, SauerbratenSession who, boolean val) {
        return masters.isMaster(from) || (from == who && (val || !masters.locked()));
    }

    private void spectate(long now, SauerbratenSession who, boolean val) {
        if (who.joined() && val != (who.presence() == Presence.SPECTATOR)) {
            die(now, who);
            who.watch(val);
            room.refresh(who.cn);
        }
    }

    private void demo(SauerbratenSession from, Demo demo) {
        switch (demo) {
            case Demo.ListDemos _ -> room.answer(from, new Demo.SendDemoList(List.of()));
            default -> room.tell(from, "this server records no demos");
        }
    }
}

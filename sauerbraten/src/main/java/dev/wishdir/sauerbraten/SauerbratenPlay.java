package dev.wishdir.sauerbraten;

import dev.wishdir.arena.Player;
import dev.wishdir.sauerbraten.SauerbratenSession.Presence;
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

import java.util.List;

/** What the messages of joined clients do. */
final class SauerbratenPlay {
    private static final int MOST_MODELS = 5;
    private static final int SILENCED = 40;
    private static final int SWITCHED = 0;
    private static final int FORCED = 1;

    private final SauerbratenRoom room;
    private final SauerbratenMatch match;
    private final SauerbratenMasters masters;

    SauerbratenPlay(SauerbratenRoom room, SauerbratenMatch match, SauerbratenMasters masters) {
        this.room = room;
        this.match = match;
        this.masters = masters;
    }

    /** Does what a message asks for, as far as its sender may. */
    void received(long now, SauerbratenSession from, SauerbratenMessage message) {
        switch (message) {
            case Session.Ping ping -> room.send(from, new Session.Pong(ping.millis()));
            case Session.ClientPing ping -> {
                from.ping = ping.ping();
                room.relay(from, ping);
            }
            case Session.ServCmd _ -> {}
            case Chat chat -> said(now, from, chat);
            case Life life -> lived(from, life);
            case Action action -> acted(from, action);
            case Roster roster -> changed(now, from, roster);
            case Match choice -> match.received(from, choice);
            case Item item -> match.received(now, from, item);
            case Admin admin -> masters.received(now, from, admin);
            case Edit edit -> edited(from, edit);
            case Auth _ -> room.tell(from, "this server has no keys to check");
            case Bot _ -> room.tell(from, "this server has no bots of its own to add");
            case Demo demo -> demo(from, demo);
            // Flags, bases and tokens: no mode with them is played.
            case Flag _, Capture _, Token _, Relay _ -> {}
            // Joining twice, or anything that only a server says.
            case Session _, Travel _ -> dismiss(from, DisconnectReason.MESSAGE_ERROR);
        }
    }

    static void dismiss(SauerbratenSession session, DisconnectReason reason) {
        session.peer.disconnect(reason.code());
    }

    private boolean maySpeak(long now, SauerbratenSession from) {
        if (from.talk.take(now)) {
            return true;
        }
        if (from.talk.refused() == 1) {
            room.tell(from, "not so fast: what you say and change now is not passed on");
        } else if (from.talk.refused() > SILENCED) {
            dismiss(from, DisconnectReason.OVERFLOW);
        }
        return false;
    }

    private void said(long now, SauerbratenSession from, Chat chat) {
        if (!maySpeak(now, from)) {
            return;
        }
        switch (chat) {
            case Chat.Text text -> {
                String clean = CubeText.chat(text.text());
                room.relay(from, new Chat.Text(clean));
                Player player = from.player;
                if (player != null) {
                    room.arena().say(player, clean);
                }
            }
            case Chat.ClientSayTeam text -> {
                Chat.SayTeam said = new Chat.SayTeam(from.cn, CubeText.chat(text.text()));
                for (SauerbratenSession other : room.joined()) {
                    if (other != from && sameSide(from, other)) {
                        room.send(other, said);
                    }
                }
            }
            case Chat.SayTeam _, Chat.ServMsg _ -> dismiss(from, DisconnectReason.MESSAGE_ERROR);
        }
    }

    private boolean sameSide(SauerbratenSession one, SauerbratenSession other) {
        boolean watching = one.presence == Presence.SPECTATOR;
        return watching == (other.presence == Presence.SPECTATOR)
                && (watching || !match.mode().teams() || one.team.equals(other.team));
    }

    private void lived(SauerbratenSession from, Life life) {
        switch (life) {
            case Life.TrySpawn _ -> {
                if (from.presence == Presence.DEAD) {
                    match.sendSpawn(from);
                }
            }
            case Life.ClientSpawn spawn -> {
                if (from.presence == Presence.DEAD && spawn.lifeseq() == from.lifeseq) {
                    from.presence = Presence.ALIVE;
                    room.relay(from, new Life.Spawn(from.state));
                }
            }
            case Life.Suicide _ -> die(from);
            default -> dismiss(from, DisconnectReason.MESSAGE_ERROR);
        }
    }

    /** Ends a life, where there is one. */
    void die(SauerbratenSession session) {
        if (session.embodied()) {
            session.presence = Presence.DEAD;
            disembody(session);
            room.sendAll(new Life.Died(session.cn, session.cn, 0, 0));
        }
    }

    private void disembody(SauerbratenSession session) {
        Player player = session.player;
        if (player != null) {
            room.arena().despawn(player);
        }
    }

    private void acted(SauerbratenSession from, Action action) {
        switch (action) {
            case Action.Shoot shot -> {
                if (from.embodied()) {
                    room.sendOthers(
                            from.cn,
                            new Action.ShotFx(
                                    from.cn, shot.gun(), shot.id(), shot.from(), shot.to()));
                }
            }
            case Action.Explode explosion -> {
                room.sendOthers(
                        from.cn, new Action.ExplodeFx(from.cn, explosion.gun(), explosion.id()));
            }
            case Action.Sound _, Action.GunSelect _, Action.Taunt _ -> {
                if (from.embodied()) {
                    room.relay(from, action);
                }
            }
            case Action.ShotFx _, Action.ExplodeFx _ ->
                    dismiss(from, DisconnectReason.MESSAGE_ERROR);
        }
    }

    private void changed(long now, SauerbratenSession from, Roster roster) {
        switch (roster) {
            case Roster.SwitchName change -> {
                if (maySpeak(now, from)) {
                    from.name = CubeText.playerName(change.name());
                    room.relay(from, new Roster.SwitchName(from.name));
                    Player player = from.player;
                    if (player != null) {
                        room.arena().rename(player, from.name);
                    }
                }
            }
            case Roster.SwitchModel change -> {
                from.model = Math.clamp(change.model(), 0, MOST_MODELS);
                room.relay(from, new Roster.SwitchModel(from.model));
            }
            case Roster.SwitchTeam change -> {
                if (maySpeak(now, from)) {
                    setTeam(from, change.team(), SWITCHED);
                }
            }
            case Roster.ClientSetTeam change ->
                    room.session(change.cn())
                            .filter(victim -> victim.joined() && masters.outranks(from, victim))
                            .ifPresent(victim -> setTeam(victim, change.team(), FORCED));
            case Roster.Spectator change ->
                    room.session(change.cn())
                            .filter(who -> who.joined() && maySpectate(from, who, change.val()))
                            .ifPresent(who -> spectate(who, change.val()));
            default -> dismiss(from, DisconnectReason.MESSAGE_ERROR);
        }
    }

    private void setTeam(SauerbratenSession who, String team, int reason) {
        String clean = CubeText.team(team);
        if (match.mode().teams() && !clean.isEmpty() && !clean.equals(who.team)) {
            die(who);
            who.team = clean;
            room.sendAll(new Roster.SetTeam(who.cn, clean, reason));
        }
    }

    private boolean maySpectate(SauerbratenSession from, SauerbratenSession who, boolean val) {
        return masters.isMaster(from) || (from == who && (val || !masters.locked()));
    }

    /** Makes somebody a spectator, or a player who may spawn. */
    void spectate(SauerbratenSession who, boolean val) {
        if (val == (who.presence == Presence.SPECTATOR)) {
            return;
        }
        die(who);
        who.presence = val ? Presence.SPECTATOR : Presence.DEAD;
        room.sendAll(new Roster.Spectator(who.cn, val));
    }

    private void edited(SauerbratenSession from, Edit edit) {
        if (!match.mode().coopEdit()) {
            if (edit instanceof Edit.MapData || edit instanceof Edit.GetMap) {
                room.tell(from, "maps are sent and fetched in coop edit only");
            } else {
                dismiss(from, DisconnectReason.MESSAGE_ERROR);
            }
            return;
        }
        switch (edit) {
            case Edit.EditMode change -> {
                if (from.presence != (change.on() ? Presence.ALIVE : Presence.EDITING)) {
                    return;
                }
                from.presence = change.on() ? Presence.EDITING : Presence.ALIVE;
                room.relay(from, edit);
            }
            case Edit.ClientUndo undo ->
                    room.sendOthers(from.cn, new Edit.Undo(from.cn, undo.packed()));
            case Edit.ClientRedo redo ->
                    room.sendOthers(from.cn, new Edit.Redo(from.cn, redo.packed()));
            case Edit.ClientClipboard clip ->
                    room.sendOthers(from.cn, new Edit.Clipboard(from.cn, clip.packed()));
            case Edit.GetMap _ -> match.fetchMap(from);
            case Edit.MapData map -> match.storeMap(from, map.file());
            case Edit.Undo _, Edit.Redo _, Edit.Clipboard _, Edit.SendMap _ ->
                    dismiss(from, DisconnectReason.MESSAGE_ERROR);
            default -> {
                if (from.presence != Presence.SPECTATOR) {
                    room.relay(from, edit);
                }
            }
        }
    }

    private void demo(SauerbratenSession from, Demo demo) {
        switch (demo) {
            case Demo.ListDemos _ -> room.send(from, new Demo.SendDemoList(List.of()));
            default -> room.tell(from, "this server records no demos");
        }
    }
}

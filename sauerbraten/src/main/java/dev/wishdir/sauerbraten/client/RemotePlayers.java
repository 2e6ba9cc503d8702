package dev.wishdir.sauerbraten.client;

import dev.wishdir.arena.PlayerAction;
import dev.wishdir.game.Client.RemotePlayer;
import dev.wishdir.game.ClientListener;
import dev.wishdir.motion.Movement;
import dev.wishdir.sauerbraten.message.ActionMessage;
import dev.wishdir.sauerbraten.message.BotMessage;
import dev.wishdir.sauerbraten.message.ChatMessage;
import dev.wishdir.sauerbraten.message.CubeText;
import dev.wishdir.sauerbraten.message.LifeMessage;
import dev.wishdir.sauerbraten.message.Pos;
import dev.wishdir.sauerbraten.message.RosterMessage;
import dev.wishdir.sauerbraten.message.SauerbratenMessage;
import dev.wishdir.sauerbraten.movement.SauerbratenMotion;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Who else is on a server, as a headless client knows it. Somebody has a body from the first
 * position of their present life until they die, leave or the map changes; positions of an earlier
 * life, which come late, are ignored as the original ignores them.
 */
final class RemotePlayers {
    private static final int ALIVE = 0;
    private static final int EDITING = 4;
    private static final int NO_LIFE = -1;

    /** The most clients and bots that a server can number. */
    private static final int MAX_OTHERS = 512;

    private static final class Other {
        final int cn;
        String name;
        int lifeseq = NO_LIFE;
        @Nullable Movement movement;

        Other(int cn, String name) {
            this.cn = cn;
            this.name = name;
        }
    }

    private final SauerbratenClient client;
    private final ClientListener listener;
    private SauerbratenMotion motion = SauerbratenMotion.CENTERED;
    private final Map<Integer, Other> others = new LinkedHashMap<>();
    private int self = -1;

    RemotePlayers(SauerbratenClient client, ClientListener listener) {
        this.client = client;
        this.listener = listener;
    }

    /** Where canonical places are on the map that is played. */
    void locate(SauerbratenMotion motion) {
        this.motion = motion;
    }

    /** The client's own number, whose messages are not about another. */
    void self(int cn) {
        self = cn;
    }

    /** Everyone with a body. */
    Collection<RemotePlayer> seen() {
        List<RemotePlayer> remote = new ArrayList<>();
        for (Other other : others.values()) {
            if (other.movement != null) {
                remote.add(new RemotePlayer(other.cn, other.name, other.movement));
            }
        }
        return remote;
    }

    /** The name of a client, empty if it is not known. */
    private String name(int cn) {
        Other other = others.get(cn);
        return other == null ? "" : other.name;
    }

    /** Takes in what a message tells of others. */
    void received(long now, SauerbratenMessage message) {
        switch (message) {
            case Pos m -> moved(now, m);
            case LifeMessage.Died m -> died(m.victim());
            case LifeMessage.ForceDeath m -> died(m.cn());
            case LifeMessage.Resume m -> m.players().forEach(this::resume);
            case RosterMessage.InitClient m -> named(m.cn(), m.name());
            case BotMessage.InitAi m -> named(m.cn(), m.name());
            case RosterMessage.CDis m -> left(m.cn());
            case RosterMessage.Spectator m when m.val() -> died(m.cn());
            case ChatMessage.SayTeam m -> said(m.cn(), m.text());
            case ActionMessage.ShotFx m -> acted(m.cn(), PlayerAction.ATTACK);
            default -> {}
        }
    }

    /** Takes in what another client has sent. */
    void relayed(int from, SauerbratenMessage message) {
        switch (message) {
            case LifeMessage.Spawn m -> spawned(from, m.state().lifeseq());
            case RosterMessage.SwitchName m -> named(from, m.name());
            case ChatMessage.Text m -> said(from, m.text());
            case ActionMessage.Taunt _ -> acted(from, PlayerAction.TAUNT);
            default -> {}
        }
    }

    private void said(int cn, String text) {
        listener.onChat(client, name(cn), CubeText.chat(text));
    }

    private void acted(int cn, PlayerAction action) {
        Other other = others.get(cn);
        if (other != null && other.movement != null) {
            listener.onAction(client, new RemotePlayer(cn, other.name, other.movement), action);
        }
    }

    /** An act of the client's own; a blow is one that hits nobody. */
    ActionMessage own(PlayerAction action, int id, Movement self) {
        return switch (action) {
            case ATTACK ->
                    new ActionMessage.Shoot(
                            id,
                            0,
                            motion.ahead(self, 0),
                            motion.ahead(self, SauerbratenMotion.REACH),
                            List.of());
            case TAUNT -> new ActionMessage.Taunt();
        };
    }

    private void named(int cn, String name) {
        Other other = find(cn);
        if (other != null) {
            other.name = name;
        }
    }

    /** Another client, known from now on; null for the client itself. */
    private @Nullable Other find(int cn) {
        if (cn == self || cn < 0 || others.size() >= MAX_OTHERS && !others.containsKey(cn)) {
            return null;
        }
        return others.computeIfAbsent(cn, _ -> new Other(cn, ""));
    }

    /** Somebody was there before, with the life that they live. */
    private void resume(LifeMessage.Score score) {
        if (score.state() == ALIVE || score.state() == EDITING) {
            spawned(score.cn(), score.body().lifeseq());
        } else {
            died(score.cn());
        }
    }

    private void spawned(int cn, int lifeseq) {
        Other other = find(cn);
        if (other != null) {
            vanish(other);
            other.lifeseq = lifeseq;
        }
    }

    private void died(int cn) {
        Other other = others.get(cn);
        if (other != null) {
            other.lifeseq = NO_LIFE;
            vanish(other);
        }
    }

    private void left(int cn) {
        Other other = others.remove(cn);
        if (other != null) {
            vanish(other);
        }
    }

    /** Nobody has a body any more: the map has changed. */
    void clear() {
        for (Other other : List.copyOf(others.values())) {
            died(other.cn);
        }
    }

    private void vanish(Other other) {
        Movement last = other.movement;
        if (last != null) {
            other.movement = null;
            listener.onVanished(client, new RemotePlayer(other.cn, other.name, last));
        }
    }

    private void moved(long now, Pos pos) {
        Other other = others.get(pos.cn());
        if (other == null || other.lifeseq == NO_LIFE || (other.lifeseq & 1) != pos.lifeseq()) {
            return;
        }
        boolean appeared = other.movement == null;
        Movement movement = motion.toCanonical(pos);
        other.movement = movement;
        RemotePlayer remote = new RemotePlayer(other.cn, other.name, movement);
        if (appeared) {
            listener.onAppeared(client, remote);
        } else {
            listener.onMoved(client, now, remote);
        }
    }
}

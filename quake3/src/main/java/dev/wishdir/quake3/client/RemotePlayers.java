package dev.wishdir.quake3.client;

import dev.wishdir.game.Client;
import dev.wishdir.game.Client.RemotePlayer;
import dev.wishdir.game.ClientListener;
import dev.wishdir.motion.Movement;
import dev.wishdir.quake3.message.EntityField;
import dev.wishdir.quake3.message.EntityState;
import dev.wishdir.quake3.movement.Quake3Motion;
import dev.wishdir.quake3.protocol.Configstrings;
import dev.wishdir.quake3.protocol.Frame;
import dev.wishdir.quake3.protocol.Quake3Text;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.Objects;

/** The other players as a client sees them, and what it tells its listener of them. */
final class RemotePlayers {
    private static final int PLAYER = 1;

    /** A number of a player has eight bits. */
    private static final int MAX_PLAYERS = 1 << 8;

    /** One who is seen, and the entity that it was seen by. */
    private static final class Shown {
        RemotePlayer remote;
        EntityState entity;

        Shown(RemotePlayer remote, EntityState entity) {
            this.remote = remote;
            this.entity = entity;
        }
    }

    private final Client self;
    private final ClientListener listener;
    private final Configstrings configstrings;
    private final @Nullable Shown[] shown = new Shown[MAX_PLAYERS];

    /** Whom the last frame showed. */
    private BitSet present = new BitSet(EntityState.MAX_CLIENTS);

    /** Who may be called otherwise in the next frame. */
    private final BitSet renamed = new BitSet(EntityState.MAX_CLIENTS);

    RemotePlayers(Client self, ClientListener listener, Configstrings configstrings) {
        this.self = self;
        this.listener = listener;
        this.configstrings = configstrings;
    }

    Collection<RemotePlayer> seen() {
        return Arrays.stream(shown).filter(Objects::nonNull).map(each -> each.remote).toList();
    }

    /** A configstring has changed. */
    void renamed(int index) {
        if (index >= Configstrings.PLAYERS && index < Configstrings.PLAYERS + MAX_PLAYERS) {
            renamed.set(index - Configstrings.PLAYERS);
        }
    }

    /** A level begins: nobody is seen any more. */
    void forget() {
        present.clear();
        renamed.clear();
        for (int id = 0; id < MAX_PLAYERS; id++) {
            vanish(id);
        }
    }

    private void vanish(int id) {
        Shown gone = shown[id];
        shown[id] = null;
        if (gone != null) {
            listener.onVanished(self, gone.remote);
        }
    }

    /** Takes in whom a frame shows. */
    void frame(long now, Frame frame) {
        BitSet before = present;
        present = new BitSet(EntityState.MAX_CLIENTS);
        for (int i = 0; i < frame.size(); i++) {
            EntityState entity = frame.state(i);
            int id = entity.get(EntityField.CLIENT_NUM);
            if (entity.get(EntityField.E_TYPE) == PLAYER && id != self.id()) {
                present.set(id);
                see(now, id, entity);
            }
        }
        renamed.clear();
        before.andNot(present);
        for (int id = before.nextSetBit(0); id >= 0; id = before.nextSetBit(id + 1)) {
            vanish(id);
        }
    }

    private void see(long now, int id, EntityState entity) {
        Shown known = shown[id];
        if (known == null) {
            RemotePlayer remote = new RemotePlayer(id, name(id), Quake3Motion.movement(entity));
            shown[id] = new Shown(remote, entity);
            listener.onAppeared(self, remote);
            return;
        }
        EntityState was = known.entity;
        boolean called = renamed.get(id);
        if (!called && was.equals(entity)) {
            return;
        }
        Movement before = known.remote.movement();
        RemotePlayer remote =
                new RemotePlayer(
                        id, called ? name(id) : known.remote.name(), Quake3Motion.movement(entity));
        known.remote = remote;
        known.entity = entity;
        if (!before.equals(remote.movement())) {
            listener.onMoved(self, now, remote);
        }
        if (was.get(EntityField.EVENT) != entity.get(EntityField.EVENT)) {
            Quake3Motion.act(entity).ifPresent(action -> listener.onAction(self, remote, action));
        }
    }

    private String name(int player) {
        return Quake3Text.shown(configstrings.player(player).get("n"));
    }
}

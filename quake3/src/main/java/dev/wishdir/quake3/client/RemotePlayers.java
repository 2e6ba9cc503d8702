package dev.wishdir.quake3.client;

import dev.wishdir.game.Client;
import dev.wishdir.game.Client.RemotePlayer;
import dev.wishdir.game.ClientListener;
import dev.wishdir.motion.Movement;
import dev.wishdir.quake3.message.EntityField;
import dev.wishdir.quake3.message.EntityState;
import dev.wishdir.quake3.movement.PlayerBody;
import dev.wishdir.quake3.movement.Quake3Motion;
import dev.wishdir.quake3.protocol.Configstrings;
import dev.wishdir.quake3.protocol.Frame;
import dev.wishdir.quake3.protocol.Quake3Text;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.Objects;

/** The other players in a client's snapshots; calls its listener when they change. */
final class RemotePlayers {
    private static final int PLAYER = 1;

    /** Client numbers have eight bits. */
    private static final int MAX_PLAYERS = 1 << 8;

    /** A visible player with its newest entity state. */
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
    private final @Nullable Shown[] visible = new Shown[MAX_PLAYERS];

    /** Client numbers of the players in the last frame. */
    private BitSet present = new BitSet(EntityState.MAX_CLIENTS);

    /** Client numbers whose configstring has changed since the last frame. */
    private final BitSet renamed = new BitSet(EntityState.MAX_CLIENTS);

    RemotePlayers(Client self, ClientListener listener, Configstrings configstrings) {
        this.self = self;
        this.listener = listener;
        this.configstrings = configstrings;
    }

    Collection<RemotePlayer> seen() {
        return Arrays.stream(visible).filter(Objects::nonNull).map(each -> each.remote).toList();
    }

    /** Marks a changed configstring. */
    void renamed(int index) {
        if (index >= Configstrings.PLAYERS && index < Configstrings.PLAYERS + MAX_PLAYERS) {
            renamed.set(index - Configstrings.PLAYERS);
        }
    }

    /** Removes all players at a new level. */
    void forget() {
        present.clear();
        renamed.clear();
        for (int id = 0; id < MAX_PLAYERS; id++) {
            remove(id);
        }
    }

    private void remove(int id) {
        Shown removed = visible[id];
        visible[id] = null;
        if (removed != null) {
            listener.onVanished(self, removed.remote);
        }
    }

    /** Updates the players from a frame. */
    void frame(long now, Frame frame) {
        BitSet before = present;
        present = new BitSet(EntityState.MAX_CLIENTS);
        for (int i = 0; i < frame.size(); i++) {
            EntityState entity = frame.state(i);
            int id = entity.get(EntityField.CLIENT_NUM);
            if (isLivingPlayer(entity) && id != self.id()) {
                present.set(id);
                update(now, id, entity);
            }
        }
        renamed.clear();
        before.andNot(present);
        for (int id = before.nextSetBit(0); id >= 0; id = before.nextSetBit(id + 1)) {
            remove(id);
        }
    }

    /** A corpse has the client number of its player, which may live again elsewhere. */
    static boolean isLivingPlayer(EntityState entity) {
        return entity.get(EntityField.E_TYPE) == PLAYER
                && (entity.get(EntityField.E_FLAGS) & PlayerBody.EF_DEAD) == 0;
    }

    private void update(long now, int id, EntityState entity) {
        Shown known = visible[id];
        if (known == null) {
            RemotePlayer remote = new RemotePlayer(id, name(id), Quake3Motion.movement(entity));
            visible[id] = new Shown(remote, entity);
            listener.onAppeared(self, remote);
            return;
        }
        EntityState oldEntity = known.entity;
        boolean isRenamed = renamed.get(id);
        if (!isRenamed && oldEntity.equals(entity)) {
            return;
        }
        Movement before = known.remote.movement();
        RemotePlayer remote =
                new RemotePlayer(
                        id,
                        isRenamed ? name(id) : known.remote.name(),
                        Quake3Motion.movement(entity));
        known.remote = remote;
        known.entity = entity;
        if (!before.equals(remote.movement())) {
            listener.onMoved(self, now, remote);
        }
        if (oldEntity.get(EntityField.EVENT) != entity.get(EntityField.EVENT)) {
            Quake3Motion.action(entity)
                    .ifPresent(action -> listener.onAction(self, remote, action));
        }
    }

    private String name(int player) {
        return Quake3Text.shown(configstrings.player(player).get("n"));
    }
}

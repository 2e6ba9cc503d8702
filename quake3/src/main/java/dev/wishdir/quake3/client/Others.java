package dev.wishdir.quake3.client;

import dev.wishdir.game.Client;
import dev.wishdir.game.Client.Seen;
import dev.wishdir.game.ClientListener;
import dev.wishdir.quake3.message.EntityField;
import dev.wishdir.quake3.message.EntityState;
import dev.wishdir.quake3.movement.Quake3Motion;
import dev.wishdir.quake3.protocol.Configstrings;
import dev.wishdir.quake3.protocol.Frame;
import dev.wishdir.quake3.protocol.Quake3Text;

import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** The other players as a client sees them, and what it tells its listener of them. */
final class Others {
    private static final int PLAYER = 1;

    /** One who is seen, and the entity that it was seen by. */
    private record Shown(Seen seen, EntityState entity) {}

    private final Client self;
    private final ClientListener listener;
    private final Configstrings configstrings;
    private final Map<Integer, Shown> shown = new LinkedHashMap<>();

    /** Somebody may be called otherwise in the next frame. */
    private boolean renamed;

    /** The names of players by number, as far as the configstrings have been asked for them. */
    private final Map<Integer, String> names = new HashMap<>();

    Others(Client self, ClientListener listener, Configstrings configstrings) {
        this.self = self;
        this.listener = listener;
        this.configstrings = configstrings;
    }

    Collection<Seen> seen() {
        return shown.values().stream().map(Shown::seen).toList();
    }

    /** Configstrings have changed. */
    void renamed() {
        names.clear();
        renamed = true;
    }

    /** A level begins: nobody is seen any more. */
    void forget() {
        Collection<Seen> gone = seen();
        shown.clear();
        names.clear();
        gone.forEach(each -> listener.vanished(self, each));
    }

    /** Takes in whom a frame shows. */
    void frame(long now, Frame frame) {
        BitSet present = new BitSet(EntityState.MAX_CLIENTS);
        for (int i = 0; i < frame.size(); i++) {
            EntityState entity = frame.state(i);
            int id = entity.get(EntityField.CLIENT_NUM);
            if (entity.get(EntityField.E_TYPE) == PLAYER && id != self.id()) {
                present.set(id);
                see(now, id, entity);
            }
        }
        renamed = false;
        if (shown.size() > present.cardinality()) {
            for (Seen each : seen()) {
                if (!present.get(each.id())) {
                    shown.remove(each.id());
                    listener.vanished(self, each);
                }
            }
        }
    }

    private void see(long now, int id, EntityState entity) {
        Shown before = shown.get(id);
        if (before != null && !renamed && before.entity.equals(entity)) {
            return;
        }
        Seen is =
                new Seen(
                        id,
                        before == null || renamed ? name(id) : before.seen.name(),
                        Quake3Motion.movement(entity));
        shown.put(id, new Shown(is, entity));
        if (before == null) {
            listener.appeared(self, is);
            return;
        }
        if (!before.seen.movement().equals(is.movement())) {
            listener.moved(self, now, is);
        }
        if (before.entity.get(EntityField.EVENT) != entity.get(EntityField.EVENT)) {
            Quake3Motion.act(entity).ifPresent(act -> listener.acted(self, is, act));
        }
    }

    private String name(int player) {
        return names.computeIfAbsent(
                player, id -> Quake3Text.shown(configstrings.player(id).get("n")));
    }
}

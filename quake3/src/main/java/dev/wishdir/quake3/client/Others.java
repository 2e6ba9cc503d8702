package dev.wishdir.quake3.client;

import dev.wishdir.game.Client;
import dev.wishdir.game.Client.Seen;
import dev.wishdir.game.ClientListener;
import dev.wishdir.motion.Movement;
import dev.wishdir.quake3.message.EntityField;
import dev.wishdir.quake3.message.EntityState;
import dev.wishdir.quake3.movement.Quake3Motion;
import dev.wishdir.quake3.protocol.Configstrings;
import dev.wishdir.quake3.protocol.Frame;
import dev.wishdir.quake3.protocol.Quake3Text;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The other players as a client sees them, and what it tells its listener of them. */
final class Others {
    private static final int PLAYER = 1;

    private final Client self;
    private final ClientListener listener;
    private final Configstrings configstrings;
    private final Map<Integer, Seen> seen = new LinkedHashMap<>();

    /** The events of those who are seen. */
    private final Map<Integer, Integer> events = new HashMap<>();

    /** The names of players by number, as far as the configstrings have been asked for them. */
    private final Map<Integer, String> names = new HashMap<>();

    Others(Client self, ClientListener listener, Configstrings configstrings) {
        this.self = self;
        this.listener = listener;
        this.configstrings = configstrings;
    }

    Collection<Seen> seen() {
        return Collections.unmodifiableCollection(seen.values());
    }

    /** Configstrings have changed. */
    void renamed() {
        names.clear();
    }

    /** A level begins: nobody is seen any more. */
    void forget() {
        List<Seen> gone = new ArrayList<>(seen.values());
        seen.clear();
        names.clear();
        events.clear();
        gone.forEach(each -> listener.vanished(self, each));
    }

    /** Takes in whom a frame shows. */
    void frame(long now, Frame frame) {
        BitSet present = new BitSet(EntityState.MAX_CLIENTS);
        for (int i = 0; i < frame.size(); i++) {
            EntityState entity = frame.state(i);
            int id = entity.get(EntityField.CLIENT_NUM);
            if (entity.get(EntityField.E_TYPE) != PLAYER || id == self.id()) {
                continue;
            }
            present.set(id);
            see(now, id, Quake3Motion.movement(entity));
            watch(id, entity);
        }
        if (seen.size() > present.cardinality()) {
            for (Seen each : List.copyOf(seen.values())) {
                if (!present.get(each.id())) {
                    seen.remove(each.id());
                    events.remove(each.id());
                    listener.vanished(self, each);
                }
            }
        }
    }

    private void see(long now, int id, Movement moved) {
        Seen is = new Seen(id, name(id), moved);
        Seen before = seen.put(id, is);
        if (before == null) {
            listener.appeared(self, is);
        } else if (!before.movement().equals(moved)) {
            listener.moved(self, now, is);
        }
    }

    /** Tells the listener of an act that is new. */
    private void watch(int id, EntityState entity) {
        int event = entity.get(EntityField.EVENT);
        Integer before = events.put(id, event);
        Seen other = seen.get(id);
        if (before != null && before != event && other != null) {
            Quake3Motion.act(entity).ifPresent(act -> listener.acted(self, other, act));
        }
    }

    private String name(int player) {
        return names.computeIfAbsent(
                player, id -> Quake3Text.shown(configstrings.player(id).get("n")));
    }
}

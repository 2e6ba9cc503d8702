package dev.wishdir.quake2;

import dev.wishdir.quake2.message.EntityDelta;
import dev.wishdir.quake2.message.EntityState;
import dev.wishdir.quake2.message.PlayerDelta;
import dev.wishdir.quake2.message.PlayerState;
import dev.wishdir.wire.Writer;

import java.util.Arrays;

/**
 * The sending side of frames for one client: what it was sent in the last sixteen, so that each is
 * a delta of the newest one that it has told to have. What doesn't fit into the room goes by
 * priority: the nearest first, and what has waited longest before what was just sent.
 */
final class FrameSender {
    /** A client takes the frame that it has for a base up to this age, frames. */
    private static final int OLDEST_BASE = 12;

    /** The most entities that a client holds in a frame. */
    private static final int MOST_ENTITIES = 128;

    /** How much nearer a held entity counts, so that two at the rim don't take turns. */
    private static final double KEPT = 0.8;

    /** The most bytes of one entity's delta. */
    private static final int MOST_DELTA = 64;

    private static final int REMEMBERED = Snapshots.REMEMBERED;

    /** The entities of a frame as the client holds them, by their number. */
    private static final class Sent {
        int number;
        PlayerState player = PlayerState.ZERO;
        EntityState[] entities = {};
    }

    private final Sent[] ring = new Sent[REMEMBERED];
    private final Writer deltas = new Writer(MOST_DELTA * (Scene.MOST + 1));
    private int[] starts = {};
    private int[] lengths = {};
    private int[] waited = {};
    private long[] order = {};
    private boolean[] chosen = {};
    private EntityState[] seen = {};
    private int count;

    FrameSender() {
        Arrays.setAll(ring, _ -> new Sent());
    }

    /** Forgets what was sent: another map begins. */
    void reset() {
        for (Sent sent : ring) {
            sent.number = 0;
        }
    }

    /**
     * Writes a frame.
     *
     * @param number of the frame, more than of the one before
     * @param acknowledged the newest frame that the client can use, 0 or less for none
     * @param end the position that the writer must not pass
     * @return how many entities that changed were left for a later frame
     */
    int write(
            Writer w,
            int number,
            Scene scene,
            int acknowledged,
            int suppressed,
            PlayerState player,
            int end) {
        int entities = scene.size();
        grow(entities);
        Sent base = base(number, acknowledged);
        int delta = base.number == 0 ? -1 : base.number;
        w.u8("svc", 20);
        w.i32le("frame", number);
        w.i32le("delta", delta);
        w.u8("suppress", suppressed);
        w.u8("areabytes", scene.areaBytes());
        for (int i = 0; i < scene.areaBytes(); i++) {
            w.u8("areabits", 0xFF);
        }
        w.u8("playerinfo", 17);
        PlayerDelta.wire(w, PlayerDelta.between(base.player, player));
        w.u8("packetentities", 18);
        see(scene, base, player);
        int left = choose(scene, base, player, end - w.position() - 2);
        remember(number, scene, base, player);
        for (int i = 1; i < entities; i++) {
            if (chosen[i]) {
                w.append(deltas.array(), starts[i], lengths[i]);
            }
        }
        w.u16le("end", 0);
        return left;
    }

    private void grow(int entities) {
        if (starts.length < entities) {
            starts = new int[entities];
            lengths = new int[entities];
            order = new long[entities];
            chosen = new boolean[entities];
            seen = new EntityState[entities];
            waited = Arrays.copyOf(waited, entities);
        }
    }

    private Sent base(int number, int acknowledged) {
        Sent base = ring[acknowledged & REMEMBERED - 1];
        boolean usable =
                acknowledged > 0
                        && number - acknowledged <= OLDEST_BASE
                        && number > acknowledged
                        && base.number == acknowledged;
        return usable ? base : new Sent();
    }

    private static EntityState held(Sent base, int entity) {
        return entity < base.entities.length ? base.entities[entity] : Scene.NOTHING;
    }

    /** Of more than a client holds it sees the nearest, those that it has a little longer. */
    private void see(Scene scene, Sent base, PlayerState player) {
        count = 0;
        for (int i = 1; i < scene.size(); i++) {
            seen[i] = scene.entity(i);
            if (!Scene.isNothing(seen[i])) {
                double away = away(seen[i], player) * (Scene.isNothing(held(base, i)) ? 1 : KEPT);
                order[count++] = (long) (away * 1000) << 16 | i;
            }
        }
        if (count > MOST_ENTITIES) {
            Arrays.sort(order, 0, count);
            for (int k = MOST_ENTITIES; k < count; k++) {
                seen[(int) order[k] & 0xFFFF] = Scene.NOTHING;
            }
        }
    }

    /** Encodes what changed and chooses what fits; gives how many were left out. */
    private int choose(Scene scene, Sent base, PlayerState player, int room) {
        deltas.reset();
        count = 0;
        int total = 0;
        for (int i = 1; i < scene.size(); i++) {
            EntityState had = held(base, i);
            EntityState now = seen[i];
            chosen[i] = false;
            if (Scene.isNothing(had) && Scene.isNothing(now)) {
                waited[i] = 0;
                continue;
            }
            if (encode(i, had, now)) {
                total += lengths[i];
                order[count++] = (long) rank(i, now, player) << 32 | i;
            }
        }
        if (total <= room) {
            for (int k = 0; k < count; k++) {
                chosen[(int) order[k]] = true;
            }
            Arrays.fill(waited, 0);
            return 0;
        }
        Arrays.sort(order, 0, count);
        int held = 0;
        for (EntityState entity : base.entities) {
            held += Scene.isNothing(entity) ? 0 : 1;
        }
        int left = 0;
        for (int k = 0; k < count; k++) {
            int i = (int) order[k];
            boolean added = Scene.isNothing(held(base, i));
            boolean removed = Scene.isNothing(seen[i]);
            if (lengths[i] <= room && (!added || held < MOST_ENTITIES)) {
                chosen[i] = true;
                room -= lengths[i];
                held += added ? 1 : removed ? -1 : 0;
                waited[i] = 0;
            } else {
                waited[i]++;
                left++;
            }
        }
        return left;
    }

    private boolean encode(int i, EntityState had, EntityState now) {
        EntityDelta delta;
        if (Scene.isNothing(now)) {
            delta = EntityDelta.removal(i);
        } else if (Scene.isNothing(had)) {
            delta = EntityDelta.between(i, EntityState.ZERO, now, true);
        } else {
            delta = EntityDelta.between(i, had, now, false);
            if (delta.isEmpty()) {
                waited[i] = 0;
                return false;
            }
        }
        starts[i] = deltas.position();
        EntityDelta.wire(deltas, delta);
        lengths[i] = deltas.position() - starts[i];
        return true;
    }

    /** What goes first has the smallest rank: who is gone, then the near and long waiting. */
    private int rank(int i, EntityState now, PlayerState player) {
        if (Scene.isNothing(now)) {
            return 0;
        }
        double patience = (1.0 + waited[i]) * (1.0 + waited[i]);
        return 1 + (int) Math.min(away(now, player) * 1000 / patience, Integer.MAX_VALUE - 2.0);
    }

    private static double away(EntityState entity, PlayerState player) {
        double dx = entity.origin().x() - player.origin().x();
        double dy = entity.origin().y() - player.origin().y();
        double dz = entity.origin().z() - player.origin().z();
        return 1 + Math.sqrt(dx * dx + dy * dy + dz * dz);
    }

    /** The base is at most twelve frames old, so that its place is never this frame's. */
    private void remember(int number, Scene scene, Sent base, PlayerState player) {
        Sent sent = ring[number & REMEMBERED - 1];
        if (sent.entities.length != scene.size()) {
            sent.entities = new EntityState[scene.size()];
        }
        for (int i = 0; i < scene.size(); i++) {
            sent.entities[i] = chosen[i] ? seen[i].withoutEvent() : held(base, i).unmentioned();
        }
        sent.number = number;
        sent.player = player;
    }
}

package dev.wishdir.quake2.server;

import dev.wishdir.quake2.message.EntityState;
import dev.wishdir.quake2.message.PlayerDelta;
import dev.wishdir.quake2.message.PlayerState;
import dev.wishdir.quake2.movement.PlayerHulls;
import dev.wishdir.wire.Writer;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;

/**
 * The sending side of frames for one client: what it was sent in those that it remembers, so that
 * each is a delta of the newest one that it has told to have. What doesn't fit into the room goes
 * by priority: who would vanish otherwise, then the nearest, and what has waited longest before
 * what was just sent.
 *
 * <p>See docs/protocols/quake2.md, 3.1.
 */
final class FrameDeltaEncoder {
    /** The most entities that a client holds in a frame. */
    static final int MAX_ENTITIES = 128;

    /** No delta: nothing about the entity is told. */
    private static final int UNTOLD = -1;

    /** The entities of a frame as the client holds them, by their number. */
    private static final class Sent {
        int number;
        PlayerState player = PlayerState.ZERO;
        EntityState[] entities = {};

        EntityState entity(int i) {
            return i < entities.length ? entities[i] : FrameEntities.NOTHING;
        }
    }

    /** Nothing was sent, or nobody needs it any more. */
    private static final Sent NONE = new Sent();

    private final Sent[] ring;

    /** Those that the client will need no more, to be used again before they are old. */
    private final Deque<Sent> free = new ArrayDeque<>();

    /** None before this one is in the ring; the first is 1. */
    private int oldest = 1;

    /** A client takes the frame that it has for a base up to this age, frames. */
    private final int oldestBase;

    private final int own;
    private int[] deltas = {};
    private int[] waited = {};
    private long[] order = {};
    private EntityState[] seen = {};
    private Sent last = NONE;

    /**
     * @param remembered how many frames the client remembers
     * @param own the number of the client's own entity
     */
    FrameDeltaEncoder(int remembered, int own) {
        this.own = own;
        ring = new Sent[remembered];
        Arrays.fill(ring, NONE);
        oldestBase = remembered * 3 / 4;
    }

    /** Forgets what was sent: another map begins. */
    void reset() {
        Arrays.fill(ring, NONE);
        free.clear();
        last = NONE;
    }

    /**
     * Writes a frame.
     *
     * @param number of the frame, more than of the one before
     * @param shown the numbers of those entities that the client is to see, at most {@link
     *     #MAX_ENTITIES}
     * @param acknowledged the newest frame that the client can use, 0 or less for none
     * @param end the position that the writer must not pass
     * @return how many entities that changed were left for a later frame
     */
    int write(
            Writer w,
            int number,
            FrameEntities frameEntities,
            BitSet shown,
            int acknowledged,
            int suppressed,
            PlayerState player,
            int end) {
        int entities = frameEntities.size();
        grow(entities);
        Sent base = base(number, acknowledged);
        forgetBefore(base.number);
        int delta = base.number == 0 ? -1 : base.number;
        w.u8("svc", 20);
        w.i32le("frame", number);
        w.i32le("delta", delta);
        w.u8("suppress", suppressed);
        w.u8("areabytes", frameEntities.areaBytes());
        for (int i = 0; i < frameEntities.areaBytes(); i++) {
            w.u8("areabits", 0xFF);
        }
        w.u8("playerinfo", 17);
        PlayerDelta.wire(w, PlayerDelta.between(base.player, player));
        w.u8("packetentities", 18);
        for (int i = 1; i < entities; i++) {
            seen[i] = shown.get(i) ? seen(frameEntities, i, player) : FrameEntities.NOTHING;
        }
        int left = 0;
        int room = end - w.position() - 2;
        if (compare(frameEntities, base) > room) {
            left = choose(frameEntities, base, player, room);
        } else {
            Arrays.fill(waited, 0);
        }
        Sent sent = place(number, entities, player);
        for (int i = 1; i < entities; i++) {
            int told = deltas[i];
            if (told == UNTOLD) {
                sent.entities[i] = base.entity(i).unmentioned();
            } else {
                frameEntities.deltas().append(w, told);
                sent.entities[i] = seen[i].withoutEvent();
            }
        }
        w.u16le("end", 0);
        last = sent;
        return left;
    }

    /** The server lets who is in a body out of it; by this the client foresees the same. */
    private EntityState seen(FrameEntities frameEntities, int number, PlayerState player) {
        EntityState entity = frameEntities.entity(number);
        return number != own && PlayerHulls.meet(player, entity)
                ? frameEntities.passable(number)
                : entity;
    }

    private void grow(int entities) {
        if (deltas.length < entities) {
            deltas = new int[entities];
            order = new long[entities];
            seen = new EntityState[entities];
            waited = Arrays.copyOf(waited, entities);
        }
    }

    private Sent base(int number, int acknowledged) {
        Sent base = ring[Math.floorMod(acknowledged, ring.length)];
        boolean usable =
                acknowledged > 0
                        && number - acknowledged <= oldestBase
                        && number > acknowledged
                        && base.number == acknowledged;
        return usable ? base : NONE;
    }

    /** A client tells of none that is older than the one that it has told of. */
    private void forgetBefore(int number) {
        for (int old = Math.max(oldest, number - ring.length); old < number; old++) {
            int at = old % ring.length;
            if (ring[at].number == old) {
                free.push(ring[at]);
                ring[at] = NONE;
            }
        }
        oldest = Math.max(oldest, number);
    }

    /**
     * Where to keep a frame: a base is three quarters as old at most, so that this is never its.
     */
    private Sent place(int number, int entities, PlayerState player) {
        int at = number % ring.length;
        Sent sent = !free.isEmpty() ? free.pop() : ring[at].number == 0 ? new Sent() : ring[at];
        ring[at] = sent;
        if (sent.entities.length != entities) {
            sent.entities = new EntityState[entities];
            sent.entities[0] = FrameEntities.NOTHING;
        }
        sent.number = number;
        sent.player = player;
        return sent;
    }

    /** Finds what changed; gives how many bytes tell all of it. */
    @SuppressWarnings("ReferenceEquality") // what has not changed stays the same object
    private int compare(FrameEntities frameEntities, Sent base) {
        int total = 0;
        for (int i = 1; i < frameEntities.size(); i++) {
            EntityState had = base.entity(i);
            EntityState now = seen[i];
            deltas[i] = UNTOLD;
            if (had != now && !(FrameEntities.isNothing(had) && FrameEntities.isNothing(now))) {
                int delta = frameEntities.deltas().find(i, had, now);
                int length = frameEntities.deltas().length(delta);
                deltas[i] = length == 0 ? UNTOLD : delta;
                total += length;
            }
        }
        return total;
    }

    /** Leaves out what doesn't fit; gives how many. */
    private int choose(FrameEntities frameEntities, Sent base, PlayerState player, int room) {
        int count = 0;
        int held = 0;
        for (int i = 1; i < frameEntities.size(); i++) {
            held += FrameEntities.isNothing(base.entity(i)) ? 0 : 1;
            if (deltas[i] == UNTOLD) {
                waited[i] = 0;
            } else {
                // In a whole frame all would vanish, and nobody else would ever come into sight.
                boolean goes =
                        base.number != 0
                                && FrameEntities.isNothing(base.entity(i))
                                && !FrameEntities.isNothing(last.entity(i));
                order[count++] = (goes ? 0 : (long) rank(i, seen[i], player) << 32) | i;
            }
        }
        Arrays.sort(order, 0, count);
        int left = 0;
        int free = room;
        for (int k = 0; k < count; k++) {
            int i = (int) order[k];
            boolean added = FrameEntities.isNothing(base.entity(i));
            boolean removed = FrameEntities.isNothing(seen[i]);
            int length = frameEntities.deltas().length(deltas[i]);
            if (length <= free && (!added || held < MAX_ENTITIES)) {
                free -= length;
                held += added ? 1 : removed ? -1 : 0;
                waited[i] = 0;
            } else {
                deltas[i] = UNTOLD;
                waited[i]++;
                left++;
            }
        }
        return left;
    }

    /** What goes first has the smallest rank: who is gone, then the near and long waiting. */
    private int rank(int i, EntityState now, PlayerState player) {
        if (FrameEntities.isNothing(now)) {
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
}

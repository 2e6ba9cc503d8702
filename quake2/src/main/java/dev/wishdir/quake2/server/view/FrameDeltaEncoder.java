package dev.wishdir.quake2.server.view;

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
 * Encodes the frames of one client as deltas of the newest frame that it has acknowledged. It keeps
 * the frames that the client remembers. Entities that do not fit into a packet are chosen by
 * priority: first those that would disappear otherwise, then by distance and by how long they have
 * waited.
 *
 * <p>See docs/protocols/quake2.md, 3.1.
 */
public final class FrameDeltaEncoder {
    /** Maximum number of entities in a frame of a client. */
    public static final int MAX_ENTITIES = 128;

    /** No delta: the entity is not in the frame. */
    private static final int OMITTED = -1;

    /** The entities of a frame as the client has them, by their number. */
    private static final class SentFrame {
        int number;
        PlayerState player = PlayerState.ZERO;
        EntityState[] entities = {};

        EntityState entity(int i) {
            return i < entities.length ? entities[i] : FrameEntities.NOTHING;
        }
    }

    /** No frame, or one that is no longer needed. */
    private static final SentFrame NONE = new SentFrame();

    private final SentFrame[] ring;

    /** Frames that are no longer needed, for reuse while they are in the young generation. */
    private final Deque<SentFrame> free = new ArrayDeque<>();

    /** No frame before this one is in the ring; the first is 1. */
    private int oldest = 1;

    /** Maximum age of a delta base, frames. */
    private final int maxBaseAge;

    private final int own;
    private int[] deltas = {};
    private int[] waited = {};
    private long[] order = {};
    private EntityState[] current = {};
    private SentFrame last = NONE;

    /**
     * @param remembered how many frames the client remembers
     * @param own number of the client's own entity
     */
    public FrameDeltaEncoder(int remembered, int own) {
        this.own = own;
        ring = new SentFrame[remembered];
        Arrays.fill(ring, NONE);
        maxBaseAge = remembered * 3 / 4;
    }

    /** Forgets all frames, as another map starts. */
    public void reset() {
        Arrays.fill(ring, NONE);
        free.clear();
        last = NONE;
    }

    /**
     * Writes a frame.
     *
     * @param number greater than that of the frame before
     * @param visible numbers of the entities that the client sees, at most {@link #MAX_ENTITIES}
     * @param acknowledged newest frame that the client can use as a base, 0 or less for none
     * @param end position that the writer must not exceed
     * @return number of changed entities that are deferred to a later frame
     */
    public int write(
            Writer w,
            int number,
            FrameEntities frameEntities,
            BitSet visible,
            int acknowledged,
            int suppressed,
            PlayerState player,
            int end) {
        int entities = frameEntities.size();
        grow(entities);
        SentFrame base = base(number, acknowledged);
        freeBefore(base.number);
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
            current[i] = visible.get(i) ? current(frameEntities, i, player) : FrameEntities.NOTHING;
        }
        int deferred = 0;
        int room = end - w.position() - 2;
        if (compare(frameEntities, base) > room) {
            deferred = choose(frameEntities, base, player, room);
        } else {
            Arrays.fill(waited, 0);
        }
        SentFrame sent = place(number, entities, player);
        for (int i = 1; i < entities; i++) {
            int entityDelta = deltas[i];
            if (entityDelta == OMITTED) {
                sent.entities[i] = base.entity(i).unmentioned();
            } else {
                frameEntities.deltas().append(w, entityDelta);
                sent.entities[i] = current[i].withoutEvent();
            }
        }
        w.u16le("end", 0);
        last = sent;
        return deferred;
    }

    /**
     * An entity as the client sees it: passable if the client's body overlaps it, as the server
     * lets it out; so the client predicts the same.
     */
    private EntityState current(FrameEntities frameEntities, int number, PlayerState player) {
        EntityState entity = frameEntities.entity(number);
        return number != own && PlayerHulls.overlaps(player, entity)
                ? frameEntities.passable(number)
                : entity;
    }

    private void grow(int entities) {
        if (deltas.length < entities) {
            deltas = new int[entities];
            order = new long[entities];
            current = new EntityState[entities];
            waited = Arrays.copyOf(waited, entities);
        }
    }

    private SentFrame base(int number, int acknowledged) {
        SentFrame base = ring[Math.floorMod(acknowledged, ring.length)];
        boolean usable =
                acknowledged > 0
                        && number - acknowledged <= maxBaseAge
                        && number > acknowledged
                        && base.number == acknowledged;
        return usable ? base : NONE;
    }

    /** Frees frames before the base: a client never acknowledges an older one. */
    private void freeBefore(int number) {
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
     * Takes a place for a frame. A base has at most three quarters of the ring's age, so the
     * replaced frame is never the base.
     */
    private SentFrame place(int number, int entities, PlayerState player) {
        int at = number % ring.length;
        SentFrame sent =
                !free.isEmpty() ? free.pop() : ring[at].number == 0 ? new SentFrame() : ring[at];
        ring[at] = sent;
        if (sent.entities.length != entities) {
            sent.entities = new EntityState[entities];
            sent.entities[0] = FrameEntities.NOTHING;
        }
        sent.number = number;
        sent.player = player;
        return sent;
    }

    /**
     * Finds the changed entities.
     *
     * @return bytes of all their deltas
     */
    @SuppressWarnings("ReferenceEquality") // an unchanged state stays the same object
    private int compare(FrameEntities frameEntities, SentFrame base) {
        int total = 0;
        for (int i = 1; i < frameEntities.size(); i++) {
            EntityState before = base.entity(i);
            EntityState now = current[i];
            deltas[i] = OMITTED;
            if (before != now && (before.exists() || now.exists())) {
                int delta = frameEntities.deltas().find(i, before, now);
                int length = frameEntities.deltas().length(delta);
                deltas[i] = length == 0 ? OMITTED : delta;
                total += length;
            }
        }
        return total;
    }

    /**
     * Omits the changes that don't fit.
     *
     * @return their number
     */
    private int choose(FrameEntities frameEntities, SentFrame base, PlayerState player, int room) {
        int count = 0;
        int entityCount = 0;
        for (int i = 1; i < frameEntities.size(); i++) {
            entityCount += base.entity(i).exists() ? 1 : 0;
            if (deltas[i] == OMITTED) {
                waited[i] = 0;
            } else {
                // Without a base all would disappear, and no other entity could ever become
                // visible.
                boolean wouldDisappear =
                        base.number != 0 && !base.entity(i).exists() && last.entity(i).exists();
                order[count++] =
                        (wouldDisappear ? 0 : (long) rank(i, current[i], player) << 32) | i;
            }
        }
        Arrays.sort(order, 0, count);
        int deferred = 0;
        int free = room;
        for (int k = 0; k < count; k++) {
            int i = (int) order[k];
            boolean added = !base.entity(i).exists();
            boolean removed = !current[i].exists();
            int length = frameEntities.deltas().length(deltas[i]);
            if (length <= free && (!added || entityCount < MAX_ENTITIES)) {
                free -= length;
                entityCount += added ? 1 : removed ? -1 : 0;
                waited[i] = 0;
            } else {
                deltas[i] = OMITTED;
                waited[i]++;
                deferred++;
            }
        }
        return deferred;
    }

    /** Rank of a change, lowest first: removed entities, then near and long waiting ones. */
    private int rank(int i, EntityState now, PlayerState player) {
        if (!now.exists()) {
            return 0;
        }
        double weight = (1.0 + waited[i]) * (1.0 + waited[i]);
        return 1 + (int) Math.min(distance(now, player) * 1000 / weight, Integer.MAX_VALUE - 2.0);
    }

    private static double distance(EntityState entity, PlayerState player) {
        double dx = entity.origin().x() - player.origin().x();
        double dy = entity.origin().y() - player.origin().y();
        double dz = entity.origin().z() - player.origin().z();
        return 1 + Math.sqrt(dx * dx + dy * dy + dz * dz);
    }
}

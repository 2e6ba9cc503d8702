package dev.wishdir.quake2.protocol;

import dev.wishdir.quake2.message.EntityDelta;
import dev.wishdir.quake2.message.EntityState;
import dev.wishdir.quake2.message.Frame;
import dev.wishdir.quake2.message.PlayerState;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The received frames that serve as delta bases, and the baselines of new entities. See
 * docs/protocols/quake2.md, 3.1 and 3.4.
 */
public final class FrameHistory {
    /** Number of frames that both sides remember. */
    public static final int REMEMBERED_FRAMES = 16;

    /**
     * Number of frames that both sides remember at more than ten frames a second: 2.1 s at 120. A
     * full frame has no room for all players of a full arena and takes longer to read, so it keeps
     * a client behind that is behind.
     */
    public static final int FAST_REMEMBERED_FRAMES = 256;

    /** Maximum number of entities with a baseline. */
    private static final int MAX_BASELINES = 1024;

    public record Numbered(int number, EntityState state) {}

    /**
     * A decoded frame.
     *
     * @param usable false if its delta base was not known: then its content is wrong
     * @param entities ascending by number
     */
    public record Snapshot(
            int number, boolean usable, PlayerState player, List<Numbered> entities) {
        /** The state before the first frame. */
        public static final Snapshot EMPTY = new Snapshot(0, true, PlayerState.ZERO, List.of());

        /** The entity with a number. */
        public Optional<EntityState> entity(int number) {
            for (Numbered entity : entities) {
                if (entity.number == number) {
                    return Optional.of(entity.state);
                }
            }
            return Optional.empty();
        }
    }

    private final Map<Integer, EntityState> baselines = new HashMap<>();
    private final Snapshot[] ring;

    /** No frame before this one is kept. */
    private int oldest;

    public FrameHistory() {
        this(REMEMBERED_FRAMES);
    }

    /**
     * @param remembered number of frames that are kept
     */
    public FrameHistory(int remembered) {
        ring = new Snapshot[remembered];
        reset();
    }

    /** Forgets all, as another map starts. */
    public void reset() {
        baselines.clear();
        Arrays.fill(ring, Snapshot.EMPTY);
        oldest = 0;
    }

    /**
     * Frees the frames before this one, as no later frame has them as a base; they would live long
     * enough to reach the old generation.
     */
    public void freeBefore(int number) {
        for (int old = Math.max(oldest, number - ring.length); old < number; old++) {
            ring[Math.floorMod(old, ring.length)] = Snapshot.EMPTY;
        }
        oldest = Math.max(oldest, number);
    }

    /** Adds a baseline: the state of an entity when it is new. */
    public void baseline(EntityDelta entity) {
        if (baselines.size() < MAX_BASELINES || baselines.containsKey(entity.number())) {
            baselines.put(entity.number(), entity.applyTo(EntityState.ZERO));
        }
    }

    /** The delta base of a frame; an empty frame if it has none, or a lost one. */
    public Snapshot base(Frame frame) {
        if (frame.delta() <= 0) {
            return Snapshot.EMPTY;
        }
        Snapshot base = ring[Math.floorMod(frame.delta(), ring.length)];
        return base.number == frame.delta() && base.usable ? base : Snapshot.EMPTY;
    }

    /** The state of an entity when it is new. */
    public EntityState baseline(int number) {
        return baselines.getOrDefault(number, EntityState.ZERO);
    }

    /** Adds a decoded frame. */
    public void put(Snapshot snapshot) {
        ring[Math.floorMod(snapshot.number, ring.length)] = snapshot;
    }

    /** Decodes a frame. */
    public Snapshot apply(Frame frame) {
        Snapshot base = base(frame);
        boolean usable = frame.delta() <= 0 || base.number == frame.delta();
        List<Numbered> entities = new ArrayList<>(base.entities.size() + frame.entities().size());
        int at = 0;
        for (EntityDelta delta : frame.entities()) {
            while (at < base.entities.size() && base.entities.get(at).number < delta.number()) {
                entities.add(unmentioned(base.entities.get(at++)));
            }
            EntityState from =
                    at < base.entities.size() && base.entities.get(at).number == delta.number()
                            ? base.entities.get(at++).state
                            : baselines.getOrDefault(delta.number(), EntityState.ZERO);
            if (!delta.removes()) {
                entities.add(new Numbered(delta.number(), delta.applyTo(from)));
            }
        }
        while (at < base.entities.size()) {
            entities.add(unmentioned(base.entities.get(at++)));
        }
        Snapshot snapshot =
                new Snapshot(
                        frame.number(),
                        usable,
                        frame.player().applyTo(base.player),
                        Collections.unmodifiableList(entities));
        put(snapshot);
        return snapshot;
    }

    /** The same object if it stays as it was, as most entities do. */
    private static Numbered unmentioned(Numbered entity) {
        EntityState state = entity.state.unmentioned();
        return state.equals(entity.state) ? entity : new Numbered(entity.number, state);
    }
}

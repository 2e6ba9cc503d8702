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
 * The receiving side of frames: those that are remembered, and the baselines of what is new in one.
 * See docs/protocols/quake2.md, 3.1 and 3.4.
 */
public final class FrameHistory {
    /** How many frames both sides remember. */
    public static final int REMEMBERED = 16;

    /**
     * How many frames both sides remember where there are more than ten a second: 2.1 s of 120. A
     * whole frame has no room for all who are in a full arena, and takes longer to read, which
     * keeps behind who is.
     */
    public static final int REMEMBERED_OF_MORE = 256;

    /** The most entities with a baseline. */
    private static final int MAX_BASELINES = 1024;

    /** An entity and its number. */
    public record Numbered(int number, EntityState state) {}

    /**
     * A frame after its deltas.
     *
     * @param usable false if the frame that it is a delta of was not known: what it says is then
     *     wrong
     * @param entities ascending by number
     */
    public record Snapshot(
            int number, boolean usable, PlayerState player, List<Numbered> entities) {
        /** Before the first. */
        public static final Snapshot EMPTY = new Snapshot(0, true, PlayerState.ZERO, List.of());

        /** The entity of a number, if there is one. */
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

    /** None before this one is remembered. */
    private int oldest;

    /** Nothing has come yet. */
    public FrameHistory() {
        this(REMEMBERED);
    }

    /**
     * Nothing has come yet.
     *
     * @param remembered how many frames are kept
     */
    public FrameHistory(int remembered) {
        ring = new Snapshot[remembered];
        reset();
    }

    /** Forgets all: another map begins. */
    public void reset() {
        baselines.clear();
        Arrays.fill(ring, Snapshot.EMPTY);
        oldest = 0;
    }

    /**
     * No frame that is still to come is a delta of an older one than this: what is kept for nobody
     * would be kept long enough to be old to the garbage collector.
     */
    public void forgetBefore(int number) {
        for (int old = Math.max(oldest, number - ring.length); old < number; old++) {
            ring[Math.floorMod(old, ring.length)] = Snapshot.EMPTY;
        }
        oldest = Math.max(oldest, number);
    }

    /** Takes in what an entity looks like when it is new. */
    public void baseline(EntityDelta entity) {
        if (baselines.size() < MAX_BASELINES || baselines.containsKey(entity.number())) {
            baselines.put(entity.number(), entity.applyTo(EntityState.ZERO));
        }
    }

    /** The frame that a frame is a delta of; an empty one where it is of none, or of one lost. */
    public Snapshot base(Frame frame) {
        if (frame.delta() <= 0) {
            return Snapshot.EMPTY;
        }
        Snapshot base = ring[Math.floorMod(frame.delta(), ring.length)];
        return base.number == frame.delta() && base.usable ? base : Snapshot.EMPTY;
    }

    /** Takes in a frame. */
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
        ring[Math.floorMod(frame.number(), ring.length)] = snapshot;
        return snapshot;
    }

    /** The same object where it stays as it was, as most of what is remembered does. */
    private static Numbered unmentioned(Numbered entity) {
        EntityState state = entity.state.unmentioned();
        return state.equals(entity.state) ? entity : new Numbered(entity.number, state);
    }
}

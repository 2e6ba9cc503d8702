package dev.wishdir.quake3.protocol;

import dev.wishdir.quake3.message.EntityDelta;
import dev.wishdir.quake3.message.EntityState;
import dev.wishdir.quake3.message.ServerMessage.Gamestate;
import dev.wishdir.quake3.message.ServerMessage.Snapshot;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;

/** The receiver's delta bases: the frames of the last 32 messages, and the baselines. */
public final class FrameHistory {
    /** Number of messages whose frames are kept. */
    static final int DEPTH = 32;

    private final @Nullable Frame[] frames = new Frame[DEPTH];
    private final int[] sequences = new int[DEPTH];
    private final Map<Integer, EntityState> baselines = new HashMap<>();

    /** Resets for a new level. */
    public void gamestate(Gamestate gamestate) {
        Arrays.fill(frames, null);
        baselines.clear();
        for (EntityDelta baseline : gamestate.baselines()) {
            baselines.put(baseline.number(), EntityState.ZERO.apply(baseline.changes()));
        }
    }

    /** The frame of a message, or null if there is none. */
    public @Nullable Frame get(int sequence) {
        int slot = sequence & DEPTH - 1;
        return sequences[slot] == sequence ? frames[slot] : null;
    }

    /** Adds the frame of a message, null if it has none. */
    public void put(int sequence, @Nullable Frame frame) {
        int slot = sequence & DEPTH - 1;
        sequences[slot] = sequence;
        frames[slot] = frame;
    }

    /** The baselines of the level by number. */
    public Map<Integer, EntityState> baselines() {
        return Collections.unmodifiableMap(baselines);
    }

    /** The delta base of a snapshot; {@link Frame#EMPTY} also if it is lost. */
    public Frame base(int sequence, int deltaNum) {
        Frame base = deltaNum == 0 ? Frame.EMPTY : get(sequence - deltaNum);
        return base == null ? Frame.EMPTY : base;
    }

    /**
     * Adds a snapshot.
     *
     * @return its frame, or null if its delta base is lost, so that it can't be decoded
     */
    public @Nullable Frame add(int sequence, Snapshot snapshot) {
        Frame base = snapshot.deltaNum() == 0 ? Frame.EMPTY : get(sequence - snapshot.deltaNum());
        if (base != null && snapshot.deltaNum() != 0) {
            forgetBefore(sequence - snapshot.deltaNum());
        }
        Frame frame = base == null ? null : base.apply(snapshot, baselines);
        put(sequence, frame);
        return frame;
    }

    /**
     * Drops unused frames: a server uses no delta base older than the newest acknowledged one. Kept
     * longer, they would be promoted to the garbage collector's old generation.
     */
    private void forgetBefore(int sequence) {
        for (int slot = 0; slot < DEPTH; slot++) {
            if (sequences[slot] < sequence) {
                frames[slot] = null;
            }
        }
    }
}

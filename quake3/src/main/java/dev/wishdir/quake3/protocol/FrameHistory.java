package dev.wishdir.quake3.protocol;

import dev.wishdir.quake3.message.EntityDelta;
import dev.wishdir.quake3.message.EntityState;
import dev.wishdir.quake3.message.ServerMessage.Gamestate;
import dev.wishdir.quake3.message.ServerMessage.Snapshot;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** The frames of the last 32 messages, and the baselines: what a receiver needs for deltas. */
public final class FrameHistory {
    /** How many messages back a base may lie. */
    static final int DEPTH = 32;

    private final @Nullable Frame[] frames = new Frame[DEPTH];
    private final int[] sequences = new int[DEPTH];
    private final Map<Integer, EntityState> baselines = new HashMap<>();

    /** A new level: nothing of the old one is left. */
    public void gamestate(Gamestate gamestate) {
        Arrays.fill(frames, null);
        baselines.clear();
        for (EntityDelta baseline : gamestate.baselines()) {
            baselines.put(baseline.number(), EntityState.ZERO.apply(baseline.changes()));
        }
    }

    /** The frame of a message; null where it is not known any more, or never was. */
    @Nullable Frame get(int sequence) {
        int slot = sequence & DEPTH - 1;
        return sequences[slot] == sequence ? frames[slot] : null;
    }

    /** What a snapshot in a message is against; {@link Frame#EMPTY} also where that is lost. */
    public Frame base(int sequence, int deltaNum) {
        Frame base = deltaNum == 0 ? Frame.EMPTY : get(sequence - deltaNum);
        return base == null ? Frame.EMPTY : base;
    }

    /**
     * Takes a snapshot in.
     *
     * @return where it leads; null where its base is lost, so that it is worth nothing
     */
    public @Nullable Frame add(int sequence, Snapshot snapshot) {
        Frame base = snapshot.deltaNum() == 0 ? Frame.EMPTY : get(sequence - snapshot.deltaNum());
        if (base != null && snapshot.deltaNum() != 0) {
            forgetBefore(sequence - snapshot.deltaNum());
        }
        int slot = sequence & DEPTH - 1;
        sequences[slot] = sequence;
        frames[slot] = base == null ? null : base.apply(snapshot, baselines);
        return frames[slot];
    }

    /**
     * A server makes no delta against an older frame than the newest that it was told of: what is
     * kept for nobody would be kept long enough to be old to the garbage collector.
     */
    private void forgetBefore(int sequence) {
        for (int slot = 0; slot < DEPTH; slot++) {
            if (sequences[slot] < sequence) {
                frames[slot] = null;
            }
        }
    }
}

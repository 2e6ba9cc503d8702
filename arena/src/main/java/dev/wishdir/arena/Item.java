package dev.wishdir.arena;

import dev.wishdir.blocks.ItemKind;
import dev.wishdir.blocks.PlacedItem;
import dev.wishdir.motion.Vec3;

/** An item of a level that is played. Owned by the arena's thread. */
public final class Item {
    private static final long PRESENT = Long.MIN_VALUE;

    private final int number;
    private final PlacedItem placed;

    /** When it returns; {@link #PRESENT} if it lies there. */
    private long back = PRESENT;

    Item(int number, PlacedItem placed) {
        this.number = number;
        this.placed = placed;
    }

    /** Its place in the list of its level, from 0. */
    public int number() {
        return number;
    }

    public PlacedItem placed() {
        return placed;
    }

    public ItemKind kind() {
        return placed.kind();
    }

    /** The middle of its base, metres. */
    public Vec3 place() {
        return placed.place();
    }

    /** Whether it lies there, so that a player can take it. */
    public boolean isPresent() {
        return back == PRESENT;
    }

    long back() {
        return back;
    }

    void take(long now) {
        back = now + placed.returnTime().toNanos();
    }

    void giveBack() {
        back = PRESENT;
    }

    @Override
    public String toString() {
        return placed.kind() + " " + number;
    }
}

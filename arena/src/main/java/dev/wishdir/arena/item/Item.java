package dev.wishdir.arena.item;

import dev.wishdir.arena.event.PlayerId;
import dev.wishdir.arena.player.ActivePlayer;
import dev.wishdir.blocks.arena.ItemKind;
import dev.wishdir.blocks.arena.PlacedItem;
import dev.wishdir.motion.Vec3;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Optional;

/** An item of a level that is played. Owned by the arena's thread. */
public final class Item {
    /** The item was not taken in this round. */
    private static final long NEVER = Long.MIN_VALUE / 2;

    /**
     * Largest difference between an item's returns on two servers, by what they know of each
     * other's clocks.
     */
    private static final long MAX_APART_NANOS = 500_000_000;

    /** Servers report places as numbers of single precision. */
    private static final double SAME_PLACE_METRES = 0.01;

    private final int number;
    private final PlacedItem placed;

    private boolean present = true;

    /** Time of its return, to come or past. */
    private long back = NEVER;

    /** Whether it was taken in this round. */
    private boolean taken;

    /** The player that took it last; null if it was not known here any more. */
    private @Nullable ActivePlayer taker;

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
        return present;
    }

    /**
     * Time of its return, nanoseconds of the arena's clock.
     *
     * @return the time of its last return, or one long past, if it is present
     */
    public long back() {
        return back;
    }

    /** Whether a player took it, and it has not returned. */
    boolean isTaken() {
        return taken && !present;
    }

    /** The player that took it last, if that is still here. */
    Optional<PlayerId> taker() {
        return Optional.ofNullable(taker).filter(ActivePlayer::isHere).map(player -> player.id);
    }

    void take(@Nullable ActivePlayer by, long until) {
        present = false;
        taken = true;
        taker = by;
        back = until;
    }

    /** Players of two servers took it before one knew of the other: it returns for the first. */
    void advanceReturn(long until) {
        back = Math.min(back, until);
    }

    /** Whether a time is clearly before that of its return. */
    boolean isBeforeReturn(long until) {
        return back - until > MAX_APART_NANOS;
    }

    /**
     * Comparison of a pickup on another server with the last one: below 0 if it is known or over, 0
     * if both servers had the item then, above 0 if it is a later one.
     *
     * @param until when the item returns
     */
    int comparePickup(long until) {
        if (!present && !taken) {
            // It has not been there in this round, by this server's clock.
            return 1;
        }
        long apart = until - back;
        if (present) {
            return apart > MAX_APART_NANOS ? 1 : -1;
        }
        return Math.abs(apart) <= placed.returnTime().toNanos() - MAX_APART_NANOS
                ? 0
                : Long.signum(apart);
    }

    void giveBack() {
        present = true;
    }

    /** A round starts: it lies there, or will after the first time of its kind. */
    void reset(long now) {
        Duration first = kind().firstTime();
        present = first.isZero();
        back = present ? NEVER : now + first.toNanos();
        taken = false;
        taker = null;
    }

    /** Whether an item of another server is this one; the name that a game gives it aside. */
    boolean isLike(PlacedItem other) {
        return other.kind() == placed.kind()
                && other.returnTime().equals(placed.returnTime())
                && other.place().distance(placed.place()) < SAME_PLACE_METRES;
    }

    @Override
    public String toString() {
        return placed.kind() + " " + number;
    }
}

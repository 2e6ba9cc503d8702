package dev.wishdir.blocks.arena;

import dev.wishdir.motion.Vec3;

import java.time.Duration;

/**
 * An item of a level.
 *
 * @param place the middle of its base, metres
 * @param returnTime after how long it returns once it is taken
 * @param classname what its own game calls it; empty if the level is of no game
 */
public record PlacedItem(ItemKind kind, Vec3 place, Duration returnTime, String classname) {
    /** The longest time after which an item returns. */
    public static final Duration MAX_RETURN_TIME = Duration.ofHours(1);

    /** More items than the largest stock maps have. */
    public static final int MAX_ITEMS = 256;

    /**
     * @throws IllegalArgumentException if the place is not finite, or the return time is below one
     *     second or above {@link #MAX_RETURN_TIME}
     */
    public PlacedItem {
        if (!place.isFinite()) {
            throw new IllegalArgumentException("an item's place must be finite, is " + place);
        }
        if (returnTime.compareTo(Duration.ofSeconds(1)) < 0
                || returnTime.compareTo(MAX_RETURN_TIME) > 0) {
            throw new IllegalArgumentException(
                    "an item returns after 1 s to 1 h, not after " + returnTime.toMillis() + " ms");
        }
    }

    /** An item of an arena, which returns after the time of its kind. */
    public PlacedItem(ItemKind kind, Vec3 place) {
        this(kind, place, kind.returnTime(), "");
    }
}

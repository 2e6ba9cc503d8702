package dev.wishdir.quake2.server;

import dev.wishdir.quake2.message.PlayerState;
import dev.wishdir.quake2.message.Stats;

/** The overlay that a client requested: scoreboard or inventory. */
final class Overlay {
    /** Key of its state in the {@link ReliableChannel}. */
    static final String KIND = "overlay";

    private static final int SCORES = 1;
    private static final int INVENTORY = 2;

    /** Interval of scoreboard updates, frames of the game's ten a second. */
    private static final int REFRESH_FRAMES = 32;

    private int shown;

    /** Whether the scoreboard came on without a request of the client. */
    private boolean pending;

    /**
     * Toggles the scoreboard.
     *
     * @return whether it is on
     */
    boolean toggleScores() {
        return toggle(SCORES);
    }

    /**
     * Toggles the inventory.
     *
     * @return whether it is on
     */
    boolean toggleInventory() {
        return toggle(INVENTORY);
    }

    private boolean toggle(int overlay) {
        shown = shown == overlay ? 0 : overlay;
        return shown == overlay;
    }

    /** Shows the scoreboard. */
    void showScores() {
        shown = SCORES;
        pending = true;
    }

    /** Hides the overlay. */
    void putAway() {
        shown = 0;
    }

    /** Whether the scoreboard is on and due for an update in this frame; asked once. */
    boolean takeDue(int frame) {
        boolean due = shown == SCORES && (pending || frame % REFRESH_FRAMES == 0);
        pending = false;
        return due;
    }

    /** The player state with the overlay's stat. */
    PlayerState apply(PlayerState state) {
        return shown == 0 ? state : state.with(state.stats().with(Stats.LAYOUTS, shown));
    }
}

package dev.wishdir.quake2.server.match;

import dev.wishdir.quake2.message.PlayerState;
import dev.wishdir.quake2.message.Stats;

/** The overlay that a client requested: scoreboard or inventory. */
public final class Overlay {
    /** Key of its state in the {@code ReliableChannel}. */
    public static final String KIND = "overlay";

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
    public boolean toggleScores() {
        return toggle(SCORES);
    }

    /**
     * Toggles the inventory.
     *
     * @return whether it is on
     */
    public boolean toggleInventory() {
        return toggle(INVENTORY);
    }

    private boolean toggle(int overlay) {
        shown = shown == overlay ? 0 : overlay;
        return shown == overlay;
    }

    /** Shows the scoreboard. */
    public void showScores() {
        shown = SCORES;
        pending = true;
    }

    /** Hides the overlay. */
    public void putAway() {
        shown = 0;
    }

    /** Whether the scoreboard is on and due for an update in this frame; asked once. */
    public boolean takeDue(int frame) {
        boolean due = shown == SCORES && (pending || frame % REFRESH_FRAMES == 0);
        pending = false;
        return due;
    }

    /** The player state with the overlay's stat. */
    public PlayerState apply(PlayerState state) {
        return shown == 0 ? state : state.with(state.stats().with(Stats.LAYOUTS, shown));
    }
}

package dev.wishdir.quake2.server;

import dev.wishdir.quake2.message.PlayerState;
import dev.wishdir.quake2.message.Stats;

/** What a client asked to have over its view: the board of scores, or what it carries. */
final class Overlay {
    /** What is told about it, as a kind of state of a {@link ReliableChannel}. */
    static final String KIND = "overlay";

    private static final int SCORES = 1;
    private static final int INVENTORY = 2;

    /** A board that is shown is told again so often, in frames of the game's ten a second. */
    private static final int REFRESH_FRAMES = 32;

    private int shown;

    /** The board goes on or off; whether it is on. */
    boolean toggleScores() {
        return toggle(SCORES);
    }

    /** The list of what is carried goes on or off; whether it is on. */
    boolean toggleInventory() {
        return toggle(INVENTORY);
    }

    private boolean toggle(int what) {
        shown = shown == what ? 0 : what;
        return shown == what;
    }

    /** Nothing is over the view any more. */
    void putAway() {
        shown = 0;
    }

    /** Whether the board is shown, and told again with this frame. */
    boolean isDue(int frame) {
        return shown == SCORES && frame % REFRESH_FRAMES == 0;
    }

    /** The state that tells the client what to draw. */
    PlayerState over(PlayerState state) {
        return shown == 0 ? state : state.with(state.stats().with(Stats.LAYOUTS, shown));
    }
}

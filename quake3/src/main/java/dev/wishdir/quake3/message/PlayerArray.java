package dev.wishdir.quake3.message;

/** The arrays of a player state, in wire order. */
public enum PlayerArray {
    STATS(16),
    PERSISTANT(16),
    AMMO(16),
    POWERUPS(32);

    /** Values of each array. */
    public static final int LENGTH = 16;

    private final int width;

    PlayerArray(int width) {
        this.width = width;
    }

    /** Bits of a value, which is signed. */
    int width() {
        return width;
    }
}

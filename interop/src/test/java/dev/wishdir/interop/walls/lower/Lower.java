package dev.wishdir.interop.walls.lower;

/** What the test of the walls looks at: used from above, and written, as no field may be. */
public final class Lower {
    public int written;
}

package dev.wishdir.interop.walls.lower;

/** What the test of the walls looks at: used from above. */
public final class Lower {}

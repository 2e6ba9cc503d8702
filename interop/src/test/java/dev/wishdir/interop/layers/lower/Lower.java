package dev.wishdir.interop.layers.lower;

/** What ModuleDependencyTest looks at: used from above, and written, as no field may be. */
public final class Lower {
    public int written;
}

package dev.wishdir.interop.layers.upper;

import dev.wishdir.interop.layers.lower.Lower;

/** What ModuleDependencyTest looks at: uses what is below. */
record Upper(Lower lower) {
    void write() {
        lower.written = 1;
    }
}

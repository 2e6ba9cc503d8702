package dev.wishdir.interop.walls.upper;

import dev.wishdir.interop.walls.lower.Lower;

/** What the test of the walls looks at: uses what is below. */
record Upper(Lower lower) {
    void write() {
        lower.written = 1;
    }
}

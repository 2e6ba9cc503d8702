/** Recordings of captures, of demos, and of what a client sees on a server. */
@NullMarked
package dev.wishdir.app.record;

import org.jspecify.annotations.NullMarked;

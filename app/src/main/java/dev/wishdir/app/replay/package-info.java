/** Recordings whose players walk again: as ghosts in an arena, or as the way of a bot. */
@NullMarked
package dev.wishdir.app.replay;

import org.jspecify.annotations.NullMarked;

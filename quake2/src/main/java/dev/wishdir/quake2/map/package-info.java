/** Maps: generated from arenas, and loaded from the operator's game folder. Uses the movement. */
@NullMarked
package dev.wishdir.quake2.map;

import org.jspecify.annotations.NullMarked;

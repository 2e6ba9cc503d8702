/**
 * The game's maps and the pk3 files that hold them, read and written. Uses {@code movement} for
 * units and what stops a body.
 */
@NullMarked
package dev.wishdir.quake3.map;

import org.jspecify.annotations.NullMarked;

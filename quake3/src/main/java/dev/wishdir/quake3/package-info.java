/** Quake III, ioquake3 and OpenArena over their netchan. */
@NullMarked
package dev.wishdir.quake3;

import org.jspecify.annotations.NullMarked;

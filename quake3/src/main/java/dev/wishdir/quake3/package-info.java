/** The entry point of Quake III, ioquake3 and OpenArena. */
@NullMarked
package dev.wishdir.quake3;

import org.jspecify.annotations.NullMarked;

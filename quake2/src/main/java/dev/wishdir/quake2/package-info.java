/** Quake II, protocol 34: the entry point of the game. Uses all packages below. */
@NullMarked
package dev.wishdir.quake2;

import org.jspecify.annotations.NullMarked;

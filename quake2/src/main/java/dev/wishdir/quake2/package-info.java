/** Quake II, protocol 34: where the game enters the application. Uses all packages below. */
@NullMarked
package dev.wishdir.quake2;

import org.jspecify.annotations.NullMarked;

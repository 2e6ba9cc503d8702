/** Quake II over its netchan. */
@NullMarked
package dev.wishdir.quake2;

import org.jspecify.annotations.NullMarked;

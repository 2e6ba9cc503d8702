/**
 * Maps: the generated one, and those of the operator, in folders and archives. Uses the movement.
 */
@NullMarked
package dev.wishdir.quake2.map;

import org.jspecify.annotations.NullMarked;

/** The canonical movement and collision space that all games share, with their units and axes. */
@NullMarked
package dev.wishdir.motion;

import org.jspecify.annotations.NullMarked;

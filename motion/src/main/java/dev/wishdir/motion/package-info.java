/** The canonical movement that all games share, with its units and axes. */
@NullMarked
package dev.wishdir.motion;

import org.jspecify.annotations.NullMarked;

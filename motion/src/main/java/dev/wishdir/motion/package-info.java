/** The canonical movement: units, axes, and what is plausible. */
@NullMarked
package dev.wishdir.motion;

import org.jspecify.annotations.NullMarked;

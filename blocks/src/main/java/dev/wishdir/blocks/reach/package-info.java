/** Reachability of an arena for a body, and the validation of arenas by it. */
@NullMarked
package dev.wishdir.blocks.reach;

import org.jspecify.annotations.NullMarked;

/** What a body reaches in an arena, and the validation of arenas by it. */
@NullMarked
package dev.wishdir.blocks.reach;

import org.jspecify.annotations.NullMarked;

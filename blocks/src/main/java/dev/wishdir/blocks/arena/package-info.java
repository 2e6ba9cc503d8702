/** An arena of blocks: text, catalogue, limits, items and courses. */
@NullMarked
package dev.wishdir.blocks.arena;

import org.jspecify.annotations.NullMarked;

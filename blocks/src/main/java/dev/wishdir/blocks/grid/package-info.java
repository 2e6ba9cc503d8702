/** Blocks, materials, faces and light. */
@NullMarked
package dev.wishdir.blocks.grid;

import org.jspecify.annotations.NullMarked;

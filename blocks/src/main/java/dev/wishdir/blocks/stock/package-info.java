/** Conversion of stock maps to blocks. */
@NullMarked
package dev.wishdir.blocks.stock;

import org.jspecify.annotations.NullMarked;

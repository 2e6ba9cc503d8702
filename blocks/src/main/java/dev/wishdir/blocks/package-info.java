/**
 * An arena of blocks of one metre: its text, what is solid of it, how it looks, where it is bad.
 */
@NullMarked
package dev.wishdir.blocks;

import org.jspecify.annotations.NullMarked;

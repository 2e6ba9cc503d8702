/**
 * The game's maps and pk3 files, read and written. Uses {@code movement} for units and contents.
 */
@NullMarked
package dev.wishdir.quake3.map;

import org.jspecify.annotations.NullMarked;

/** The arena that all games share, map changes and downloads. */
@NullMarked
package dev.wishdir.game.level;

import org.jspecify.annotations.NullMarked;

/** Names and texts in a game's character set. */
@NullMarked
package dev.wishdir.game.text;

import org.jspecify.annotations.NullMarked;

/** Converts between the game's movement and the canonical one. Uses the messages. */
@NullMarked
package dev.wishdir.sauerbraten.movement;

import org.jspecify.annotations.NullMarked;

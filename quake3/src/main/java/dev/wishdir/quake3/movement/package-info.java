/**
 * How a player moves: the game's physics, the body that it moves, and the translation from and to
 * the canonical movement. Uses {@code message}.
 */
@NullMarked
package dev.wishdir.quake3.movement;

import org.jspecify.annotations.NullMarked;

/**
 * The movement of players: the game's physics, bodies, and conversion from and to the canonical
 * movement. Uses {@code message}.
 */
@NullMarked
package dev.wishdir.quake3.movement;

import org.jspecify.annotations.NullMarked;

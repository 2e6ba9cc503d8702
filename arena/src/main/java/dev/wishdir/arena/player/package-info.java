/** Players of the arena: names, spawn points, and the level of each game. */
@NullMarked
package dev.wishdir.arena.player;

import org.jspecify.annotations.NullMarked;

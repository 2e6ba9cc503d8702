/** The flags of a match of two teams, and the players that take, drop, return and capture them. */
@NullMarked
package dev.wishdir.arena.flag;

import org.jspecify.annotations.NullMarked;

/** Cube 2: Sauerbraten over ENet: the entry point of the game, which uses the packages below. */
@NullMarked
package dev.wishdir.sauerbraten;

import org.jspecify.annotations.NullMarked;

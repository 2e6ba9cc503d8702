/**
 * Cube 2: Sauerbraten over ENet. Here is its entry alone; it uses the packages below, which are
 * laid out as in the other games.
 */
@NullMarked
package dev.wishdir.sauerbraten;

import org.jspecify.annotations.NullMarked;

/** Items that lie in the level, and the players that take them. */
@NullMarked
package dev.wishdir.arena.item;

import org.jspecify.annotations.NullMarked;

/** Events of the arena, and the words that they are made of. */
@NullMarked
package dev.wishdir.arena.event;

import org.jspecify.annotations.NullMarked;

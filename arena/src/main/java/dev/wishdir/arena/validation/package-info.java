/** Limits of movement, shots and rates of clients, and what follows a violation. */
@NullMarked
package dev.wishdir.arena.validation;

import org.jspecify.annotations.NullMarked;

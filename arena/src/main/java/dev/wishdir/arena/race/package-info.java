/** Races: courses, runs, best times and ghosts. */
@NullMarked
package dev.wishdir.arena.race;

import org.jspecify.annotations.NullMarked;

/** Match modes at work: rounds, teams, scores, lives, and the part shared between servers. */
@NullMarked
package dev.wishdir.arena.match;

import org.jspecify.annotations.NullMarked;

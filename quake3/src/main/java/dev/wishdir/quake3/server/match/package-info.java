/** Rounds, teams, scores and their boards. */
@NullMarked
package dev.wishdir.quake3.server.match;

import org.jspecify.annotations.NullMarked;

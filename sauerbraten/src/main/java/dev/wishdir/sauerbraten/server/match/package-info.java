/** Rounds, teams, scores and their boards. */
@NullMarked
package dev.wishdir.sauerbraten.server.match;

import org.jspecify.annotations.NullMarked;

/** Rounds, teams, scores and their boards. */
@NullMarked
package dev.wishdir.bedrock.server.match;

import org.jspecify.annotations.NullMarked;

/**
 * Recordings whose players walk again: in a browser, as ghosts in an arena, as the way of a bot.
 */
@NullMarked
package dev.wishdir.app.replay;

import org.jspecify.annotations.NullMarked;

/**
 * The shared arena: players, visibility, movement relay, chat, rate limits; independent of
 * protocols.
 */
@NullMarked
package dev.wishdir.arena;

import org.jspecify.annotations.NullMarked;

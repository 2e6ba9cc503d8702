/**
 * The messages of Quake II, protocol 34, each with its walk over the wire. Uses nothing of the
 * game.
 */
@NullMarked
package dev.wishdir.quake2.message;

import org.jspecify.annotations.NullMarked;

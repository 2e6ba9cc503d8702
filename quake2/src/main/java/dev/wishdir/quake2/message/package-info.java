/**
 * The messages of Quake II, protocol 34, each with its walk over the wire. Independent of all other
 * packages.
 */
@NullMarked
package dev.wishdir.quake2.message;

import org.jspecify.annotations.NullMarked;

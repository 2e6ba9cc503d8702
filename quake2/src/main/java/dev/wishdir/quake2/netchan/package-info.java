/**
 * The netchan transport as a pure state machine, out-of-band packets, and their text formats: info
 * strings, tokens, numbers, checksums. Independent of the game.
 */
@NullMarked
package dev.wishdir.quake2.netchan;

import org.jspecify.annotations.NullMarked;

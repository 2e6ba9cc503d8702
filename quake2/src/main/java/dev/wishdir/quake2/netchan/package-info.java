/**
 * The transport as a pure state machine, packets out of band, and what is written in both: info
 * strings, words, numbers, checksums. Uses nothing of the game.
 */
@NullMarked
package dev.wishdir.quake2.netchan;

import org.jspecify.annotations.NullMarked;

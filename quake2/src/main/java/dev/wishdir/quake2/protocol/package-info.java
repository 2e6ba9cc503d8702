/**
 * What both sides must know: the numbers of the messages, frames and what they are deltas of, the
 * letters that clients can draw. Uses the messages.
 */
@NullMarked
package dev.wishdir.quake2.protocol;

import org.jspecify.annotations.NullMarked;

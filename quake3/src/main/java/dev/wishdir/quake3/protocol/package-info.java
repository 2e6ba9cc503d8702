/**
 * What both ends of a connection must know: the codec of each protocol, reliable commands, the
 * frames that snapshots are against, and the two ends themselves as pure state machines. Uses
 * {@code message} and {@code netchan}.
 */
@NullMarked
package dev.wishdir.quake3.protocol;

import org.jspecify.annotations.NullMarked;

/** Relay to viewers: which players are visible, and when movement is sent. */
@NullMarked
package dev.wishdir.arena.relay;

import org.jspecify.annotations.NullMarked;

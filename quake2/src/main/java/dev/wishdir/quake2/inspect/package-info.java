/** Dissects captures and recordings. Uses the messages, the netchan and the protocol. */
@NullMarked
package dev.wishdir.quake2.inspect;

import org.jspecify.annotations.NullMarked;

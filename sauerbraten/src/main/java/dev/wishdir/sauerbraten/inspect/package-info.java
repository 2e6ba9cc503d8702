/** Dissects captures and demos. Uses the messages and the protocol. */
@NullMarked
package dev.wishdir.sauerbraten.inspect;

import org.jspecify.annotations.NullMarked;

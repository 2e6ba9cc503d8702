/**
 * The server endpoint, through which unmodified clients join the arena. Uses every package of this
 * module but {@code client} and {@code inspect}.
 */
@NullMarked
package dev.wishdir.sauerbraten.server;

import org.jspecify.annotations.NullMarked;

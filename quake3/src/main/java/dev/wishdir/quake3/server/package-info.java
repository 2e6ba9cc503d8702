/**
 * The server side: unmodified clients join the arena. Uses all but {@code client} and {@code
 * inspect}.
 */
@NullMarked
package dev.wishdir.quake3.server;

import org.jspecify.annotations.NullMarked;

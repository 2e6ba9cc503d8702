/**
 * The server side of Quake II, through which unmodified clients join the arena. Uses all other
 * packages except client and inspect.
 */
@NullMarked
package dev.wishdir.quake2.server;

import org.jspecify.annotations.NullMarked;

/**
 * The server side of Sauerbraten, through which unmodified clients join the arena. Uses all other
 * packages except client and inspect.
 */
@NullMarked
package dev.wishdir.sauerbraten.server;

import org.jspecify.annotations.NullMarked;

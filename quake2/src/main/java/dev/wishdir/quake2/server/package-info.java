/**
 * The endpoint: unmodified clients join the arena through it. Uses all but the client and the
 * inspector.
 */
@NullMarked
package dev.wishdir.quake2.server;

import org.jspecify.annotations.NullMarked;

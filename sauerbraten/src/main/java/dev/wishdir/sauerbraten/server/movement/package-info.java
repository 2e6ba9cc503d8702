/** Movement that clients report, and teleports that the server orders. */
@NullMarked
package dev.wishdir.sauerbraten.server.movement;

import org.jspecify.annotations.NullMarked;

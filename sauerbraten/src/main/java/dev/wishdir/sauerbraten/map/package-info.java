/**
 * The game's {@code .ogz} map files: reading, writing and compiling. Uses the movement and the
 * messages.
 */
@NullMarked
package dev.wishdir.sauerbraten.map;

import org.jspecify.annotations.NullMarked;

/**
 * The game's maps, {@code .ogz} files: read, written and generated. Uses the movement and the
 * messages.
 */
@NullMarked
package dev.wishdir.sauerbraten.map;

import org.jspecify.annotations.NullMarked;

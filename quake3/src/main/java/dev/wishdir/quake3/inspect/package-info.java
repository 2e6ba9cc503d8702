/** Captures and demos, explained. Uses {@code message}, {@code netchan} and {@code protocol}. */
@NullMarked
package dev.wishdir.quake3.inspect;

import org.jspecify.annotations.NullMarked;

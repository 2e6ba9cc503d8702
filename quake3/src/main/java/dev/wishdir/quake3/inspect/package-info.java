/**
 * The dissector of captures and demos. Uses {@code message}, {@code netchan} and {@code protocol}.
 */
@NullMarked
package dev.wishdir.quake3.inspect;

import org.jspecify.annotations.NullMarked;

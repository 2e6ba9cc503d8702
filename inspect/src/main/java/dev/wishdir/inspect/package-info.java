/** Captures in, explained messages out. */
@NullMarked
package dev.wishdir.inspect;

import org.jspecify.annotations.NullMarked;

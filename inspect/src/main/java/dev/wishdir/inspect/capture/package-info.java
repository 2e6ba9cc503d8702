/** Capture files and their compressions. */
@NullMarked
package dev.wishdir.inspect.capture;

import org.jspecify.annotations.NullMarked;

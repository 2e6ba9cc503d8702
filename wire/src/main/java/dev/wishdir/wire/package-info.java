/** Messages as one walk over their fields, run to read, write or explain them. */
@NullMarked
package dev.wishdir.wire;

import org.jspecify.annotations.NullMarked;

/** One walk over the fields of a message, run to read it, to write it or to explain it. */
@NullMarked
package dev.wishdir.wire.dissect;

import org.jspecify.annotations.NullMarked;

/** Limits of what one address, prefix or peer may use. */
@NullMarked
package dev.wishdir.net.limit;

import org.jspecify.annotations.NullMarked;

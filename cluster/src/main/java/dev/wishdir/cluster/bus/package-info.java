/** The message bus and the key-value bucket, as interfaces and in memory. */
@NullMarked
package dev.wishdir.cluster.bus;

import org.jspecify.annotations.NullMarked;

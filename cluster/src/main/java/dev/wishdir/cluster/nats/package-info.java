/** The bus over NATS. */
@NullMarked
package dev.wishdir.cluster.nats;

import org.jspecify.annotations.NullMarked;

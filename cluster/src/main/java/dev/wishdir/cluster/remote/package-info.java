/** The other nodes, and their players mirrored in this arena. */
@NullMarked
package dev.wishdir.cluster.remote;

import org.jspecify.annotations.NullMarked;

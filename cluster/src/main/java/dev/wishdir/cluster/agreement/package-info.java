/** Agreements of all nodes: level, round and bans. */
@NullMarked
package dev.wishdir.cluster.agreement;

import org.jspecify.annotations.NullMarked;

/** Messages of other nodes: reading, bounds and faults, and reports to the operator. */
@NullMarked
package dev.wishdir.cluster.message;

import org.jspecify.annotations.NullMarked;

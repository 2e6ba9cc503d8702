/** A virtual network with link faults, for tests. */
@NullMarked
package dev.wishdir.net.simulation;

import org.jspecify.annotations.NullMarked;

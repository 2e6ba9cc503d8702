/** The geometry of the arena: blocks, convex brushes, tracing a moving box. */
@NullMarked
package dev.wishdir.world;

import org.jspecify.annotations.NullMarked;

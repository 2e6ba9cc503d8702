/** Collision geometry: maps of convex brushes, traces of a moving box, step-slide movement. */
@NullMarked
package dev.wishdir.world;

import org.jspecify.annotations.NullMarked;

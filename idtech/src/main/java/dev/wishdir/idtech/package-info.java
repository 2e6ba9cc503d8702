/**
 * Parts that both Quakes share: maps of IBSP 38 and 46, convex brushes, traces of a moving box,
 * MD4.
 */
@NullMarked
package dev.wishdir.idtech;

import org.jspecify.annotations.NullMarked;

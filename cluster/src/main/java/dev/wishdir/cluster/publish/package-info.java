/** Publications of a node: its players, its fights and its roster. */
@NullMarked
package dev.wishdir.cluster.publish;

import org.jspecify.annotations.NullMarked;

/**
 * The output that the dissectors of all layers share.
 *
 * <p>Not API: what is public here is for the other packages of NetherNet, and may change in any
 * release.
 */
@NullMarked
package dev.wishdir.nethernet.dissect;

import org.jspecify.annotations.NullMarked;

/**
 * The SDP of offers and answers, as far as NetherNet uses it.
 *
 * <p>Not API: what is public here is for the other packages of NetherNet, and may change in any
 * release.
 */
@NullMarked
package dev.wishdir.nethernet.sdp;

import org.jspecify.annotations.NullMarked;

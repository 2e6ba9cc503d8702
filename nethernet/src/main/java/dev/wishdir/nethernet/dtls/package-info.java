/**
 * DTLS 1.2 of one association, as a state machine, and its dissector.
 *
 * <p>Not API: what is public here is for the other packages of NetherNet, and may change in any
 * release.
 */
@NullMarked
package dev.wishdir.nethernet.dtls;

import org.jspecify.annotations.NullMarked;

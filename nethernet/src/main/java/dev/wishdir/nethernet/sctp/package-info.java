/**
 * SCTP of one association over DTLS, as a state machine.
 *
 * <p>Not API: what is public here is for the other packages of NetherNet, and may change in any
 * release.
 */
@NullMarked
package dev.wishdir.nethernet.sctp;

import org.jspecify.annotations.NullMarked;

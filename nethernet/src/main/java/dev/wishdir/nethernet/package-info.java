/**
 * NetherNet, a WebRTC transport with two data channels: HTTP signalling with signed identities,
 * ICE, DTLS 1.2, SCTP, and messages whole and in order above them.
 */
@NullMarked
package dev.wishdir.nethernet;

import org.jspecify.annotations.NullMarked;

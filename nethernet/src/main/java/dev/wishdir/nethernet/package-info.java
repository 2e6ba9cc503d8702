/**
 * NetherNet, a WebRTC transport with two data channels: HTTP signalling with signed identities,
 * ICE, DTLS 1.2, SCTP, and messages whole and in order above them.
 *
 * <p>{@link dev.wishdir.nethernet.NetherNetSocket} is the entry point for server and client, {@link
 * dev.wishdir.nethernet.NetherNetDissector} for captures. The packages below have one protocol
 * each; only {@code identity} and the advertisement of {@code discovery} are API.
 */
@NullMarked
package dev.wishdir.nethernet;

import org.jspecify.annotations.NullMarked;

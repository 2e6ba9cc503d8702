/**
 * ENet 1.3 over UDP, both sides: connections with channels, reliable and unreliable messages,
 * fragments, flow control. {@link dev.wishdir.enet.EnetHost} is where to begin. Knows no program
 * that uses it: what differs between them is in {@link dev.wishdir.enet.EnetSettings}.
 */
@NullMarked
package dev.wishdir.enet;

import org.jspecify.annotations.NullMarked;

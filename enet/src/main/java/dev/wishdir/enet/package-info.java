/**
 * ENet 1.3 over UDP, both sides: connections with channels, reliable and unreliable messages,
 * fragments, flow control. {@link dev.wishdir.enet.EnetHost} is the entry point. Independent of the
 * programs that use ENet: they differ in {@link dev.wishdir.enet.EnetSettings}.
 */
@NullMarked
package dev.wishdir.enet;

import org.jspecify.annotations.NullMarked;

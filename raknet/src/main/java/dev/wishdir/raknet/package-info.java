/**
 * RakNet over UDP: connections with reliable or unreliable, ordered or unordered messages of any
 * length.
 *
 * <p>{@link dev.wishdir.raknet.RakNetSocket} is the entry point for server and client, {@link
 * dev.wishdir.raknet.RakNetDissector} for captures. Independent of the applications that use
 * RakNet: they differ in {@link dev.wishdir.raknet.RakNetSettings}.
 */
@NullMarked
package dev.wishdir.raknet;

import org.jspecify.annotations.NullMarked;

package dev.wishdir.wire.dissect;

import java.net.InetSocketAddress;

/** The source and destination of a datagram. */
public record Flow(InetSocketAddress client, InetSocketAddress server) {}

package dev.wishdir.wire.dissect;

import java.net.InetSocketAddress;

/** Who talks to whom. */
public record Flow(InetSocketAddress client, InetSocketAddress server) {}

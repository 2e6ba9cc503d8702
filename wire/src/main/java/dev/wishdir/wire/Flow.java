package dev.wishdir.wire;

import java.net.InetSocketAddress;

/** Who talks to whom. */
public record Flow(InetSocketAddress client, InetSocketAddress server) {}

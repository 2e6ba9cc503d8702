package dev.wishdir.wire.dissect;

import java.net.InetSocketAddress;

/** The two endpoints of a conversation over UDP. */
public record Flow(InetSocketAddress client, InetSocketAddress server) {}

package dev.wishdir.net;

import java.net.InetSocketAddress;

/**
 * A request, whole and within its limits.
 *
 * @param remote who asks; behind a proxy that the operator trusts, whom it asks for
 * @param local where the connection arrived
 * @param method as it was written
 * @param path with what follows it, never more than 2,048 characters
 */
public record HttpRequest(
        InetSocketAddress remote,
        InetSocketAddress local,
        String method,
        String path,
        HttpBody body) {}

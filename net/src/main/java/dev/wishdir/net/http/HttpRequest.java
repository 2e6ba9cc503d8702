package dev.wishdir.net.http;

import java.net.InetSocketAddress;
import java.util.Objects;

/**
 * A complete HTTP request within the limits of {@link HttpSettings}.
 *
 * @param remote the client's address; behind a trusted proxy, the one that the proxy reports
 * @param local the server's address of the connection
 * @param method as received
 * @param path with its query, at most 2,048 characters
 */
public record HttpRequest(
        InetSocketAddress remote,
        InetSocketAddress local,
        String method,
        String path,
        HttpBody body) {
    public HttpRequest {
        Objects.requireNonNull(remote, "remote");
        Objects.requireNonNull(local, "local");
        Objects.requireNonNull(method, "method");
        Objects.requireNonNull(path, "path");
        Objects.requireNonNull(body, "body");
    }
}

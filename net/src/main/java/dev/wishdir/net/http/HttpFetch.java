package dev.wishdir.net.http;

import dev.wishdir.net.Requirements;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Objects;

/**
 * An HTTP request of a client.
 *
 * @param server the resolved address
 * @param host the name in the {@code Host} header and for TLS
 * @param tls whether TLS is used, and how the certificate is checked
 * @param path with its query
 * @param maxResponseBytes maximum length of the response's body
 * @param timeoutNanos time-out of the whole exchange
 */
public record HttpFetch(
        InetSocketAddress server,
        String host,
        Tls tls,
        String method,
        String path,
        HttpBody body,
        int maxResponseBytes,
        long timeoutNanos) {
    public HttpFetch {
        Requirements.destination("server", server);
        Objects.requireNonNull(host, "host");
        Objects.requireNonNull(tls, "tls");
        Objects.requireNonNull(method, "method");
        Objects.requireNonNull(path, "path");
        Objects.requireNonNull(body, "body");
        Requirements.notNegative("maxResponseBytes", maxResponseBytes);
        Requirements.positive("timeoutNanos", timeoutNanos);
    }

    /** Check of the server's certificate. */
    public enum Tls {
        /** No TLS. */
        NONE,
        /** Accepts only a certificate for the host, from an authority that this JVM trusts. */
        CHECKED,
        /** Accepts any certificate: for servers that are authenticated otherwise. */
        ANY
    }

    /** The client's address in a simulation: the loopback. */
    public InetAddress from() {
        return InetAddress.getLoopbackAddress();
    }
}

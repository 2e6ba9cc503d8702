package dev.wishdir.net;

import java.net.InetAddress;
import java.net.InetSocketAddress;

/**
 * A request to send.
 *
 * @param server where to; nothing is looked up
 * @param host the name that the request says
 * @param tls whether and how it is protected
 * @param path with what follows it
 * @param most the most bytes of an answer
 * @param limit nanoseconds until the answer has to be there
 */
public record HttpFetch(
        InetSocketAddress server,
        String host,
        Tls tls,
        String method,
        String path,
        HttpBody body,
        int most,
        long limit) {
    /** How a server's certificate is taken. */
    public enum Tls {
        /** No TLS. */
        NONE,
        /** Only a certificate for the host, from an authority that this Java trusts. */
        CHECKED,
        /** Any: for servers that prove themselves otherwise. */
        ANY
    }

    /** Whence it comes, as far as a simulation knows: the loopback. */
    InetAddress from() {
        return InetAddress.getLoopbackAddress();
    }
}

package dev.wishdir.web;

import io.javalin.http.Context;
import io.javalin.websocket.WsContext;

import java.net.InetAddress;
import java.util.Objects;
import java.util.Optional;

/** The address for which a request counts; empty if it does not count for any. */
public final class ClientAddress {
    private static final String ATTRIBUTE = "wishdir.client-address";
    private static final String HEADER = "X-Forwarded-For";

    private ClientAddress() {}

    /** Stores the address of a request. */
    static void set(Context context, WebHosts hosts) {
        InetAddress from = WebHosts.literal(context.req().getRemoteAddr());
        context.attribute(ATTRIBUTE, hosts.client(from, context.header(HEADER)));
    }

    public static Optional<InetAddress> of(Context context) {
        return Objects.requireNonNullElse(
                context.<Optional<InetAddress>>attribute(ATTRIBUTE), Optional.empty());
    }

    public static Optional<InetAddress> of(WsContext context) {
        return Objects.requireNonNullElse(
                context.<Optional<InetAddress>>attribute(ATTRIBUTE), Optional.empty());
    }
}

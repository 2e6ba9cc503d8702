package dev.wishdir.net;

import java.net.InetAddress;
import java.util.function.Consumer;

/** What stands behind a port of HTTP. Called by the one thread of its {@link DutyCycle}. */
@FunctionalInterface
public interface HttpHandler {
    /** Whether a connection of an address is taken at all. */
    default boolean admits(InetAddress from) {
        return true;
    }

    /** Whether an address is free of the count of connections by address. */
    default boolean trusts(InetAddress from) {
        return false;
    }

    /** A connection was opened, which holds memory until it is {@link #onClosed}. */
    default void onOpened(MemoryConsumer connection) {}

    /** A connection that was {@link #onOpened} is gone. */
    default void onClosed(MemoryConsumer connection) {}

    /**
     * A whole request came in. Whatever is in it, this throws nothing.
     *
     * @param answer gets the response, once, on this thread; at once or later. A connection that is
     *     gone or too slow meanwhile takes none
     */
    void handle(HttpRequest request, Consumer<HttpResponse> answer);
}

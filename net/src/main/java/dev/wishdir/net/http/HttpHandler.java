package dev.wishdir.net.http;

import dev.wishdir.net.limit.MemoryConsumer;

import java.net.InetAddress;
import java.util.function.Consumer;

/** Handles the requests of one HTTP port. Called only by the thread of its {@code DutyCycle}. */
@FunctionalInterface
public interface HttpHandler {
    /** Whether a connection from an address is accepted. */
    default boolean admits(InetAddress from) {
        return true;
    }

    /** Whether an address is exempt from the limits on connections by address. */
    default boolean trusts(InetAddress from) {
        return false;
    }

    /** A connection was opened; it retains memory until {@link #onClosed}. */
    default void onOpened(MemoryConsumer connection) {}

    /** A connection passed to {@link #onOpened} was closed. */
    default void onClosed(MemoryConsumer connection) {}

    /**
     * Handles a complete request. Must not throw, whatever the request contains.
     *
     * @param answer takes the response, once, on this thread, at once or later; ignored if the
     *     connection was closed or timed out in the meantime
     */
    void handle(HttpRequest request, Consumer<HttpResponse> answer);
}

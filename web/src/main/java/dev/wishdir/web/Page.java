package dev.wishdir.web;

import io.javalin.config.RoutesConfig;

/**
 * Something that a {@link WebServer} shows. Its handlers are called for requests that passed the
 * server's checks alone, on threads of the server's.
 */
@FunctionalInterface
public interface Page {
    /** Adds what is answered, before the server starts. */
    void add(RoutesConfig routes);

    /** Ends what the page does on its own, before the server ends. */
    default void close() {}
}

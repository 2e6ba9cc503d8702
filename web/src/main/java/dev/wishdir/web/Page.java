package dev.wishdir.web;

import io.javalin.config.RoutesConfig;

/**
 * A page of a {@link WebServer}. Its handlers run on the server's threads, and only for requests
 * that passed the server's checks.
 */
@FunctionalInterface
public interface Page {
    /** Adds the routes of the page, before the server starts. */
    void add(RoutesConfig routes);

    /** Stops the page's own work, before the server stops. */
    default void close() {}
}

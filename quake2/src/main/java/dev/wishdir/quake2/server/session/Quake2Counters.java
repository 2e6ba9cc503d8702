package dev.wishdir.quake2.server.session;

import dev.wishdir.net.loop.Counters;

/** The event counters of this game, whose names begin with its own. */
public record Quake2Counters(Counters counters) {
    private static final String PREFIX = "quake2.";

    /** Adds one. */
    public void count(String name) {
        counters.count(PREFIX + name);
    }

    /** Adds any number; 0 costs nothing. */
    void add(String name, int amount) {
        if (amount != 0) {
            counters.add(PREFIX + name, amount);
        }
    }
}

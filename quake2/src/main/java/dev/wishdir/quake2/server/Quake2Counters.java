package dev.wishdir.quake2.server;

import dev.wishdir.net.Counters;

/** The event counters of this game, whose names begin with its own. */
record Quake2Counters(Counters counters) {
    private static final String PREFIX = "quake2.";

    /** Adds one. */
    void count(String name) {
        counters.count(PREFIX + name);
    }

    /** Adds any number; 0 costs nothing. */
    void add(String name, int amount) {
        if (amount != 0) {
            counters.add(PREFIX + name, amount);
        }
    }
}

package dev.wishdir.world;

/**
 * In what the games' traces of a box past a brush differ. Each difference decides the last bit of
 * where a player stands, on which the game's clients and its server must agree.
 */
enum TraceRules {
    /**
     * docs/protocols/quake2.md, 7. Which brush counts among those hit at once, the tree decides.
     */
    QUAKE2(1 / 32f, Float.POSITIVE_INFINITY, -1, false, false, false),

    /** Quake III, tracing boxes. */
    QUAKE3(1 / 8f, 1 / 8f, 0, true, true, true);

    /** How far before a side the box stops, units. */
    final float epsilon;

    /** A way from before a side that ends this far before it or farther passes the brush. */
    final float passing;

    /** What a fraction of the way less than this counts as, for a box that starts at a side. */
    final float earliest;

    /** Whether the box is moved by its middle; otherwise by its reference point. */
    final boolean centred;

    /** Whether a box that stays in a brush all the way is stopped; otherwise it only knows. */
    final boolean stops;

    /** Whether a box at rest is held against the brush's bounds instead of its first six sides. */
    final boolean bounded;

    TraceRules(
            float epsilon,
            float passing,
            float earliest,
            boolean centred,
            boolean stops,
            boolean bounded) {
        this.epsilon = epsilon;
        this.passing = passing;
        this.earliest = earliest;
        this.centred = centred;
        this.stops = stops;
        this.bounded = bounded;
    }
}

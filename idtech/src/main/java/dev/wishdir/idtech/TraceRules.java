package dev.wishdir.idtech;

/**
 * The differences between the games' rules for tracing a box past a brush. Each one affects the
 * last bits of a player's position, on which the game's clients and its server must agree.
 */
enum TraceRules {
    /**
     * docs/protocols/quake2.md, 7. Of brushes hit at the same point, the order of the tree decides
     * which counts.
     */
    QUAKE2(1 / 32f, Float.POSITIVE_INFINITY, -1, false, false, false),

    /** Quake III: traces of boxes. */
    QUAKE3(1 / 8f, 1 / 8f, 0, true, true, true);

    /** Distance before a side at which the box stops, units. */
    final float epsilon;

    /**
     * A way that starts before a side and ends at least this far before it misses the brush, units.
     */
    final float passing;

    /** Minimum of the fraction of the way, for a box that starts at a side. */
    final float earliest;

    /** Whether the sweep moves the box's centre; otherwise its reference point. */
    final boolean centred;

    /**
     * Whether a box that is inside a brush all the way is stopped; otherwise only {@code allSolid}
     * is set.
     */
    final boolean stops;

    /**
     * Whether a stationary box is tested against the brush's bounds instead of its first six sides.
     */
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

package dev.wishdir.motion;

/** The medium in which a body moves, outside solids. */
public enum Medium {
    AIR,

    /** Bodies swim in it. */
    WATER,

    /** Bodies climb in it. */
    LADDER
}

package dev.wishdir.world;

/** In what a body moves at a place, where nothing solid is. */
public enum Medium {
    AIR,

    /** Bodies swim in it. */
    WATER,

    /** Bodies climb in it. */
    LADDER
}

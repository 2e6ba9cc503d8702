package dev.wishdir.sauerbraten;

/** Cube 2: Sauerbraten. */
public final class SauerbratenGame {
    static final String NAME = "sauerbraten";
}

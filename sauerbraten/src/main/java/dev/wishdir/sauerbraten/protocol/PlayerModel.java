package dev.wishdir.sauerbraten.protocol;

/** Default player models. */
public final class PlayerModel {
    /** The number of models that every client has. */
    private static final int COUNT = 5;

    private PlayerModel() {}

    /** The model for a name; always the same. */
    public static int of(String name) {
        return Math.floorMod(name.hashCode(), COUNT);
    }
}

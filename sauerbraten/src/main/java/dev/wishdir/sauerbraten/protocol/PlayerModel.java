package dev.wishdir.sauerbraten.protocol;

/** What a player looks like who has not chosen it. */
public final class PlayerModel {
    /** The models that every client has. */
    private static final int COUNT = 5;

    private PlayerModel() {}

    /** The number of a model, the same for a name always. */
    public static int of(String name) {
        return Math.floorMod(name.hashCode(), COUNT);
    }
}

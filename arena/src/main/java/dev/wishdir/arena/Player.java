package dev.wishdir.arena;

import dev.wishdir.motion.Movement;

/**
 * Somebody in the arena. Its fields change on the arena's thread alone; other threads take what
 * {@link Arena} tells its observers.
 */
public final class Player {
    private final int id;
    private final String game;
    private final Viewer viewer;
    private final long joined;
    String name;
    Movement movement;
    Object nativeMovement = NO_NATIVE;
    boolean spawned;
    boolean moved;

    /** What {@link #nativeMovement} gives for a player whose game sent none. */
    public static final Object NO_NATIVE = new Object();

    Player(int id, String game, String name, Movement movement, Viewer viewer, long joined) {
        this.id = id;
        this.game = game;
        this.name = name;
        this.movement = movement;
        this.viewer = viewer;
        this.joined = joined;
    }

    /** Unique for the life of the arena, from 1; never used again. */
    public int id() {
        return id;
    }

    /** The game that this player plays: {@code sauerbraten}, {@code quake2} … */
    public String game() {
        return game;
    }

    /** Plain text, unique in the arena; each game writes it in its own character set. */
    public String name() {
        return name;
    }

    /** The newest movement. */
    public Movement movement() {
        return movement;
    }

    /**
     * The newest movement as this player's own game sent it, opaque to the arena, so that a viewer
     * of the same game passes it on without loss; {@link #NO_NATIVE} where there is none.
     */
    public Object nativeMovement() {
        return nativeMovement;
    }

    /** Whether it has a body that others see; a spectator or a dead player has none. */
    public boolean spawned() {
        return spawned;
    }

    /** When it joined, on the arena's clock, nanoseconds. */
    public long joined() {
        return joined;
    }

    Viewer viewer() {
        return viewer;
    }

    @Override
    public String toString() {
        return name + " (" + game + " " + id + ")";
    }
}

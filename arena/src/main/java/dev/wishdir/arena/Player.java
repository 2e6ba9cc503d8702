package dev.wishdir.arena;

import dev.wishdir.motion.Movement;

/**
 * Somebody in the arena. It changes on the arena's thread alone; other threads take what {@link
 * Arena} tells its observers.
 */
public final class Player {
    private final PlayerId id;
    private final String game;
    private final Viewer viewer;
    private final long joined;
    private final long since;
    private final Purse purse = new Purse();
    private final Backlog backlog = new Backlog();
    String name = "";
    Movement movement;
    Object nativeMovement = NO_NATIVE;
    boolean embodied;
    boolean silent;
    boolean moved;
    boolean here = true;
    long heard;
    long judged = Long.MIN_VALUE / 2;

    /** What {@link #nativeMovement} gives for a player whose game sent none. */
    public static final Object NO_NATIVE = new Object();

    /**
     * @param since the number of the event of its joining: it is told of later ones
     */
    Player(PlayerId id, String game, Movement movement, Viewer viewer, long joined, long since) {
        this.id = id;
        this.game = game;
        this.movement = movement;
        this.viewer = viewer;
        this.joined = joined;
        this.since = since;
        heard = joined;
    }

    /** Who this is; never used again for another. */
    public PlayerId id() {
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

    /**
     * Whether it has a body that others see; a spectator or a dead player has none, and nobody who
     * has been silent for {@link Arena#SILENCE}.
     */
    public boolean spawned() {
        return embodied && !silent;
    }

    /** When it joined, on the arena's clock, nanoseconds. */
    public long joined() {
        return joined;
    }

    /** Whether it has not left. */
    public boolean isHere() {
        return here;
    }

    Viewer viewer() {
        return viewer;
    }

    Purse purse() {
        return purse;
    }

    Backlog backlog() {
        return backlog;
    }

    long since() {
        return since;
    }

    @Override
    public String toString() {
        return name + " (" + game + " " + id + ")";
    }
}

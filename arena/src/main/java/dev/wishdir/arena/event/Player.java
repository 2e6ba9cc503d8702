package dev.wishdir.arena.event;

import dev.wishdir.motion.Movement;

/**
 * An immutable snapshot of a player in the arena. The arena returns the same object until something
 * of the player changes.
 *
 * @param game {@code sauerbraten}, {@code quake2} …
 * @param name plain text, unique in the arena; each game converts it to its own character set
 * @param joined nanoseconds of the arena's clock
 * @param ping round trip, milliseconds; 0 if unknown
 * @param proof how it proved who it is
 * @param spawned whether it has a visible body: false for spectators, dead players, and players
 *     idle for {@link #IDLE_TIMEOUT_NANOS}
 * @param movement the newest
 * @param nativeMovement {@code movement} as the player's own game sent it
 */
public record Player(
        PlayerId id,
        String game,
        String name,
        long joined,
        int ping,
        Proof proof,
        boolean spawned,
        Movement movement,
        NativeMovement nativeMovement) {
    /** Idle time-out: the body of a player whose client is silent for this long is hidden. */
    public static final long IDLE_TIMEOUT_NANOS = 5_000_000_000L;

    /** Maximum length of a name, UTF-16 units. */
    public static final int MAX_NAME_CHARS = 32;

    /** A player of which it is not known how it proved who it is. */
    public Player(
            PlayerId id,
            String game,
            String name,
            long joined,
            int ping,
            boolean spawned,
            Movement movement,
            NativeMovement nativeMovement) {
        this(id, game, name, joined, ping, Proof.UNKNOWN, spawned, movement, nativeMovement);
    }

    /** Whether it is the player of a recording: it does not block, and cannot be hit. */
    public boolean isGhost() {
        return id.isGhost();
    }

    /**
     * The tag of this player's game before the name, as {@code "[Q3] "}; empty for viewers of the
     * same game.
     *
     * @param viewers the game of the viewers
     */
    public String gameTag(String viewers) {
        return gameTag(game, viewers);
    }

    public static String gameTag(String game, String viewers) {
        if (game.equals(viewers)) {
            return "";
        }
        StringBuilder tag = new StringBuilder("[");
        for (int i = 0; i < game.length(); i++) {
            char c = game.charAt(i);
            if (i == 0 || Character.isDigit(c)) {
                tag.append(Character.toUpperCase(c));
            }
        }
        return tag.append("] ").toString();
    }

    @Override
    public String toString() {
        return name + " (" + game + " " + id + ")";
    }

    /**
     * The beginning of a text, at most the given number of UTF-16 units; no half of a surrogate
     * pair.
     */
    public static String truncate(String text, int length) {
        if (text.length() <= length) {
            return text;
        }
        return text.substring(
                0, Character.isHighSurrogate(text.charAt(length - 1)) ? length - 1 : length);
    }
}

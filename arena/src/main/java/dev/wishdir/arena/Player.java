package dev.wishdir.arena;

import dev.wishdir.motion.Movement;

/**
 * Somebody in the arena as it was at a moment. The arena gives the same object until something of
 * the player changes.
 *
 * @param game that the player plays: {@code sauerbraten}, {@code quake2} …
 * @param name plain text, unique in the arena; each game writes it in its own character set
 * @param joined when, on the arena's clock, nanoseconds
 * @param ping the round trip to the player, milliseconds; 0 where it is not known
 * @param spawned whether it has a body that others see; a spectator or a dead player has none, and
 *     nobody who has been silent for {@link Arena#IDLE_TIMEOUT_NANOS}
 * @param movement the newest
 * @param nativeMovement {@code movement} as the player's own game sent it
 */
public record Player(
        PlayerId id,
        String game,
        String name,
        long joined,
        int ping,
        boolean spawned,
        Movement movement,
        NativeMovement nativeMovement) {
    /**
     * What stands before the name where players of a game read it: the letter and the number of
     * this player's game, as {@code "[Q3] "}; nothing where it is their own.
     *
     * @param viewers the game of those who read it
     */
    public String gameTag(String viewers) {
        return gameTag(game, viewers);
    }

    static String gameTag(String game, String viewers) {
        if (game.equals(viewers)) {
            return "";
        }
        StringBuilder sign = new StringBuilder();
        game.codePoints()
                .filter(c -> sign.isEmpty() || Character.isDigit(c))
                .map(Character::toUpperCase)
                .forEach(sign::appendCodePoint);
        return "[" + sign + "] ";
    }

    @Override
    public String toString() {
        return name + " (" + game + " " + id + ")";
    }
}

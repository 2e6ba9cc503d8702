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
 *     nobody who has been silent for {@link Arena#SILENCE}
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
    @Override
    public String toString() {
        return name + " (" + game + " " + id + ")";
    }
}
